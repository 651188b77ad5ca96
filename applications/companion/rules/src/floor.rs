//! What a person finds on coming to a session of the companion, and may do in it next.
//!
//! An offer is made where its command would be accepted; what is under way, what was changed and what holds are lists, each
//! thing with what may be done about it.

use enza_kernel::agent::ThreadFailure;
use enza_kernel::floor::{Floor, Offer, Position, Switch, SwitchOption, Weight};
use enza_kernel::panel::{Fact, ItemAction, ListItem, Meter, Panel};
use enza_kernel::text::Lang;
use serde_json::{Value, json};

use super::Companion;
use super::accept::Acceptable;
use super::command::{Command, When};
use super::flow::message::WORDS;
use super::leeway::leeway;
use super::settings::Mode;
use super::state::{State, Turn};
use super::task::Task;
use crate::words::words;

/// How many turns that changed files are shown.
const TURNS: usize = 20;
/// How many names of files are shown for one turn.
const FILES: usize = 6;

/// The floor as it is now.
pub(super) fn floor(app: &Companion, state: &State, lang: Lang) -> Floor {
    let gate = Companion::open_gate(state);
    Floor {
        leeway: gate.map(|gate| leeway(state, gate, lang)).unwrap_or_default(),
        gate: gate.cloned(),
        offers: offers(state, lang),
        progress: None,
        positions: state.desks.iter().map(|task| position(app, task)).collect(),
        switches: modes(state, lang),
        panels: panels(state, lang),
    }
}

fn position(app: &Companion, task: &Task) -> Position {
    Position { table: app.steps.name().to_owned(), thing: task.id.to_string(), at: task.at.at().to_owned() }
}

fn offers(state: &State, lang: Lang) -> Vec<Offer> {
    if is_over(state) {
        return Vec::new();
    }
    let press = |label: String, command: Command, weight| Offer::Press { label, command: order(&command), weight };
    let front = state.front();
    let is_busy = front.is_some_and(|task| state.is_busy(task));
    let has_task = front.is_some_and(|task| task.task.is_some());
    let mut offers = Vec::new();
    if let Some(what) = state.acceptable() {
        let label = match what {
            Acceptable::Result => words(lang).say("floor.accept_result"),
            Acceptable::Plan => words(lang).say("floor.accept_plan"),
        };
        offers.push(press(label.to_owned(), Command::Accept, Weight::Main));
    }
    offers.extend(ways_to_say(is_busy, lang));
    if let Some(failure) = front.and_then(|task| state.failure(task)) {
        let (label, command) = after_failure(state, failure, lang);
        offers.push(press(label, command, Weight::Retry));
    }
    if is_busy {
        let back = words(lang).say("floor.background");
        offers.push(press(back.to_owned(), Command::Background, Weight::Plain));
        offers.push(press(words(lang).say("floor.stop").to_owned(), Command::Stop { task: None }, Weight::Plain));
    } else if has_task {
        offers.push(press(words(lang).say("floor.give_up").to_owned(), Command::Reset, Weight::Grave));
    }
    offers
}

/// One way to speak while nothing is under way; while something is, three that differ.
fn ways_to_say(is_busy: bool, lang: Lang) -> Vec<Offer> {
    let say = |label: &str, when: When| Offer::Say {
        label: label.to_owned(),
        limit: WORDS,
        command: order(&Command::Say { text: String::new(), when, files: Vec::new() }),
        place: "/say/text".to_owned(),
    };
    if !is_busy {
        return vec![say(words(lang).say("floor.message"), When::Turn)];
    }
    vec![
        say(words(lang).say("floor.say_after"), When::Turn),
        say(words(lang).say("floor.say_now"), When::Now),
        say(words(lang).say("floor.say_aside"), When::Aside),
    ]
}

