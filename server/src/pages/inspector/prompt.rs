//! The prompts around an event: what a model was asked, piece by piece, what was left out, and what the reply used.
//!
//! A prompt is rendered anew from the log. Where its reply is recorded, the digest in the log says whether these are the
//! bytes that were used; the page says so either way.

use enza_kernel::agent::ThreadEvent;
use enza_kernel::conversation::{Calling, Message, Request, ToolSpec, Usage, estimate_tokens};
use enza_kernel::refusal::CommonRefusal;
use enza_runtime::engine::Prompt;
use maud::{Markup, html};

use super::super::PageContext;
use super::json::{folded, pretty};
use super::query::{InspectorQuery, InspectorSide, raw_address};
use super::read::ReadPast;
use crate::actions::sessions::prompts_in;
use crate::design::{Tone, badge, empty, facts};
use crate::drawing::figures;
use crate::drawing::share::{SharePart, bar};
use crate::drawing::timeline::step_of;
use crate::problem::Problem;
use crate::words::Words;

/// The panel.
pub async fn panel(here: &PageContext, past: &ReadPast, glance: &InspectorQuery) -> Result<Markup, Problem> {
    let words = here.words;
    let about_it = here.app.about(&past.row.application);
    let prompts = match prompts_in(&here.app, &past.reading, glance.at).await {
        Err(problem) if problem == CommonRefusal::NotYourPart.into() => {
            return Ok(html! { p.quiet-note { (words.say("inspector.not_yours")) } });
        }
        found => found?,
    };
    if prompts.is_empty() {
        return Ok(empty(words.say("inspector.no_prompt"), words.say("inspector.no_prompt_why"), None));
    }
    let replied = past.event(glance.at).and_then(|seen| seen.recorded()).and_then(step_of).and_then(|step| {
        let ThreadEvent::Replied { usage, model, .. } = step.what else { return None };
        Some((usage, model))
    });
    let all = raw_address(&past.row.id, glance.at, InspectorSide::Prompt);
    Ok(html! {
        section.prompt {
            @for prompt in &prompts {
                h2 { (words.fill("inspector.prompt_of", &[("agent", about_it.agent(&prompt.request.agent, here.lang()))])) " " (exactness(words, prompt)) }
                (facts(&about(words, prompt, replied.as_ref().map(|(_, model)| model.as_str()))))
                @if let Some((usage, _)) = &replied { (used(words, *usage)) }
                (layers(words, &prompt.request))
                (cuts(words, &prompt.request))
                @if let Some(schema) = &prompt.request.output {
                    h3 { (words.say("inspector.output_schema")) }
                    (pretty(words, schema, &all))
                }
            }
            p.rest { a href=(all) { (words.say("inspector.raw")) } }
        }
    })
}

fn exactness(words: Words, prompt: &Prompt) -> Markup {
    match (prompt.recorded, prompt.is_exact()) {
        (None, _) => badge(words.say("inspector.not_yet_sent"), Tone::Live),
        (Some(_), true) => badge(words.say("inspector.exact"), Tone::Good),
        (Some(_), false) => badge(words.say("inspector.not_exact"), Tone::Bad),
    }
}

fn about(words: Words, prompt: &Prompt, model: Option<&str>) -> Vec<(&'static str, Markup)> {
    let request = &prompt.request;
    let mut list = vec![
        (words.say("inspector.thread"), html! { code { (prompt.thread) } }),
        (words.say("inspector.asked_at"), html! { (prompt.asked_at) }),
    ];
    if let Some(model) = model {
        list.push((words.say("inspector.model"), html! { (model) }));
    }
    list.push((words.say("inspector.max_output"), html! { (figures::count(u64::from(request.max_output))) }));
    let sampling = [
        request.sampling.temperature.map(|one| format!("temperature {one}")),
        request.sampling.top_p.map(|one| format!("top_p {one}")),
        request.sampling.seed.map(|one| format!("seed {one}")),
    ];
    let sampling: Vec<String> = sampling.into_iter().flatten().collect();
    let sampling =
        if sampling.is_empty() { words.say("inspector.providers_choice").to_owned() } else { sampling.join(", ") };
    list.push((words.say("inspector.sampling"), html! { (sampling) }));
    let calling = match &request.calling {
        Calling::Free => words.say("inspector.calling_free").to_owned(),
        Calling::Any => words.say("inspector.calling_any").to_owned(),
        Calling::Only(tool) => words.fill("inspector.calling_only", &[("tool", tool)]),
    };
    list.push((words.say("inspector.calling"), html! { (calling) }));
    list.push((words.say("inspector.digest"), html! { code.digest { (request.digest()) } }));
    list
}

