//! One respondent's sheet with its story: values and where they came from, reviews, deliveries, the conversation.

use axum::extract::Path;
use axum::response::{IntoResponse as _, Redirect, Response};
use enza_kernel::about::About;
use enza_kernel::floor::Who;
use enza_server::access::{Allowed, ToRead, ToWrite};
use enza_server::actions::sessions::SaidLine;
use enza_server::design::{
    Message, Speaker, Weight, button, dialog, facts, link_button, message, opener, section, time,
};
use enza_server::drawing::figures;
use enza_server::pages::PageContext;
use enza_server::problem::Problem;
use enza_server::words::Words;
use maud::{Markup, html};

use super::list::status_badge;
use super::reviews::{list, reviews};
use super::{address, delivery, draw, value};
use crate::actions::submissions::{self, FieldHistory, SheetHistory, Status, is_sensitive};

pub(super) async fn show(
    here: PageContext,
    allowed: Allowed<ToRead>,
    Path((id, session)): Path<(String, String)>,
) -> Result<Markup, Problem> {
    let words = here.words;
    let dossier = submissions::sheet_history(&here.app, &allowed.0, &id, &session, here.lang()).await?;
    let interview = here.app.about(&dossier.row.application);
    let asked = dossier.fields.iter().filter(|story| !story.id.ends_with(".more") || story.field.field_id != story.id);
    let body = html! {
        p.over-title { a href=(address(&dossier.held)) { "← " (words.say("submissions.back")) } }
        div.sheet-head {
            div.row { h2 { (words.say("sheet.title")) } (status_badge(words, dossier.sheet.status)) }
            (ways(words, &dossier))
        }
        (about(words, &dossier))
        section.part {
            h2 { (words.say("sheet.values")) }
            ol.field-stories { @for story in asked { li id={ "field-" (story.id) } { (field(words, &dossier, story)) } } }
        }
        (sent_on(words, &dossier))
        (section(words.say("sheet.conversation"), html! { div.lines { @for said in &dossier.lines { (line(words, interview, said, dossier.private.contains(&said.seq))) } } }))
        (dialog("delete-sheet", words.say("sheet.delete"), deletion(words, &dossier)))
    };
    Ok(draw(&here, &dossier.held, words.say("sheet.title"), &body))
}

/// Asks before deleting, for whoever comes without scripts.
pub(super) async fn ask_to_delete(
    here: PageContext,
    allowed: Allowed<ToRead>,
    Path((id, session)): Path<(String, String)>,
) -> Result<Markup, Problem> {
    let words = here.words;
    let dossier = submissions::sheet_history(&here.app, &allowed.0, &id, &session, here.lang()).await?;
    let title = words.say("sheet.delete");
    Ok(draw(&here, &dossier.held, title, &section(title, deletion(words, &dossier))))
}

/// Deletes, and leads back to the list.
pub(super) async fn delete(
    here: PageContext,
    allowed: Allowed<ToWrite>,
    Path((id, session)): Path<(String, String)>,
) -> Result<Response, Problem> {
    submissions::delete(&here.app, &allowed.0, &id, &session).await?;
    Ok(Redirect::to(&format!("/forms/{id}/submissions")).into_response())
}

fn ways(words: Words, dossier: &SheetHistory) -> Markup {
    let session = &dossier.row.id;
    html! {
        div.row {
            (link_button(&format!("/sessions/{session}/inspect"), words.say("sheet.inspect"), Weight::Plain))
            (opener("delete-sheet", words.say("sheet.delete"), Weight::Quiet))
            noscript { a href={ (address(&dossier.held)) "/" (session) "/delete" } { (words.say("sheet.delete")) } }
        }
    }
}