fn after_failure(state: &State, failure: &ThreadFailure, lang: Lang) -> (String, Command) {
    match (failure, state.cast.ledger.limit) {
        (ThreadFailure::BudgetExhausted { need, .. }, Some(limit)) if !state.cast.ledger.fits(*need) => {
            let tokens = limit + (*need).max(limit);
            let label = words(lang).fill("floor.raise", &[("tokens", &tokens)]);
            (label, Command::RaiseBudget { tokens })
        }
        (
            ThreadFailure::BudgetExhausted { .. }
            | ThreadFailure::RoundsExhausted { .. }
            | ThreadFailure::Malformed { .. }
            | ThreadFailure::Unanswered { .. },
            _,
        ) => (words(lang).say("floor.try_again").to_owned(), Command::Retry),
    }
}

fn panels(state: &State, lang: Lang) -> Vec<Panel> {
    let words = words(lang);
    vec![
        Panel::facts("task", words.say("floor.task"), task(state, lang)),
        Panel::list("tasks", words.say("floor.tasks"), tasks(state, lang)),
        Panel::list("queue", words.say("floor.queue"), queue(state)),
        Panel::list("changed", words.say("floor.changed"), turns(state, lang)),
        Panel::list("forbidden", words.say("floor.forbidden"), forbidden(state, lang)),
        Panel::list("rules", words.say("floor.rules"), rules(state, lang)),
        Panel::meters("limits", words.say("floor.limits"), budget(state, lang)),
    ]
}

/// Where it stands, and what is held in mind: the fixed five (DUCK-49 to DUCK-53).
fn task(state: &State, lang: Lang) -> Vec<Fact> {
    let Some(task) = state.front() else { return Vec::new() };
    let mind = &task.mind;
    let one = |label: &str, value: String| Fact {
        label: label.to_owned(),
        value: Some(value).filter(|value| !value.is_empty()),
        remark: None,
        current: false,
        change: None,
    };
    let join = |items: &[String]| items.join("\n");
    let stands = format!("{} · {}", task.step().say(lang), task.status.say(lang));
    vec![
        Fact { current: true, ..one(words(lang).say("floor.step"), stands) },
        one(words(lang).say("floor.folder"), state.folder.clone()),
        one(words(lang).say("floor.goal"), mind.goal.clone()),
        one(words(lang).say("floor.why_now"), mind.why_now.clone()),
        one(words(lang).say("floor.constraints"), join(&mind.constraints)),
        one(words(lang).say("floor.next_moves"), join(&mind.plan_brief)),
        one(words(lang).say("floor.open_questions"), join(&mind.open_questions)),
    ]
}

fn modes(state: &State, lang: Lang) -> Vec<Switch> {
    if is_over(state) {
        return Vec::new();
    }
    let way = |mode: Mode| SwitchOption {
        label: mode.say(lang).to_owned(),
        about: match mode {
            Mode::Ask => words(lang).say("floor.mode_ask_about"),
            Mode::Plan => words(lang).say("floor.mode_plan_about"),
            Mode::AcceptEdits => words(lang).say("floor.mode_accept_edits_about"),
        }
        .to_owned(),
        current: state.settings.mode == mode,
        command: order(&Command::SetMode { mode }),
    };
    let ways = [Mode::Ask, Mode::Plan, Mode::AcceptEdits].map(way).to_vec();
    vec![Switch { label: words(lang).say("floor.mode").to_owned(), ways }]
}

/// What is under way, with its step, and how to stop it.
fn tasks(state: &State, lang: Lang) -> Vec<ListItem> {
    let item = |task: &Task| {
        let (is_front, id) = (task.id == state.focus, task.id);
        let is_going = state.is_busy(task) || task.gate.is_some() || task.task.is_some();
        let mut deeds = Vec::new();
        if is_going && !is_over(state) {
            deeds.push(deed(words(lang).say("floor.stop"), None, &Command::Stop { task: Some(id) }));
        }
        if !is_front && !task.aside && !is_over(state) {
            deeds.push(deed(words(lang).say("floor.front"), None, &Command::Front { task: id }));
        }
        let text = match &task.task {
            Some(work) => work.title.clone(),
            None if task.aside => words(lang).say("floor.aside").to_owned(),
            None => task.said.clone(),
        };
        let remark = Some(format!("{} · {}", task.step().say(lang), task.status.say(lang)));
        is_going.then_some(ListItem { text, remark, current: is_front, deeds })
    };
    state.desks.iter().filter_map(item).collect()
}

