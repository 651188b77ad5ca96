//! `enza simulate`: the engine and the applications under faults of every kind, by seed.
//!
//! The same seed gives the same run. Whatever must not happen and did is listed with its seed, and with the whole command
//! that plays it again: a seed means something else where other ways of playing are in the mix.

use std::io::IsTerminal as _;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use enza_kernel::testing::till::Till;
use enza_kernel::text::Lang;
use enza_runtime::host::ApplicationRegistry;
use enza_runtime::simulation::{Report, Role, Scenario, TillRole, Violation, run_seeds};
use enza_storage::Memory;
use serde_json::{Value, json};

use crate::applications::Applications;
use crate::arguments::Simulate;
use crate::environment::Environment;
use crate::screen::{Columns, Screen};
use crate::trouble::Trouble;
use crate::words::simulation as words;

/// How many seeds are run where none are named.
const USUAL: u64 = 100;
/// How many seeds of one mix are played before it is the next one's turn, where time is what ends it.
const TURN: u64 = 32;
/// How long the till is open.
const OPEN_FOR: Duration = Duration::from_secs(7_200);
/// How often whoever does not watch is told how far it is.
const TELL_EVERY: Duration = Duration::from_secs(30);

/// Runs seeds.
pub async fn run(around: &Environment, screen: &Screen, order: Simulate) -> Result<(), Trouble> {
    let applications = &around.applications;
    let rules = applications.configured(&around.config)?.with(Till::new(OPEN_FOR));
    let named = Mix::of(&rules, roles(applications), order.application.as_deref(), order.profile.as_deref())?;
    let (lang, is_watched) = (screen.lang, !screen.json && std::io::stderr().is_terminal());
    let began = Instant::now();
    let (first, work): (u64, Box<dyn FnOnce() -> SimulationResult + Send>) = match (order.minutes, order.seed) {
        (Some(span), _) => {
            let is_named = order.application.is_some() || order.profile.is_some();
            let mixes = if is_named { vec![named] } else { Mix::all(&rules, &roles(applications))? };
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
    fn of(
        rules: &ApplicationRegistry,
        all: Vec<Arc<dyn Role>>,
        application: Option<&str>,
        profile: Option<&str>,
    ) -> Result<Self, Trouble> {
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
        let application = application.map(|name| format!(" --application {name}"));
        let profile = profile.map(|name| format!(" --profile {name}"));
        let arguments = [application, profile].into_iter().flatten().collect();
        let stage =
            Scenario { store: Arc::new(|| Arc::new(Memory::new())), repertoire: rules.clone(), roles, flaw: None };
        Ok(Self { stage, arguments })
    }

    /// The mix of all, and each way alone.
    fn all(rules: &ApplicationRegistry, roles: &[Arc<dyn Role>]) -> Result<Vec<Self>, Trouble> {
        let alone = roles.iter().map(|role| Self::of(rules, roles.to_vec(), None, Some(role.profile())));
        std::iter::once(Self::of(rules, roles.to_vec(), None, None)).chain(alone).collect()
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

/// Every way of playing: the till's, which is there to be played, and those of the applications that have one.
fn roles(applications: &Applications) -> Vec<Arc<dyn Role>> {
    let till: Arc<dyn Role> = Arc::new(TillRole);
    std::iter::once(till).chain(applications.iter().flat_map(|one| one.roles.iter().cloned())).collect()
}

/// What every way of playing is called.
pub fn profiles(applications: &Applications) -> Vec<&'static str> {
    roles(applications).iter().map(|role| role.profile()).collect()
}

/// The applications that can be played, the till last.
pub fn applications(applications: &Applications) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = roles(applications).iter().map(|role| role.application()).collect();
    names.dedup();
    names.rotate_left(1);
    names
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
    use enza_kernel::conversation::{Reply, Request};
    use enza_runtime::seams::store::Recorded;

    use super::*;
    use crate::applications::Registered;

    /// Another way of playing the till, so that there are two.
    struct SecondRole;

    impl Role for SecondRole {
        fn application(&self) -> &'static str {
            TillRole.application()
        }

        fn profile(&self) -> &'static str {
            "second"
        }

        fn opening(&self, budget: Option<u64>, secret: &str, draw: u64) -> Value {
            TillRole.opening(budget, secret, draw)
        }

        fn next(&self, state: &Value, words: &str, draw: u64) -> Option<Value> {
            TillRole.next(state, words, draw)
        }

        fn rival(&self, command: &Value) -> Option<Value> {
            TillRole.rival(command)
        }

        fn reply(&self, request: &Request, draw: u64) -> Reply {
            TillRole.reply(request, draw)
        }

        fn may_see_secret(&self, agent: &str) -> bool {
            TillRole.may_see_secret(agent)
        }

        fn heard(&self, recorded: &Recorded) -> Option<String> {
            TillRole.heard(recorded)
        }

        fn gate_answered(&self, recorded: &Recorded) -> Option<String> {
            TillRole.gate_answered(recorded)
        }

        fn gate_opened(&self, recorded: &Recorded) -> Option<String> {
            TillRole.gate_opened(recorded)
        }

        fn thread_cut(&self, recorded: &Recorded) -> Option<String> {
            TillRole.thread_cut(recorded)
        }
    }

    fn two() -> Applications {
        let second = Registered {
            name: "second",
            roles: vec![Arc::new(SecondRole)],
            ..Registered::of::<Till>(|all, _| Ok(all))
        };
        let silent = Registered { name: "silent", ..Registered::of::<Till>(|all, _| Ok(all)) };
        Applications::new(vec![second, silent])
    }

    fn rules() -> ApplicationRegistry {
        ApplicationRegistry::default().with(Till::new(OPEN_FOR))
    }

    #[test]
    fn the_command_that_plays_a_seed_again_names_what_was_in_the_mix() {
        let replay = |application, profile| Mix::of(&rules(), roles(&two()), application, profile).unwrap().replay(7);
        assert_eq!(replay(None, None), "enza simulate --seed 7");
        assert_eq!(replay(None, Some("second")), "enza simulate --seed 7 --profile second");
        assert_eq!(replay(Some("till"), None), "enza simulate --seed 7 --application till");
        assert_eq!(replay(Some("till"), Some("till")), "enza simulate --seed 7 --application till --profile till");
    }

    #[test]
    fn an_exploration_has_a_turn_for_the_mix_and_for_every_way_of_playing() {
        let all = roles(&two());
        let mixes = Mix::all(&rules(), &all).unwrap();
        let replays: Vec<String> = mixes.iter().map(|mix| mix.replay(7)).collect();
        let alone = all.iter().map(|role| format!("enza simulate --seed 7 --profile {}", role.profile()));
        assert_eq!(replays, std::iter::once("enza simulate --seed 7".to_owned()).chain(alone).collect::<Vec<_>>());
        assert_eq!(mixes[0].stage.roles.len(), all.len(), "the mix leaves nobody out");
    }
}
