//! `enza simulate`: the engine and the applications under faults of every kind, by seed.
//!
//! The same seed gives the same run. Whatever must not happen and did is listed with its seed, and with the whole command
//! that plays it again: a seed means something else where other ways of playing are in the mix.

use std::io::IsTerminal as _;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use enza_companion::Companion;
use enza_companion_simulation::CompanionRole;
use enza_forms::Forms;
use enza_forms_simulation::FormsRole;
use enza_interview::Interview;
use enza_interview_simulation::{DifficultRole, InterviewRole};
use enza_kernel::testing::till::Till;
use enza_kernel::text::Lang;
use enza_runtime::host::ApplicationRegistry;
use enza_runtime::simulation::{Report, Role, Scenario, TillRole, Violation, run_seeds};
use enza_storage::Memory;
use serde_json::{Value, json};

use crate::arguments::Simulate;
use crate::environment::Environment;
use crate::screen::{Columns, Screen};
use crate::setup;
use crate::trouble::Trouble;
use crate::words::simulation as words;

/// How many seeds are run where none are named.
const USUAL: u64 = 100;
/// How many seeds of one mix are played before it is the next one's turn, where time is what ends it.
const TURN: u64 = 32;
/// How often whoever does not watch is told how far it is.
const TELL_EVERY: Duration = Duration::from_secs(30);

/// Runs seeds.
pub async fn run(around: &Environment, screen: &Screen, order: Simulate) -> Result<(), Trouble> {
    let companion = setup::companion(around)?;
    let named = Mix::of(&companion, order.application.as_deref(), order.profile.as_deref())?;
    let (lang, is_watched) = (screen.lang, !screen.json && std::io::stderr().is_terminal());
    let began = Instant::now();
    let (first, work): (u64, Box<dyn FnOnce() -> SimulationResult + Send>) = match (order.minutes, order.seed) {
        (Some(span), _) => {
            let is_named = order.application.is_some() || order.profile.is_some();
            let mixes = if is_named { vec![named] } else { Mix::all(&companion)? };
            let first = order.from.unwrap_or_else(never_played);
            let explore = Explore { first, until: began + span, is_quiet: screen.json, is_watched, lang };
            (first, Box::new(move || explore.play(&mixes)))
        }
        (None, seed) => {
            let first = seed.or(order.from).unwrap_or(1);
            let count = if seed.is_some() { 1 } else { order.seeds.unwrap_or(USUAL) };
            (first, Box::new(move || named.play(first, count, &|done| tell(lang, is_watched, done, count))))
        }
    };
    let played = tokio::task::spawn_blocking(work).await;
    let played = played.expect("a simulation reports what goes wrong, and does not panic");
    show(screen, first, &played, began.elapsed())?;
    let mut replays: Vec<String> = played.broken.into_iter().map(|broken| broken.replay).collect();
    replays.dedup();
    if replays.is_empty() { Ok(()) } else { Err(Trouble::Violations { replays }) }
}

fn tell(lang: Lang, is_watched: bool, done: u64, of: u64) {
    if is_watched && (done.is_multiple_of(10) || done == of) {
        words::progress(lang, done, of);
    }
}

/// A seed that no exploration before has come to: the time in milliseconds, which passes faster than seeds are played.
fn never_played() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    since.as_millis() as u64
}

/// What was played, and what must not happen and did.
#[derive(Default)]
struct SimulationResult {
    report: Report,
    broken: Vec<Broken>,
}

struct Broken {
    seed: u64,
    violation: Violation,
    /// The command that plays it again.
    replay: String,
}

/// Ways of playing that are drawn from, and how one names them.
struct Mix {
    stage: Scenario,
    arguments: String,
}

impl Mix {
    /// The ways that fit what was named; all of them where nothing was.
    fn of(companion: &Companion, application: Option<&str>, profile: Option<&str>) -> Result<Self, Trouble> {
        let all = roles();
        let known = all.iter().map(|role| role.profile()).collect();
        let is_wanted = |role: &Arc<dyn Role>| {
            application.is_none_or(|name| role.application() == name)
                && profile.is_none_or(|name| role.profile() == name)
        };
        let roles: Vec<_> = all.into_iter().filter(is_wanted).collect();
        if roles.is_empty() {
            let name = profile.or(application).unwrap_or_default().to_owned();
            return Err(Trouble::UnknownApplication { name, known });
        }
        let repertoire = ApplicationRegistry::default()
            .with(Till::new(Duration::from_secs(7_200)))
            .with(Interview::new())
            .with(Forms::new())
            .with(companion.clone());
        let application = application.map(|name| format!(" --application {name}"));
        let profile = profile.map(|name| format!(" --profile {name}"));
        let arguments = [application, profile].into_iter().flatten().collect();
        let stage = Scenario { store: Arc::new(|| Arc::new(Memory::new())), repertoire, roles, flaw: None };
        Ok(Self { stage, arguments })
    }

    /// The mix of all, and each way alone.
    fn all(companion: &Companion) -> Result<Vec<Self>, Trouble> {
        let alone = roles().into_iter().map(|role| Self::of(companion, None, Some(role.profile())));
        std::iter::once(Self::of(companion, None, None)).chain(alone).collect()
    }

