//! The door behind a link: what the form is, what it asks consent for, how long it takes, and the way in.
//!
//! Beginning has a key that the page draws, so that a double click begins one interview. The way back is kept in a
//! cookie of this link alone; a browser that has it is offered to go on first. Over TLS it is one that a neighbouring host
//! cannot plant: whoever went on by a planted one would answer in somebody else's interview.

use axum::Extension;
use axum::extract::{Path, RawQuery};
use axum::http::header::{ACCEPT_LANGUAGE, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Redirect, Response};
use enza_interview::Form;
use enza_kernel::conversation::Digest;
use enza_kernel::text::Said;
use enza_server::access::{Address, Channel, cookie};
use enza_server::actions::IdempotencyKey;
use enza_server::design::{Tone, Weight, button, link_button, notice};
use enza_server::pages::PageContext;
use enza_server::percent::encoded;
use enza_server::problem::Problem;
use enza_server::words::Words;
use maud::{Markup, html};

use super::frame::{ChosenLanguage, page_keeping};
use super::leave::how_long;
use super::pairs::FormPairs;
use crate::actions::forms::{LinkTo, LoadedForm, draw_token};
use crate::actions::respond::{
    self, GuestInterview, InterviewPhase, InterviewStart, PREFIX, RESPONDENT, detect_locale, prefill_of,
};

/// The cookie with the way back.
const TICKET: &str = "enza-ticket";
/// How long it is kept, in seconds: as long as an interview waits.
const KEPT: u64 = 30 * 24 * 60 * 60;
/// How long a key may be that begins an interview. Whoever guesses it has the way back, so it is never short.
const KEY: std::ops::RangeInclusive<usize> = 16..=100;
/// How many letters and digits a page draws for one.
const KEY_DRAWN: usize = 22;

/// What was ticked and typed at the door, and why it was not enough.
#[derive(Default)]
struct StartInput {
    key: String,
    consented: bool,
    prefill: Vec<(String, String)>,
    error: Option<Problem>,
}

/// The door.
pub(super) async fn show(
    here: PageContext,
    Path(link): Path<String>,
    RawQuery(query): RawQuery,
    channel: Channel,
    Extension(chosen): Extension<ChosenLanguage>,
    headers: HeaderMap,
) -> Result<Markup, Problem> {
    let to = read_link(&link)?;
    let held = respond::look_up_link(&here.app, &to).await?;
    let before = before(&here, &held, cookie::read(&headers, &ticket_name(channel, &to))).await;
    let refusal = respond::refusal(&held, &to, &here.app);
    match (refusal, before) {
        (Some(problem), None) => Err(problem),
        // Somebody who was let in before goes on, whatever became of the link.
        (Some(_), Some(guest)) => Ok(draw(&here, &link, &held, Some((&guest, chosen)), None)),
        (None, before) => {
            let knock =
                StartInput { prefill: asked_for(query.as_deref().unwrap_or_default()), ..StartInput::default() };
            Ok(draw(&here, &link, &held, before.as_ref().map(|guest| (guest, chosen)), Some(&knock)))
        }
    }
}

/// Begins.
pub(super) async fn begin(
    here: PageContext,
    Path(link): Path<String>,
    Extension(chosen): Extension<ChosenLanguage>,
    address: Address,
    channel: Channel,
    headers: HeaderMap,
    pairs: FormPairs,
) -> Result<Response, Problem> {
    let to = read_link(&link)?;
    respond::count_beginning(here.app.rate_limiter(), &link, &address, here.app.now())?;
    let key = pairs.one("key");
    if !KEY.contains(&key.len()) {
        return Err(Problem::BodyUnfit("key".to_owned()));
    }
    let wishes = headers.get(ACCEPT_LANGUAGE).and_then(|wishes| wishes.to_str().ok()).unwrap_or_default();
    let zone = Some(pairs.one("timezone")).filter(|zone| !zone.is_empty());
    let arrival = InterviewStart {
        bootstrap: detect_locale(wishes, chosen.0, zone),
        consented: !pairs.one("consent").is_empty(),
        prefill: prefill_of(pairs.iter()),
    };
    let once = IdempotencyKey::of(RESPONDENT, key, &Digest::of(link.as_bytes()));
    match respond::begin(&here.app, &to, arrival, once).await {
        Ok(ticket) => {
            let mut response = Redirect::to(&format!("/r/{ticket}")).into_response();
            response.headers_mut().append(SET_COOKIE, remember(channel, &to, &ticket.to_string()));
            Ok(response)
        }
        Err(problem) if problem.code() == "consent-missing" => {
            let held = respond::look_up_link(&here.app, &to).await?;
            let prefill = pairs.iter().filter(|(name, _)| name.starts_with(PREFIX));
            let knock = StartInput {
                key: key.to_owned(),
                prefill: prefill.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
                consented: false,
                error: Some(problem.clone()),
            };
            Ok((problem.status(), draw(&here, &link, &held, None, Some(&knock))).into_response())
        }
        Err(problem) => Err(problem),
    }
}

