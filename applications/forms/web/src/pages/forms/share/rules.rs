//! The rules: until when, how many, how long kept, how much spent, and how respondents are asked for their language.
//!
//! The close date is typed as a day and a time in the owner's zone. The browser names the zone; without scripts it is
//! that of the house, and the page says so.

use axum::extract::Path;
use axum::response::Response;
use enza_forms::{AskLocale, Command, Rules};
use enza_kernel::time::Timestamp;
use enza_server::access::{Allowed, ToWrite};
use enza_server::actions::IdempotencyKey;
use enza_server::design::{Field, FieldKind, Weight, button, choice, field};
use enza_server::extract::FormBody;
use enza_server::pages::PageContext;
use enza_server::problem::Problem;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use maud::{Markup, html};
use serde::Deserialize;

use super::{ShareFlash, SharePageExtras, back, draw};
use crate::actions::forms::{self, LoadedForm};

/// Rules, as they were typed.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct RulesInput {
    closes: String,
    zone: String,
    most_answers: String,
    keep_days: String,
    budget: String,
    locale: String,
}

/// Sets all rules.
pub(super) async fn set(
    here: PageContext,
    allowed: Allowed<ToWrite>,
    Path(id): Path<String>,
    FormBody(wish): FormBody<RulesInput>,
) -> Result<Response, Problem> {
    let caller = allowed.0;
    let held = forms::load(&here.app, &caller, &id).await?;
    let set = match wish.read(held.state.rules()) {
        Ok(rules) => {
            let command = Command::SetRules { rules };
            forms::submit(&here.app, &caller, &id, &command, IdempotencyKey::default()).await.map(drop)
        }
        Err(problem) => Err(problem),
    };
    match set {
        Ok(()) => back(&here, &caller, &id, "rules", Ok(()), "ruled").await,
        Err(problem) => {
            let fresh = SharePageExtras { rules: Some(wish), ..SharePageExtras::refused("rules", &here, &problem) };
            draw(&here, &caller, &id, &ShareFlash::default(), &fresh).await
        }
    }
}

/// The part of the page.
pub(super) fn part(here: &PageContext, held: &LoadedForm, fresh: &SharePageExtras) -> Markup {
    let words = here.words;
    let kept = RulesInput::of(held.state.rules());
    let wish = fresh.rules.as_ref().unwrap_or(&kept);
    let closes_at = held.state.rules().closes.filter(|_| fresh.rules.is_none());
    let number = |name, label, value, hint| {
        field(
            words,
            &Field {
                value,
                kind: FieldKind::Number,
                hint: Some(words.say(hint)),
                ..Field::new(name, words.say(label))
            },
        )
    };
    html! {
        form.form method="post" action={ "/forms/" (held.row.id) "/rules" } {
            @if let Some(why) = fresh.trouble_at("rules") { p.error role="alert" { (why) } }
            div.field {
                label for="closes" { (words.say("share.closes")) span.optional { (words.say("design.optional")) } }
                input #closes type="datetime-local" name="closes" value=(wish.closes) data-at=[closes_at.map(|at| at.0)] aria-describedby="closes-hint";
                input type="hidden" name="zone" value=(wish.zone) data-zone;
                p.hint #closes-hint { (words.say("share.closes_hint")) " " span data-zone-name { (wish.zone) } }
            }
            (number("most_answers", "share.most_answers", &wish.most_answers, "share.most_answers_hint"))
            (number("keep_days", "share.keep_days", &wish.keep_days, "share.keep_days_hint"))
            (number("budget", "share.budget", &wish.budget, "share.budget_hint"))
            (choice("locale", words.say("share.locale"),
                &[("infer", words.say("share.locale_infer")), ("ask", words.say("share.locale_ask"))], &wish.locale))
            (button(words.say("share.save_rules"), Weight::Plain))
        }
    }
}

impl RulesInput {
    fn of(rules: &Rules) -> Self {
        let written = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
        let zone = TimeZone::system();
        Self {
            closes: rules.closes.and_then(|at| local(at, &zone)).unwrap_or_default(),
            zone: zone.iana_name().unwrap_or("UTC").to_owned(),
            most_answers: written(rules.most_answers),
            keep_days: written(rules.keep_days.map(u64::from)),
            budget: written(rules.budget),
            locale: match rules.locale {
                AskLocale::Infer => "infer",
                AskLocale::Ask => "ask",
            }
            .to_owned(),
        }
    }

    fn read(&self, current: &Rules) -> Result<Rules, Problem> {
        fn number<T: std::str::FromStr>(name: &str, typed: &str) -> Result<Option<T>, Problem> {
            let typed = typed.trim();
            if typed.is_empty() {
                return Ok(None);
            }
            typed.parse().map(Some).map_err(|_| Problem::BodyUnfit(format!("{name}: {typed}")))
        }
        Ok(Rules {
            closes: self.closes_at(current)?,
            most_answers: number("most_answers", &self.most_answers)?,
            keep_days: number("keep_days", &self.keep_days)?,
            budget: number("budget", &self.budget)?,
            locale: if self.locale == "ask" { AskLocale::Ask } else { AskLocale::Infer },
        })
    }

    /// A date that was not touched stays as it is to the millisecond: one that has passed may stay, and only that one.
    fn closes_at(&self, current: &Rules) -> Result<Option<Timestamp>, Problem> {
        let typed = self.closes.trim();
        if typed.is_empty() {
            return Ok(None);
        }
        let unfit = || Problem::BodyUnfit(format!("closes: {typed}"));
        let zone = TimeZone::get(self.zone.trim()).unwrap_or_else(|_| TimeZone::system());
        if let Some(kept) = current.closes.filter(|kept| local(*kept, &zone).as_deref() == Some(typed)) {
            return Ok(Some(kept));
        }
        let civil: DateTime = typed.parse().map_err(|_| unfit())?;
        let at = zone.to_timestamp(civil).map_err(|_| unfit())?;
        Ok(Some(Timestamp(at.as_millisecond())))
    }
}

/// A moment as an entry for a day and a time wants it.
fn local(at: Timestamp, zone: &TimeZone) -> Option<String> {
    let moment = jiff::Timestamp::from_millisecond(at.0).ok()?;
    Some(moment.to_zoned(zone.clone()).strftime("%Y-%m-%dT%H:%M").to_string())
}
