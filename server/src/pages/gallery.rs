//! The page `/design`: every component in its states, by name, in the reader's language.

use axum::Router;
use axum::routing::get;
use enza_kernel::floor::Tone as Meant;
use enza_kernel::time::{Seq, Timestamp};
use maud::{Markup, html};

use super::PageContext;
use crate::design::{
    Field, FieldKind, Message, Speaker, Tone, Weight, badge, button, card, checkbox, choice, circle, dialog, diff,
    empty, facts, field, link_button, message, meter, notice, opener, patch, progress, section, table, tabs,
    theme_switch, time, toast,
};
use crate::state::AppState;
use crate::words::Words;

pub(super) fn routes() -> Router<AppState> {
    Router::new().route("/design", get(gallery))
}

async fn gallery(here: PageContext) -> Markup {
    let words = here.words;
    let body = html! {
        header.page-title {
            h1 { (words.say("gallery.title")) }
            p.lead { (words.say("gallery.lead")) }
            (theme_switch(words))
        }
        div.gallery {
            (section(words.say("gallery.ground"), ground(words)))
            (section(words.say("gallery.buttons"), buttons(words)))
            (section(words.say("gallery.fields"), fields(words)))
            (section(words.say("gallery.holding"), holding(words)))
            (section(words.say("gallery.saying"), saying(words, here.app.now())))
            (section(words.say("gallery.order"), ordering(words, here.app.now())))
        }
    };
    here.page(words.say("gallery.title"), &body)
}

/// A small change to a file.
const PATCH: &str =
    "--- a/enza.toml\n+++ b/enza.toml\n@@ -1,2 +1,2 @@\n [model]\n-use = \"understudy\"\n+use = \"qwen\"\n";

/// A component under its name.
fn named(name: &str, body: Markup) -> Markup {
    html! { figure.sample { figcaption { code { (name) } } div.sample-body { (body) } } }
}

fn ground(words: Words) -> Markup {
    let colours =
        ["paper", "sheet", "sunk", "ink", "ink-soft", "ink-faint", "line", "seal", "good", "warn", "bad", "live"];
    html! {
        (named("circle", circle()))
        (named("colour", html! {
            ul.swatches { @for colour in colours { li { span class={ "swatch " (colour) } {} span.small { (colour) } } } }
        }))
        (named("type", html! {
            div.type-scale {
                p.t6 { (words.say("gallery.sentence")) }
                p.t5 { (words.say("gallery.sentence")) }
                p.t4 { (words.say("gallery.sentence")) }
                p.t3 { (words.say("gallery.sentence")) }
                p.t2 { (words.say("gallery.sentence")) }
                p.t1 { (words.say("gallery.sentence")) }
            }
        }))
    }
}

fn buttons(words: Words) -> Markup {
    let label = |key| words.of("gallery-button", key);
    html! {
        (named("button", html! {
            div.row {
                (button(label("main"), Weight::Main))
                (button(label("plain"), Weight::Plain))
                (button(label("grave"), Weight::Grave))
                (button(label("quiet"), Weight::Quiet))
                button.button.main type="button" disabled { (label("disabled")) }
                button.button.plain type="button" aria-busy="true" { (label("busy")) }
            }
        }))
        (named("link_button", html! { (link_button("/design", label("link"), Weight::Plain)) }))
        (named("opener, dialog", html! {
            (opener("gallery-dialog", label("opens"), Weight::Plain))
            (dialog("gallery-dialog", words.say("gallery.dialog"), html! {
                p { (words.say("gallery.dialog_text")) }
                div.row {
                    (opener("gallery-dialog", label("grave"), Weight::Grave))
                    button.button.quiet type="button" data-closes { (words.say("session.not_now")) }
                }
            }))
        }))
        (named("tabs", tabs(&[("/design", label("main")), ("#quiet", label("quiet"))], "/design")))
    }
}