    fn play(&self, first: u64, count: u64, progress: &(dyn Fn(u64) + Sync)) -> SimulationResult {
        let mut report = run_seeds(&self.stage, first, count, progress);
        let violations = std::mem::take(&mut report.violations).into_iter();
        let broken = violations.map(|(seed, violation)| Broken { seed, violation, replay: self.replay(seed) });
        SimulationResult { broken: broken.collect(), report }
    }

    fn replay(&self, seed: u64) -> String {
        format!("enza simulate --seed {seed}{}", self.arguments)
    }
}

fn roles() -> [Arc<dyn Role>; 5] {
    [Arc::new(TillRole), Arc::new(InterviewRole), Arc::new(DifficultRole), Arc::new(CompanionRole), Arc::new(FormsRole)]
}

/// Seeds until time is up.
struct Explore {
    first: u64,
    until: Instant,
    is_quiet: bool,
    is_watched: bool,
    lang: Lang,
}

impl Explore {
    /// Plays each mix by turns, every seed once. What breaks is told at once: whoever waits for hours wants to know.
    fn play(&self, mixes: &[Mix]) -> SimulationResult {
        if !self.is_quiet {
            words::begins(self.lang, self.first);
        }
        let mut all = SimulationResult::default();
        let (began, mut told) = (Instant::now(), Instant::now());
        for mix in mixes.iter().cycle() {
            let next = self.first.wrapping_add(all.report.seeds);
            let played = mix.play(next, TURN, &|_| ());
            if !self.is_quiet {
                played.broken.iter().for_each(|one| words::broke(&in_code(one.seed, &one.violation), &one.replay));
            }
            all.report.add(played.report);
            all.broken.extend(played.broken);
            let is_over = Instant::now() >= self.until;
            if !self.is_quiet && (self.is_watched || is_over || told.elapsed() >= TELL_EVERY) {
                told = Instant::now();
                let seconds = began.elapsed().as_secs();
                words::explored(self.lang, all.report.seeds, all.broken.len(), seconds, self.is_watched && !is_over);
            }
            if is_over {
                break;
            }
        }
        all
    }
}

fn show(screen: &Screen, first: u64, played: &SimulationResult, took: Duration) -> Result<(), Trouble> {
    let SimulationResult { report, broken } = played;
    if screen.json {
        return screen.value(&as_json(first, played, took));
    }
    let mut columns = Columns::bare();
    let mut line = |name: &str, count: String| columns.row([name.to_owned(), format!("{count:>10}")]);
    for (name, count) in words::totals(screen.lang, report) {
        line(name, count.to_string());
    }
    for (fault, count) in &report.faults {
        line(&format!("  {}", words::fault(screen.lang, *fault)), count.to_string());
    }
    line(words::violations(screen.lang), broken.len().to_string());
    line(words::seconds(screen.lang), format!("{:.1}", took.as_secs_f64()));
    for line in columns.lines(screen.width()) {
        screen.say(&line)?;
    }
    for Broken { seed, violation, .. } in broken {
        screen.say(&screen.paint.bad(&in_code(*seed, violation)))?;
    }
    Ok(())
}

/// A violation for whoever looks for its cause: with all that it holds, as the code names it.
fn in_code(seed: u64, violation: &Violation) -> String {
    format!("{seed}: {violation:?}")
}

fn as_json(first: u64, SimulationResult { report, broken }: &SimulationResult, took: Duration) -> Value {
    let faults: serde_json::Map<String, Value> =
        report.faults.iter().map(|(fault, count)| (format!("{fault:?}"), json!(count))).collect();
    let violations: Vec<Value> = broken
        .iter()
        .map(|one| json!({"seed": one.seed, "violation": format!("{:?}", one.violation), "replay": one.replay}))
        .collect();
    json!({
        "first_seed": first,
        "seeds": report.seeds,
        "sessions": report.sessions,
        "profiles": report.profiles,
        "events": report.events,
        "acknowledged": report.acknowledged,
        "faults": faults,
        "violations": violations,
        "trace": format!("{:016x}", report.trace),
        "seconds": took.as_secs_f64(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_that_plays_a_seed_again_names_what_was_in_the_mix() {
        let replay = |application, profile| Mix::of(&Companion::new(), application, profile).unwrap().replay(7);
        assert_eq!(replay(None, None), "enza simulate --seed 7");
        assert_eq!(replay(None, Some("companion")), "enza simulate --seed 7 --profile companion");
        assert_eq!(replay(Some("interview"), None), "enza simulate --seed 7 --application interview");
        let both = replay(Some("interview"), Some("difficult-respondents"));
        assert_eq!(both, "enza simulate --seed 7 --application interview --profile difficult-respondents");
    }

    #[test]
    fn an_exploration_has_a_turn_for_the_mix_and_for_every_way_of_playing() {
        let mixes = Mix::all(&Companion::new()).unwrap();
        let replays: Vec<String> = mixes.iter().map(|mix| mix.replay(7)).collect();
        let alone = roles().into_iter().map(|role| format!("enza simulate --seed 7 --profile {}", role.profile()));
        assert_eq!(replays, std::iter::once("enza simulate --seed 7".to_owned()).chain(alone).collect::<Vec<_>>());
        assert_eq!(mixes[0].stage.roles.len(), roles().len(), "the mix leaves nobody out");
    }
}