/// What the provider says the reply used, and how much of the prompt it knew already.
fn used(words: Words, usage: Usage) -> Markup {
    let anew = usage.input.saturating_sub(usage.cache_read.saturating_add(usage.cache_write));
    let part = |class, key: &str, amount| {
        let title = format!("{}: {}", words.of("inspector-used", key), figures::count(amount));
        SharePart { class, title, amount }
    };
    let parts = [
        part("cached", "cache_read", usage.cache_read),
        part("written", "cache_write", usage.cache_write),
        part("anew", "anew", anew),
        part("output", "output", usage.output),
    ];
    let cached = figures::percent(usage.cache_read, usage.input).unwrap_or(0).to_string();
    html! {
        div.used {
            h3 { (words.say("inspector.used")) }
            (bar(words.say("inspector.used"), &parts, usage.total()))
            ul.used-parts {
                @for part in parts.iter().filter(|part| part.amount > 0) { li class=(part.class) { (part.title) } }
                li { (words.fill("inspector.share_cached", &[("share", &cached)])) }
                @if usage.cost > 0 { li { (words.say("inspector.cost")) ": " (figures::money(usage.cost)) } }
            }
        }
    }
}

/// A piece of the prompt.
struct Piece {
    class: &'static str,
    name: String,
    tokens: u64,
    content: Markup,
}

/// The pieces in the order in which the model reads them.
fn layers(words: Words, request: &Request) -> Markup {
    let mut groups: Vec<(&str, Vec<Piece>)> = vec![
        ("tools", request.tools.iter().map(|tool| tool_piece(words, tool)).collect()),
        ("stable", request.stable.iter().map(|part| text_piece("stable", &part.name, &part.text)).collect()),
        ("thread", request.messages.iter().map(|message| message_piece(words, message)).collect()),
        ("fresh", request.fresh.iter().map(|part| text_piece("fresh", &part.name, &part.text)).collect()),
    ];
    groups.retain(|(_, pieces)| !pieces.is_empty());
    let sum = |pieces: &[Piece]| pieces.iter().map(|piece| piece.tokens).sum::<u64>();
    let whole: u64 = groups.iter().map(|(_, pieces)| sum(pieces)).sum();
    let named = |tokens: u64| words.fill("inspector.about_tokens", &[("count", &figures::count(tokens))]);
    let parts: Vec<SharePart<'_>> = groups
        .iter()
        .map(|(class, pieces)| SharePart {
            class,
            title: format!("{}: {}", words.of("inspector-layer", class), named(sum(pieces))),
            amount: sum(pieces),
        })
        .collect();
    html! {
        h3 { (words.say("inspector.layers")) " " span.h-note { (named(whole)) } }
        (bar(words.say("inspector.layers"), &parts, whole))
        @for (class, pieces) in &groups {
            section class={ "layer " (class) } {
                h4 { (words.of("inspector-layer", class)) " " span.h-note { (named(sum(pieces))) } }
                @for piece in pieces { (drawn(words, piece, whole)) }
            }
        }
    }
}

fn drawn(words: Words, piece: &Piece, whole: u64) -> Markup {
    let tokens = words.fill("inspector.about_tokens", &[("count", &figures::count(piece.tokens))]);
    let part = SharePart { class: piece.class, title: tokens.clone(), amount: piece.tokens };
    html! {
        details.piece {
            summary {
                span.piece-name { (piece.name) }
                span.piece-bar { (bar(&tokens, &[part], whole)) }
                span.piece-tokens { (figures::count(piece.tokens)) }
            }
            div.piece-text { (piece.content) }
        }
    }
}

fn text_piece(class: &'static str, name: &str, text: &str) -> Piece {
    Piece { class, name: name.to_owned(), tokens: estimate_tokens(text), content: html! { pre { (text) } } }
}

fn tool_piece(words: Words, tool: &ToolSpec) -> Piece {
    let parameters = tool.parameters.to_string();
    Piece {
        class: "tools",
        name: tool.name.clone(),
        tokens: estimate_tokens(&tool.name) + estimate_tokens(&tool.description) + estimate_tokens(&parameters),
        content: html! { pre { (tool.description) } (pretty(words, &tool.parameters, "#panel")) },
    }
}

fn message_piece(words: Words, message: &Message) -> Piece {
    let role = words.of("inspector-role", message.role.word());
    let calls: Vec<&str> = message.calls.iter().map(|call| call.tool.as_str()).collect();
    let name = if calls.is_empty() { role.to_owned() } else { format!("{role} → {}", calls.join(", ")) };
    Piece {
        class: "thread",
        name,
        tokens: message.tokens(),
        content: html! {
            @if !message.text.is_empty() { pre { (message.text) } }
            @for call in message.calls.iter() {
                p { code { (call.tool) } " " code { "#" (call.id) } }
                pre { (folded(words, &call.arguments.to_string())) }
            }
            @if let Some(call) = &message.answers { p.quiet-note { (words.fill("inspector.answers_call", &[("call", call)])) } }
        },
    }
}

fn cuts(words: Words, request: &Request) -> Markup {
    html! {
        h3 { (words.say("inspector.cuts")) }
        @if request.cuts.is_empty() {
            p.quiet-note { (words.say("inspector.no_cuts")) }
        } @else {
            ul.cuts {
                @for cut in &request.cuts {
                    li { code { (cut.section) } " " (words.fill("inspector.about_tokens", &[("count", &figures::count(cut.tokens))])) }
                }
            }
        }
    }
}