fn fields(words: Words) -> Markup {
    let label = |key| words.of("gallery-field", key);
    let plain = Field { required: true, hint: Some(label("hint")), ..Field::new("sample-text", label("text")) };
    let wrong = Field {
        value: "Ada Lovelace",
        error: Some(label("error")),
        required: true,
        ..Field::new("sample-wrong", label("name"))
    };
    let long = Field {
        value: label("long"),
        kind: FieldKind::Area { rows: 3 },
        limit: Some(120),
        ..Field::new("sample-area", label("area"))
    };
    let secret = Field { kind: FieldKind::Password, required: true, ..Field::new("sample-secret", label("secret")) };
    let number = Field { kind: FieldKind::Number, value: "42", ..Field::new("sample-number", label("number")) };
    let options = [("ja", "日本語"), ("en", "English")];
    html! {
        (named("field", html! {
            div.stack {
                (field(words, &plain)) (field(words, &wrong)) (field(words, &secret)) (field(words, &number))
                (field(words, &long))
            }
        }))
        (named("choice", choice("sample-choice", label("choice"), &options, "ja")))
        (named("checkbox", checkbox("sample-check", label("check"), true)))
    }
}

fn holding(words: Words) -> Markup {
    let text = words.say("gallery.text");
    html! {
        (named("card", card(Some(words.say("gallery.card")), html! { p { (text) } })))
        (named("facts", facts(&[
            (words.say("session.tokens"), html! { "12,345" }),
            (words.say("session.money"), html! { "$0.0421" }),
        ])))
        (named("empty", empty(words.say("home.no_match"), words.say("home.no_match_what"),
            Some(link_button("/", words.say("home.begin"), Weight::Plain)))))
    }
}

fn saying(words: Words, now: Timestamp) -> Markup {
    let said = |seq, who, name, tone, text| message(words, &Message { who, name, tone, text, at: now, seq: Seq(seq) });
    let tones =
        [(Tone::Plain, "plain"), (Tone::Good, "good"), (Tone::Warn, "warn"), (Tone::Bad, "bad"), (Tone::Live, "live")];
    html! {
        (named("badge", html! { div.row { @for (tone, key) in tones { (badge(words.of("gallery-tone", key), tone)) } } }))
        (named("notice", html! {
            div.stack { @for (tone, key) in tones { (notice(tone, words.of("gallery-tone", key), words.say("gallery.text"))) } }
        }))
        (named("toast", toast(Tone::Good, words.of("gallery-tone", "good"))))
        (named("message", html! {
            div.lines {
                (said(1, Speaker::Session, words.say("session.itself"), Meant::Note, words.of("gallery-line", "note")))
                (said(2, Speaker::Agent, words.of("gallery-agent", "first"), Meant::Said, words.of("gallery-line", "asks")))
                (said(3, Speaker::Person, words.say("session.you"), Meant::Said, words.of("gallery-line", "answers")))
                (said(4, Speaker::Session, words.say("session.itself"), Meant::Trouble, words.of("gallery-line", "trouble")))
                (said(5, Speaker::Session, words.say("session.itself"), Meant::Done, words.of("gallery-line", "done")))
            }
        }))
    }
}

fn ordering(words: Words, now: Timestamp) -> Markup {
    let heads = [words.say("gallery.who"), words.say("session.tokens"), words.say("home.phase")];
    let row = |name: &str, tokens: &str, tone, key| {
        vec![html! { (name) }, html! { span.figures { (tokens) } }, badge(words.of("gallery-tone", key), tone)]
    };
    let rows = vec![
        row(words.of("gallery-agent", "first"), "12,345", Tone::Good, "good"),
        row(words.of("gallery-agent", "second"), "1,024", Tone::Live, "live"),
        row(words.of("gallery-agent", "third"), "0", Tone::Warn, "warn"),
    ];
    html! {
        (named("table", table(&heads, rows)))
        (named("progress", progress(words, 2, 3, words.say("session.progress"))))
        (named("diff", diff(words.say("gallery.before"), words.say("gallery.after"))))
        (named("patch", patch(words, PATCH)))
        (named("meter", meter(words, 41_200, 50_000, words.say("session.tokens"))))
        (named("time", time(words, now)))
    }
}
