//! `enza simulate`: the engine and the applications under faults of every kind, by seed.
//!
//! The same seed gives the same run. Whatever must not happen and did is listed with its seed, and with the command
//! that plays it again.

use std::io::IsTerminal as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use enza_applications::companion::Companion;
use enza_applications::interview::Interview;
use enza_kernel::testing::till::Till;
use enza_runtime::host::Repertoire;
use enza_runtime::simulation::{Report, Role, Stage, TillRole, run_seeds};
use enza_storage::Memory;
use serde_json::{Value, json};

use crate::arguments::Simulate;
use crate::backstage;
use crate::rehearsal::{CompanionRole, DifficultRole, InterviewRole};
use crate::screen::{Columns, Screen};
use crate::surroundings::Surroundings;
use crate::trouble::Trouble;
use crate::words::simulation as words;

/// How many seeds are run where none are named.
const USUAL: u64 = 100;

/// Runs seeds.
pub async fn run(around: &Surroundings, screen: &Screen, order: Simulate) -> Result<(), Trouble> {
    let stage = stage(backstage::companion(around)?, order.application.as_deref(), order.profile.as_deref())?;
    let (first, count) = order.seed.map_or((1, order.seeds.unwrap_or(USUAL)), |seed| (seed, 1));
    let began = Instant::now();
    let shows_progress = !screen.json && std::io::stderr().is_terminal();
    let lang = screen.lang;
    let played = tokio::task::spawn_blocking(move || {
        run_seeds(&stage, first, count, &|done| {
            if shows_progress && (done % 10 == 0 || done == count) {
                words::progress(lang, done, count);
            }
        })
    });
    let report = played.await.expect("a simulation reports what goes wrong, and does not panic");
    show(screen, first, &report, began.elapsed())?;
    if report.violations.is_empty() {
        return Ok(());
    }
    let mut seeds: Vec<u64> = report.violations.iter().map(|(seed, _)| *seed).collect();
    seeds.dedup();
    Err(Trouble::Violations { seeds, application: order.application })
}

fn stage(companion: Companion, application: Option<&str>, profile: Option<&str>) -> Result<Stage, Trouble> {
    let all: [Arc<dyn Role>; 4] =
        [Arc::new(TillRole), Arc::new(InterviewRole), Arc::new(DifficultRole), Arc::new(CompanionRole)];
    let known = all.iter().map(|role| role.profile()).collect();
    // The companion is played where it is named; the others are the mix of every day.
    let is_named = application.is_some() || profile.is_some();
    let wanted = |role: &Arc<dyn Role>| {
        (is_named || role.application() != "companion")
            && application.is_none_or(|name| role.application() == name)
            && profile.is_none_or(|name| role.profile() == name)
    };
    let roles: Vec<_> = all.into_iter().filter(wanted).collect();
    if roles.is_empty() {
        let name = profile.or(application).unwrap_or_default().to_owned();
        return Err(Trouble::UnknownApplication { name, known });
    }
    Ok(Stage {
        store: Arc::new(|| Arc::new(Memory::new())),
        repertoire: Repertoire::default()
            .with(Till::new(Duration::from_secs(7_200)))
            .with(Interview::new())
            .with(companion),
        roles,
        flaw: None,
    })
}

fn show(screen: &Screen, first: u64, report: &Report, took: Duration) -> Result<(), Trouble> {
    if screen.json {
        return screen.value(&as_json(first, report, took));
    }
    let mut columns = Columns::bare();
    let mut line = |name: &str, count: String| columns.row([name.to_owned(), format!("{count:>10}")]);
    for (name, count) in words::totals(screen.lang, report) {
        line(name, count.to_string());
    }
    for (fault, count) in &report.faults {
        line(&format!("  {}", words::fault(screen.lang, *fault)), count.to_string());
    }
    line(words::violations(screen.lang), report.violations.len().to_string());
    line(words::seconds(screen.lang), format!("{:.1}", took.as_secs_f64()));
    for line in columns.lines(screen.width()) {
        screen.say(&line)?;
    }
    for (seed, violation) in &report.violations {
        screen.say(&screen.paint.bad(&format!("{seed}: {violation:?}")))?;
    }
    Ok(())
}

fn as_json(first: u64, report: &Report, took: Duration) -> Value {
    let faults: serde_json::Map<String, Value> =
        report.faults.iter().map(|(fault, count)| (format!("{fault:?}"), json!(count))).collect();
    let violations: Vec<Value> = report
        .violations
        .iter()
        .map(|(seed, violation)| json!({"seed": seed, "violation": format!("{violation:?}")}))
        .collect();
    json!({
        "first_seed": first,
        "seeds": report.seeds,
        "sessions": report.sessions,
        "events": report.events,
        "acknowledged": report.acknowledged,
        "faults": faults,
        "violations": violations,
        "trace": format!("{:016x}", report.trace),
        "seconds": took.as_secs_f64(),
    })
}