fn draw(
    here: &PageContext,
    link: &str,
    held: &LoadedForm,
    before: Option<(&GuestInterview, ChosenLanguage)>,
    knock: Option<&StartInput>,
) -> Markup {
    let words = here.words;
    // Whoever comes back sees the form as it was; who comes first, as it is.
    let form = match (held.state.published(), before) {
        (Some(published), _) => &*published.form,
        (None, Some((guest, _))) => guest.state.form(),
        (None, None) => held.state.draft(),
    };
    let body = html! {
        article.door {
            header {
                h1 lang=(form.language) { (form.title) }
                @if let Some(description) = &form.description { p.lead.prose lang=(form.language) { (description) } }
            }
            @if let Some((guest, chosen)) = before { (go_on(words, guest, chosen)) }
            @if let Some(knock) = knock { (entrance(here, link, form, held.state.rules().keep_days, knock, before.is_some())) }
        }
    };
    let prefill = knock.map(|knock| knock.prefill.as_slice()).unwrap_or_default();
    let keep: String = prefill.iter().map(|(name, value)| format!("&{}={}", encoded(name), encoded(value))).collect();
    page_keeping(&keep, words, &form.title, &html! {}, &body)
}

fn go_on(words: Words, guest: &GuestInterview, chosen: ChosenLanguage) -> Markup {
    let (done, total) = guest.state.progress();
    let said = match guest.moment() {
        InterviewPhase::Talking | InterviewPhase::Confirming => {
            words.fill("respond.left_at", &[("done", &done.to_string()), ("total", &total.to_string())])
        }
        InterviewPhase::Submitted => words.say("respond.was_submitted").to_owned(),
        InterviewPhase::GivenUp => return html! {},
    };
    let label = match guest.moment() {
        InterviewPhase::Talking | InterviewPhase::Confirming => words.say("respond.go_on"),
        InterviewPhase::Submitted | InterviewPhase::GivenUp => words.say("respond.see_receipt"),
    };
    // Whoever has chosen a language here goes on in it.
    let other = chosen.0.filter(|lang| guest.state.stage().is_open() && !guest.is_spoken_to_in(*lang));
    let to = other.map_or_else(|| guest.address(), |lang| format!("{}?lang={lang}", guest.address()));
    html! {
        section.card.go-on {
            p { (said) }
            div.row { (link_button(&to, label, Weight::Main)) }
        }
    }
}

fn entrance(
    here: &PageContext,
    link: &str,
    form: &Form,
    keep_days: Option<u32>,
    knock: &StartInput,
    is_second: bool,
) -> Markup {
    let words = here.words;
    let asked = form.fields.iter().filter(|field| !field.hidden).count().to_string();
    let key = if knock.key.is_empty() { draw_token(KEY_DRAWN) } else { knock.key.clone() };
    let begin = words.say(if is_second { "respond.begin_anew" } else { "respond.begin" });
    let weight = if is_second { Weight::Plain } else { Weight::Main };
    html! {
        form.form.entrance method="post" action={ "/f/" (link) } {
            input type="hidden" name="key" value=(key);
            input type="hidden" name="timezone" data-timezone;
            @for (name, value) in &knock.prefill { input type="hidden" name=(name) value=(value); }
            @if let Some(consent) = &form.consent {
                section.consent aria-labelledby="consent-title" {
                    h2 #consent-title { (words.say("respond.consent")) }
                    div.prose lang=(form.language) { (consent) }
                    label.check {
                        input type="checkbox" name="consent" value="yes" required checked[knock.consented]
                            aria-describedby=[knock.error.as_ref().map(|_| "consent-error")];
                        span { (words.say("respond.agree")) }
                    }
                    @if let Some(problem) = &knock.error {
                        @let Said { message, hint } = problem.say(words.0);
                        p.error #consent-error role="alert" { (message) " " (hint) }
                    }
                }
            }
            div.row.begin { (button(begin, weight)) }
            ul.promise {
                li { (words.fill("respond.how_many", &[("count", &asked)])) }
                li { (words.say("respond.how")) }
                li { (words.say("respond.kept")) }
                li { (how_long(words, keep_days)) }
            }
            @if here.app.models().current().understudy {
                (notice(Tone::Plain, words.say("respond.understudy"), words.say("respond.understudy_how")))
            }
        }
    }
}

/// The interview that this browser began here, if it can still be found and belongs to this form.
async fn before(here: &PageContext, held: &LoadedForm, ticket: Option<&str>) -> Option<GuestInterview> {
    let guest = GuestInterview::find(&here.app, ticket?).await.ok()?;
    let is_of_this_form = guest.row.of.as_ref() == Some(&held.row.id);
    (is_of_this_form && guest.moment() != InterviewPhase::GivenUp).then_some(guest)
}

fn remember(channel: Channel, to: &LinkTo, ticket: &str) -> HeaderValue {
    let path = match channel {
        Channel::Plain => format!("/f/{to}"),
        Channel::Tls => "/".to_owned(),
    };
    cookie::write(channel, &ticket_name(channel, to), ticket, &path, KEPT)
}

/// The cookie of this link alone: by its path, or by its name where browsers take no other path than the whole host.
fn ticket_name(channel: Channel, to: &LinkTo) -> String {
    match channel {
        Channel::Plain => cookie::name(channel, TICKET),
        Channel::Tls => cookie::name(channel, &format!("{TICKET}-{to}")),
    }
}

fn read_link(link: &str) -> Result<LinkTo, Problem> {
    link.parse().map_err(|_| respond::no_such_link())
}

/// What the address fills in, to be kept through the form.
fn asked_for(query: &str) -> Vec<(String, String)> {
    let uri = format!("/?{query}").parse().unwrap_or_default();
    let pairs = axum::extract::Query::<Vec<(String, String)>>::try_from_uri(&uri);
    let pairs = pairs.map(|query| query.0).unwrap_or_default();
    let fit = prefill_of(pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    fit.into_iter().map(|(id, value)| (format!("{PREFIX}{id}"), value)).collect()
}