fn queue(state: &State) -> Vec<ListItem> {
    let waits = |text: &String| ListItem { text: text.clone(), remark: None, current: false, deeds: Vec::new() };
    state.queue.iter().map(|queued| waits(&queued.text)).collect()
}

/// What was changed turn by turn, the newest first, each with the way back.
fn turns(state: &State, lang: Lang) -> Vec<ListItem> {
    let is_free = !is_over(state) && !state.desks.iter().any(|task| state.is_busy(task)) && state.taking_back.is_none();
    let changed = state.turns.iter().rev().filter(|turn| !turn.changes.is_empty()).take(TURNS);
    changed
        .enumerate()
        .map(|(place, turn)| ListItem {
            text: turn.said.clone(),
            remark: Some(files(turn, lang)),
            current: false,
            deeds: is_free.then(|| way_back(turn.number, place == 0, lang)).into_iter().collect(),
        })
        .collect()
}

fn files(turn: &Turn, lang: Lang) -> String {
    let mut paths: Vec<&str> = turn.changes.iter().map(|change| change.path.as_str()).collect();
    paths.dedup();
    let more = paths.len().saturating_sub(FILES);
    let shown = lang.list(&paths[..paths.len() - more]);
    match more {
        0 => shown,
        more => words(lang).fill("floor.files", &[("shown", &shown), ("more", &more)]),
    }
}

fn way_back(turn: u32, is_last: bool, lang: Lang) -> ItemAction {
    let label = match is_last {
        true => words(lang).say("floor.take_back"),
        false => words(lang).say("floor.take_back_all"),
    };
    let about = words(lang).say("floor.take_back_about");
    deed(label, Some(about), &Command::TakeBack { turn })
}

fn forbidden(state: &State, lang: Lang) -> Vec<ListItem> {
    let lift = |place: usize| deed(words(lang).say("floor.lift"), None, &Command::Lift { place: place as u32 });
    let constraints = state.constraints.iter().enumerate();
    constraints.map(|(place, one)| thing(one.text.clone(), (!is_over(state)).then(|| lift(place)))).collect()
}

/// Rules of the settings first, then those of the session, which can be forgotten.
fn rules(state: &State, lang: Lang) -> Vec<ListItem> {
    let set = state.settings.rules.iter().map(|rule| ListItem {
        remark: Some(words(lang).say("floor.rule_of_settings").to_owned()),
        ..thing(rule.say(), None)
    });
    let forget =
        |place: usize| deed(words(lang).say("floor.forget"), None, &Command::ForgetRule { place: place as u32 });
    let own = state.rules.iter().enumerate();
    let own = own.map(|(place, rule)| thing(rule.say(), (!is_over(state)).then(|| forget(place))));
    set.chain(own).collect()
}

fn budget(state: &State, lang: Lang) -> Vec<Meter> {
    let ledger = &state.cast.ledger;
    let label = words(lang).say("floor.budget").to_owned();
    ledger.limit.map(|limit| Meter { label, used: ledger.spent, limit }).into_iter().collect()
}

fn thing(text: String, deed: Option<ItemAction>) -> ListItem {
    ListItem { text, remark: None, current: false, deeds: deed.into_iter().collect() }
}

fn deed(label: &str, about: Option<&str>, command: &Command) -> ItemAction {
    ItemAction { label: label.to_owned(), about: about.map(str::to_owned), command: order(command) }
}

fn order(command: &Command) -> Value {
    json!(command)
}

fn is_over(state: &State) -> bool {
    state.closed || state.owner.is_empty()
}
