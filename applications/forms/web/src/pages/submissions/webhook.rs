//! Tries a form's receiver, and shows what came of it.

use enza_server::access::{Allowed, ToWrite};
use enza_server::design::{Tone, Weight, button, facts, form, link_button, notice};
use enza_server::drawing::figures;
use enza_server::extract::PathParams;
use enza_server::pages::PageContext;
use enza_server::problem::Problem;
use enza_server::words::Words;
use maud::{Markup, html};

use super::delivery::cause;
use super::draw;
use crate::actions::forms;
use crate::actions::submissions::{self, Trial};

pub(super) async fn test(
    here: PageContext,
    allowed: Allowed<ToWrite>,
    PathParams(id): PathParams<String>,
) -> Result<Markup, Problem> {
    let words = here.words;
    let held = forms::load(&here.app, &allowed.0, &id).await?;
    let trial = submissions::try_webhook(&here.app, &allowed.0, &id).await?;
    let host = held.state.webhook().and_then(|webhook| webhook.host()).unwrap_or_default().to_owned();
    let body = html! {
        h2 { (words.say("webhook.title")) }
        (told(words, &host, &trial))
        div.row {
            (form(&format!("/forms/{id}/webhook/test"), button(words.say("webhook.once_more"), Weight::Plain)))
            (link_button(&format!("/forms/{id}/share"), words.say("webhook.back"), Weight::Quiet))
        }
    };
    Ok(draw(&here, &held, words.say("webhook.title"), &body))
}

fn told(words: Words, host: &str, trial: &Trial) -> Markup {
    let dash = || "—".to_owned();
    let took = trial.took.map_or_else(dash, |took| figures::span(words.0, took));
    html! {
        @match &trial.why {
            None => (notice(Tone::Good, words.say("webhook.arrived"), words.say("webhook.arrived_what"))),
            Some(why) => (notice(Tone::Bad, &cause(words, &why.to_string()), words.of("webhook-hint", why.word()))),
        }
        (facts(&[
            (words.say("webhook.receiver"), html! { code { (host) } }),
            (words.say("webhook.status"), html! { (trial.status.map_or_else(dash, |status| status.to_string())) }),
            (words.say("webhook.took"), html! { (took) }),
        ]))
    }
}
