//! `enza model test`: what a model can do here, in one table.
//!
//! Exit status 1 if it does not answer at all; a model that lacks a skill is still a model.

use enza_models::catalog::{ModelCatalog, ModelError};
use enza_models::choice::{ChoiceReason, Chosen, ModelRef};
use enza_models::local::folder::ModelFolderError;
use enza_models::local::pullable::Pullable;
use enza_models::probe::{Finding, Report, SKILLS, Skill, probe};
use serde_json::json;

use super::pull;
use crate::arguments::ModelTest;
use crate::environment::Environment;
use crate::screen::{Screen, clip, pad, width};
use crate::setup;
use crate::trouble::Trouble;
use crate::words::models as words;

/// Examines a model: the one that is named, or the one in use.
pub async fn run(around: &Environment, screen: &Screen, order: &ModelTest) -> Result<(), Trouble> {
    let catalog = setup::model_catalog(around)?;
    let chosen = match &order.name {
        Some(name) => {
            let pick = ModelRef::read(name, &catalog.providers).map_err(ModelError::from)?;
            Chosen { pick, because: ChoiceReason::Typed }
        }
        None => catalog.choose(around.model.as_deref())?,
    };
    if let ModelRef::Local { weights } = &chosen.pick {
        bring_what_is_missing(around, screen, &catalog, weights).await?;
    }
    let model = catalog.model(&chosen.pick)?;
    screen.note(&screen.paint.strong(&words::name(screen.lang, &chosen.pick)))?;
    screen.status(&words::trying(screen.lang, words::skill(screen.lang, Skill::Plain)))?;
    let mut outcome = Ok(());
    let report = probe(&*model, &mut |skill, finding| {
        if outcome.is_ok() && !screen.json {
            outcome = tell(screen, skill, finding);
        }
    })
    .await;
    outcome?;
    show(screen, &chosen, &report)?;
    match report.findings.first() {
        Some((Skill::Plain, Finding::Cannot(why))) => {
            Err(Trouble::ModelSilent { model: chosen.pick.to_string(), why: why.clone() })
        }
        Some(_) | None => Ok(()),
    }
}

/// Whoever tries a local model that is not here yet wants it here.
async fn bring_what_is_missing(
    around: &Environment,
    screen: &Screen,
    catalog: &ModelCatalog,
    weights: &str,
) -> Result<(), Trouble> {
    let is_missing = match catalog.local(weights) {
        Err(ModelError::Folder(ModelFolderError::Missing { .. }) | ModelError::NoServer) => true,
        Ok(_) | Err(_) => false,
    };
    match Pullable::named(weights) {
        Ok(what) if is_missing => pull::bring_with_server(around, screen, &what).await.map(drop),
        Ok(_) | Err(_) => Ok(()),
    }
}

fn tell(screen: &Screen, skill: Skill, finding: &Finding) -> Result<(), Trouble> {
    let (mark, text) = match finding {
        Finding::Can(text) => (screen.paint.good("✓"), text),
        Finding::Cannot(why) => (screen.paint.bad("✗"), why),
    };
    let label = pad(words::skill(screen.lang, skill), label_width(screen));
    let room = screen.width().saturating_sub(width(&label) + 6);
    screen.say(&format!("  {mark} {label}  {}", clip(text, room)))?;
    match SKILLS.iter().skip_while(|other| **other != skill).nth(1) {
        Some(next) => screen.status(&words::trying(screen.lang, words::skill(screen.lang, *next))),
        None => Ok(()),
    }
}

fn show(screen: &Screen, chosen: &Chosen, report: &Report) -> Result<(), Trouble> {
    let first = report.first_piece.map(|first| first.as_millis() as u64);
    if screen.json {
        let skills: serde_json::Map<_, _> = report
            .findings
            .iter()
            .map(|(skill, finding)| {
                let value = match finding {
                    Finding::Can(text) => json!({ "can": true, "seen": text }),
                    Finding::Cannot(why) => json!({ "can": false, "why": why }),
                };
                (words::skill_key(*skill).to_owned(), value)
            })
            .collect();
        return screen.value(&json!({
            "model": chosen.pick.to_string(), "skills": skills, "first_token_ms": first,
            "tokens_per_second": report.tokens_per_second, "tokens": report.tokens, "cost": report.cost,
        }));
    }
    let first = first.map_or("–".to_owned(), |first| format!("{first} ms"));
    let values = [
        first,
        words::speed(screen.lang, report.tokens_per_second),
        words::spent(screen.lang, report.tokens, report.cost),
    ];
    for (label, value) in words::measures(screen.lang).into_iter().zip(values) {
        screen.say(&format!("    {}  {value}", pad(label, label_width(screen))))?;
    }
    Ok(())
}

fn label_width(screen: &Screen) -> usize {
    let labels = SKILLS.iter().map(|skill| words::skill(screen.lang, *skill)).chain(words::measures(screen.lang));
    labels.map(width).max().unwrap_or(0)
}
