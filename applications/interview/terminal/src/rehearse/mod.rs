//! `enza interview rehearse`: scripted respondents go through whole interviews with the model in use.
//!
//! One after another, as people would; what came of each is held against what they meant. It is a measurement: a wrong
//! value is shown and no fault of the command. The sessions are sessions like any other and stay in the data folder, so
//! that every wrong value can be looked into; their submissions are delivered to nobody.

mod judge;
mod play;
mod script;

pub use judge::Miss;
pub use play::{RehearsalOutcome, RehearsalResult};

use std::sync::Arc;

use enza_interview::DELIVER;
use enza_models::choice::Chosen;
use enza_terminal::environment::Environment;
use enza_terminal::screen::Screen;
use enza_terminal::setup::{ModelSetup, Workplace};
use enza_terminal::trouble::Trouble;
use serde_json::{Value, json};

use crate::arguments::Rehearse;
use crate::delivery::NoDelivery;
use crate::words::rehearse as words;

/// Rehearses.
pub async fn run(around: &Environment, screen: &Screen, order: Rehearse) -> Result<(), Trouble> {
    let scripts = script::chosen(order.respondents.as_deref(), &order.only)?;
    let players = ModelSetup::chosen(around, None)?;
    let place = Workplace::open(around).await?;
    let tools = place.tools().with(DELIVER, Arc::new(NoDelivery));
    let working = place.start(&players, tools);
    let mut all = Vec::new();
    for script in &scripts {
        let played = play::play(&working.engine, screen, script, &players.chosen).await;
        let played = match played {
            Ok(played) => played,
            Err(trouble) => {
                working.engine.close().await;
                return Err(trouble);
            }
        };
        screen.note(&words::played(screen, &played, all.len() + 1, scripts.len()))?;
        all.push(played);
    }
    working.engine.close().await;
    if screen.json {
        return screen.value(&as_json(&players.chosen, &all));
    }
    screen.say("")?;
    for line in words::table(screen, &all) {
        screen.say(&line)?;
    }
    screen.say(&words::sums(screen, &Sums::of(&all)))
}

/// Everything together.
pub struct Sums {
    pub respondents: usize,
    /// How many submitted.
    pub completed: usize,
    /// How many fields they were asked for.
    pub fields: usize,
    /// How many of them have a wrong value.
    pub wrong: usize,
    pub turns: usize,
    /// How often the model was called.
    pub calls: u64,
    /// How many tokens those who submitted took.
    pub tokens: u64,
    /// How long it took, in seconds.
    pub seconds: f64,
}

impl Sums {
    fn of(all: &[RehearsalResult]) -> Self {
        let completed = || all.iter().filter(|one| one.outcome == RehearsalOutcome::Completed);
        Self {
            respondents: all.len(),
            completed: completed().count(),
            fields: all.iter().map(|one| one.fields).sum(),
            wrong: all.iter().map(|one| one.misses.len()).sum(),
            turns: all.iter().map(|one| one.turns).sum(),
            calls: all.iter().map(|one| one.calls).sum(),
            tokens: completed().map(|one| one.tokens).sum(),
            seconds: all.iter().map(|one| one.took.as_secs_f64()).sum(),
        }
    }

    /// Turns for each field.
    pub fn turns_per_field(&self) -> f64 {
        ratio(self.turns as f64, self.fields)
    }

    /// Calls for each field.
    pub fn calls_per_field(&self) -> f64 {
        ratio(self.calls as f64, self.fields)
    }

    /// Tokens for each form that was submitted.
    pub fn tokens_per_form(&self) -> f64 {
        ratio(self.tokens as f64, self.completed)
    }
}

/// So many for each; none for nobody.
pub fn ratio(of: f64, each: usize) -> f64 {
    if each == 0 { 0.0 } else { of / each as f64 }
}

fn as_json(chosen: &Chosen, all: &[RehearsalResult]) -> Value {
    let respondents: Vec<Value> = all.iter().map(RehearsalResult::as_json).collect();
    let sums = Sums::of(all);
    json!({
        "model": chosen.pick.to_string(),
        "respondents": respondents,
        "total": {
            "respondents": sums.respondents,
            "completed": sums.completed,
            "fields": sums.fields,
            "wrong": sums.wrong,
            "turns": sums.turns,
            "calls": sums.calls,
            "turns_per_field": sums.turns_per_field(),
            "calls_per_field": sums.calls_per_field(),
            "tokens_per_completed_form": sums.tokens_per_form(),
            "seconds": sums.seconds,
        },
    })
}
