//! The quiet frame around a respondent's pages, and how a request is received here.
//!
//! No way into the house is shown: a respondent came to answer a form. The language is the one chosen on the page, kept
//! in a cookie, else the browser's; whoever chooses one in the middle of an interview is asked on in it. Problems become pages in the same frame, or JSON where a script asked.

use axum::Json;
use axum::extract::Request;
use axum::http::HeaderValue;
use axum::http::header::SET_COOKIE;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use enza_kernel::text::{Lang, Said};
use enza_server::access::{Channel, cookie};
use enza_server::assets;
use enza_server::design::{circle, theme_switch};
use enza_server::extract::wants_json;
use enza_server::problem::Problem;
use enza_server::words::Words;
use maud::{DOCTYPE, Markup, html};

/// The cookie with the chosen language.
const LANGUAGE: &str = "enza-language";
/// How long a choice of language is kept, in seconds.
const YEAR: u64 = 365 * 24 * 60 * 60;
/// The style of these pages, in order.
const STYLES: [&str; 5] = ["tokens.css", "ground.css", "enza.css", "rooms.css", "respond.css"];

/// The language that a respondent has chosen, if any.
#[derive(Debug, Clone, Copy)]
pub(super) struct ChosenLanguage(pub Option<Lang>);

/// The language that this very request asks for, if any.
#[derive(Debug, Clone, Copy)]
pub(super) struct RequestedLanguage(pub Option<Lang>);

/// Receives every request of a respondent's.
pub(super) async fn receive(mut request: Request, next: Next) -> Response {
    let asked = asked_for(request.uri().query().unwrap_or_default());
    let chosen = asked.or_else(|| cookie::read(request.headers(), LANGUAGE)?.parse().ok());
    let lang = chosen.or(request.extensions().get::<Lang>().copied()).unwrap_or_default();
    let by_script = wants_json(request.headers());
    request.extensions_mut().insert(lang);
    request.extensions_mut().insert(ChosenLanguage(chosen));
    request.extensions_mut().insert(RequestedLanguage(asked));
    let mut response = next.run(request).await;
    if let Some(problem) = response.extensions_mut().remove::<Problem>() {
        let dressed = if by_script {
            Json(problem.json(lang)).into_response()
        } else {
            error_page(Words(lang), &problem).into_response()
        };
        let (mut parts, _) = response.into_parts();
        let (dress, body) = dressed.into_parts();
        parts.headers.extend(dress.headers);
        response = Response::from_parts(parts, body);
    }
    response.headers_mut().insert("content-language", HeaderValue::from_static(lang.pick("ja", "en")));
    // The address of such a page is what lets its reader in: it is told to nobody, and no search engine keeps it.
    response.headers_mut().insert("x-robots-tag", HeaderValue::from_static("noindex, nofollow"));
    if let Some(asked) = asked {
        response.headers_mut().append(SET_COOKIE, remember(asked));
    }
    response
}

/// The cookie by which the pages are in this language from now on.
pub(crate) fn remember(lang: Lang) -> HeaderValue {
    // Nothing hangs on it, so it goes over any line and counts on all of them.
    cookie::write(Channel::Plain, LANGUAGE, &lang.to_string(), "/", YEAR)
}

/// A whole page of a respondent's.
pub(super) fn page(words: Words, title: &str, head: &Markup, body: &Markup) -> Markup {
    page_keeping("", words, title, head, body)
}

/// The same, for a page whose address says more than where it is: `keep` stays in it when the language is switched.
pub(super) fn page_keeping(keep: &str, words: Words, title: &str, head: &Markup, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(words.0) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content";
                meta name="color-scheme" content="light dark";
                meta name="robots" content="noindex";
                title { (title) }
                link rel="icon" type="image/svg+xml" href=(assets::address("mark.svg"));
                @for style in STYLES { link rel="stylesheet" href=(assets::address(style)); }
                (head)
                script src=(assets::address("theme.js")) {}
                script type="module" src=(assets::address("enza.js")) {}
                script type="module" src=(assets::address("respond.js")) {}
            }
            body.respondent data-offline=(words.say("frame.offline")) data-trouble=(words.say("frame.trouble")) {
                a.skip href="#main" { (words.say("frame.skip")) }
                main #main { (body) }
                (footer(words, keep))
                div.toasts #toasts aria-live="polite" {}
            }
        }
    }
}

fn footer(words: Words, keep: &str) -> Markup {
    html! {
        footer.bottom {
            p.colophon { span lang="ja" { "円座" } " Enza" }
            div.row {
                (languages(words, keep))
                (theme_switch(words))
            }
        }
    }
}

/// The switch between the languages; it leads to the same page in another.
pub(super) fn languages(words: Words, keep: &str) -> Markup {
    html! {
        nav.languages aria-label=(words.say("respond.languages")) {
            @for (lang, name) in [(Lang::Ja, "日本語"), (Lang::En, "English")] {
                a href={ "?lang=" (lang) (keep) } lang=(lang) hreflang=(lang) rel="nofollow"
                    aria-current=[(lang == words.0).then_some("true")] { (name) }
            }
        }
    }
}

/// What went wrong, as a friendly page.
fn error_page(words: Words, problem: &Problem) -> Markup {
    let Said { message, hint } = problem.say(words.0);
    let body = html! {
        div.problem.apology {
            (circle())
            h1 { (message) }
            p.lead { (hint) }
        }
    };
    page(words, words.say("frame.problem_title"), &html! {}, &body)
}

fn asked_for(query: &str) -> Option<Lang> {
    query.split('&').find_map(|pair| pair.strip_prefix("lang=")).and_then(|word| word.parse().ok())
}