fn about(words: Words, dossier: &SheetHistory) -> Markup {
    let sheet = &dossier.sheet;
    let dash = || html! { "—" };
    let moment = |at: Option<_>| at.map_or_else(dash, |at| time(words, at));
    let text = |text: &Option<String>| text.as_ref().map_or_else(dash, |text| html! { (text) });
    let consent = match (dossier.state.form().consent.is_some(), dossier.consented) {
        (true, true) => words.say("sheet.consented"),
        (true, false) => words.say("sheet.not_consented"),
        (false, _) => words.say("sheet.no_consent"),
    };
    let cost = if sheet.spent.cost == 0 { "—".to_owned() } else { figures::money(sheet.spent.cost) };
    let tools: Vec<String> = dossier.tools.iter().map(|(tool, count)| format!("{tool} × {count}")).collect();
    html! {
        div.totals {
            (facts(&[
                (words.say("submissions.started"), time(words, sheet.opened_at)),
                (words.say("submissions.submitted"), moment(dossier.submitted_at)),
                (words.say("submissions.version"), sheet.version.map_or_else(dash, |version| html! { (version) })),
                (words.say("sheet.consent"), html! { (consent) }),
                (words.say("submissions.language"), text(&sheet.bootstrap.language)),
                (words.say("sheet.country"), text(&sheet.bootstrap.country)),
                (words.say("sheet.timezone"), text(&sheet.bootstrap.timezone)),
                (words.say("submissions.tokens"), html! { (figures::count(sheet.spent.total())) }),
                (words.say("sheet.cost"), html! { (cost) }),
                (words.say("sheet.calls"), html! { (figures::count(sheet.calls)) }),
                (words.say("sheet.tools"), html! { @if tools.is_empty() { "—" } @else { (tools.join(", ")) } }),
            ]))
        }
    }
}

fn field(words: Words, dossier: &SheetHistory, story: &FieldHistory) -> Markup {
    let record = &story.record;
    let is_masked = story.field.sensitive || is_sensitive(&dossier.held.state, &story.id);
    html! {
        h3 { (story.label) " " code.small { (story.id) } }
        @if !story.applies {
            p { (value::absent(words, Some(enza_interview::Absence::NotApplicable))) }
        } @else {
            @match record.value() {
                Some(text) => p.story-value { (value::value(words, Some(&story.field), text, is_masked)) },
                None => p { (value::absent(words, record.absence())) },
            }
        }
        @if record.is_incomplete() {
            p.lacking { (words.say("sheet.incomplete")) }
            (list(words.say("sheet.lacking"), Some(&story.lacking)))
        }
        @if let (Some(sentence), false) = (record.sentence(), is_masked) {
            p.sentence {
                q { (sentence) }
                @if let Some(line) = story.line { " " a href={ "#line-" (line) } { (words.say("sheet.to_line")) } }
            }
        }
        @if !is_masked { (list(words.say("sheet.facts"), Some(record.facts()))) }
        (reviews(words, dossier.row.id.as_str(), &story.reviews, record.follow_ups()))
    }
}

/// What came of the delivery; nothing before the respondent has said yes.
fn sent_on(words: Words, dossier: &SheetHistory) -> Markup {
    if dossier.sheet.status != Status::Submitted {
        return html! {};
    }
    html! {
        section.part #delivery {
            h2 { (words.say("delivery.one")) }
            @if dossier.attempts.is_empty() { p.soft { (words.say("delivery.first")) } }
            @else { (delivery::attempts(words, &dossier.attempts)) }
            @if dossier.state.is_undelivered() {
                p { (words.say("delivery.given_up")) }
                (delivery::retry_button(words, &dossier.held, dossier.row.id.as_str()))
            }
        }
    }
}

fn line(words: Words, interview: About<'_>, said: &SaidLine, is_masked: bool) -> Markup {
    let (who, name) = match &said.line.who {
        Who::Person(_) => (Speaker::Person, words.say("sheet.respondent").to_owned()),
        Who::Agent(name) => (Speaker::Agent, interview.agent(name, words.0).to_owned()),
        Who::Session => (Speaker::Session, words.say("session.itself").to_owned()),
    };
    let said = Message { who, name: &name, tone: said.line.tone, text: &said.line.text, at: said.at, seq: said.seq };
    let shown = message(words, &said);
    html! { div.place id={ "line-" (said.seq) } { @if is_masked { (value::masked(words, shown)) } @else { (shown) } } }
}

fn deletion(words: Words, dossier: &SheetHistory) -> Markup {
    let at = format!("{}/{}", address(&dossier.held), dossier.row.id);
    html! {
        p { (words.say("sheet.delete_what")) }
        form method="post" action={ (at) "/delete" } {
            div.row {
                (button(words.say("sheet.delete_yes"), Weight::Grave))
                a.button.quiet href=(at) data-closes { (words.say("sheet.not_now")) }
            }
        }
    }
}
