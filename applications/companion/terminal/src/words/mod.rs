//! Everything that the companion's terminal says, Japanese and English side by side.
//!
//! What the rules say (notes, refusals, the points of a gate) has its words in the application.

pub mod acp;
pub mod lists;
pub mod machine_folders;
pub mod orders;
pub mod recap;
pub mod servers;
pub mod talk;

use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use enza_companion::{COMMANDER, Companion, DONE as DONE_STEP, State, Step, StepsFault, budget_ended};
use enza_kernel::about::About;
use enza_kernel::application::Reason as _;
use enza_kernel::text::{Lang, Said};
use enza_kernel::words::{Catalogue, Sentences};
use enza_models::choice::ModelRef;
use enza_runtime::seams::store::SessionId;
use enza_terminal::screen::{span, width};
use enza_terminal::setup::short_id;
use enza_terminal::words::models;
use enza_work::{RunEnd, RunResult};

use super::words;
use crate::halt::Halt;

/// The sentences of the files in `words/`.
pub static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    Catalogue::built_in(&[
        include_str!("../../words/acp.toml"),
        include_str!("../../words/companion.toml"),
        include_str!("../../words/help.toml"),
        include_str!("../../words/lists.toml"),
        include_str!("../../words/machine_folders.toml"),
        include_str!("../../words/orders.toml"),
        include_str!("../../words/recap.toml"),
        include_str!("../../words/servers.toml"),
        include_str!("../../words/talk.toml"),
    ])
});

/// The sentences in one language.
pub(crate) fn words(lang: Lang) -> Sentences {
    CATALOGUE.words(lang)
}

/// Before what ended well, where there are no signs.
pub const DONE: &str = "companion.done";
/// Before what went wrong, where there are no signs.
pub const TROUBLE: &str = "companion.trouble";

/// Who speaks, before what the companion says where there is no layout to tell.
pub fn speaks(lang: Lang) -> &'static str {
    About::of::<Companion>().agent(COMMANDER, lang)
}

/// What is going on and what was used, in a line that is written over; as much of it as there is room for.
pub fn at_work(
    lang: Lang,
    state: &State,
    commander: Option<&ModelRef>,
    pace: (usize, Duration),
    columns: usize,
) -> String {
    let mut line = going_on(lang, state, pace);
    for part in talk::spent(lang, state).into_iter().chain(commander.map(|pick| models::name(lang, pick))) {
        let longer = format!("{line} · {part}");
        if width(&longer) >= columns {
            break;
        }
        line = longer;
    }
    line
}

fn going_on(lang: Lang, state: &State, (written, since): (usize, Duration)) -> String {
    const TURNS: [&str; 4] = ["◜", "◝", "◞", "◟"];
    let turn = TURNS[(since.as_millis() / 250) as usize % TURNS.len()];
    let (step, since) = (state.position().0.say(lang), span(since));
    if written == 0 {
        return words(lang).fill("companion.at_work", &[("turn", &turn), ("step", &step), ("since", &since)]);
    }
    words(lang).fill("companion.writing", &[("turn", &turn), ("step", &step), ("since", &since), ("written", &written)])
}

/// A message that waits.
pub fn queued(lang: Lang, text: &str) -> String {
    words(lang).fill("companion.queued", &[("text", &text)])
}

/// The same with the command before it, as at a prompt; logs of older versions do not know it.
pub fn named_run(lang: Lang, run: &RunResult) -> String {
    let head = if run.command.is_empty() { String::new() } else { format!("$ {}\n", run.command) };
    format!("{head}{}", ran(lang, run))
}

/// How a command came off, and the end of what it printed.
pub fn ran(lang: Lang, ran: &RunResult) -> String {
    const LAST: usize = 12;
    let ended = match ran.ended {
        RunEnd::Status(0) => words(lang).say("companion.ran_well").to_owned(),
        RunEnd::Status(code) => words(lang).fill("companion.ran_status", &[("code", &code)]),
        RunEnd::Signal(signal) => words(lang).fill("companion.ran_signal", &[("signal", &signal)]),
        RunEnd::OutOfTime => words(lang).say("companion.ran_out_of_time").to_owned(),
        RunEnd::TooManyProcesses => words(lang).say("companion.ran_too_many_processes").to_owned(),
        RunEnd::TooMuchMemory => words(lang).say("companion.ran_too_much_memory").to_owned(),
        RunEnd::TooMuchDisk => words(lang).say("companion.ran_too_much_disk").to_owned(),
        RunEnd::Stopped => words(lang).say("companion.ran_stopped").to_owned(),
        RunEnd::Unseen => words(lang).say("companion.ran_unseen").to_owned(),
    };
    let lines: Vec<&str> = ran.output.lines().collect();
    let last = &lines[lines.len().saturating_sub(LAST)..];
    let gap = if lines.len() > LAST { "…\n" } else { "" };
    let told = format!("{ended}  {}\n{gap}{}", span(Duration::from_millis(ran.millis)), last.join("\n"));
    [Some(told.trim_end().to_owned()), ran.besides(lang)].into_iter().flatten().collect::<Vec<_>>().join("\n")
}

/// Lines of a diff that are not shown.
pub fn more_lines(lang: Lang, count: usize) -> String {
    words(lang).fill("companion.more_lines", &[("count", &count)])
}

/// The work goes in circles.
pub fn in_circles(lang: Lang) -> &'static str {
    words(lang).say("companion.in_circles")
}

/// It did not come off, and nothing more is known.
pub fn did_not_come_off(lang: Lang) -> &'static str {
    words(lang).say("companion.did_not_come_off")
}

/// What is remembered could not be written.
pub fn not_carried(lang: Lang, why: &std::io::Error) -> String {
    words(lang).fill("companion.not_carried", &[("why", &why)])
}

/// Something that was forbidden in another session found no room in this one.
pub fn not_taken_over(lang: Lang, text: &str) -> String {
    words(lang).fill("companion.not_taken_over", &[("text", &text)])
}

/// What a project wants that counts only once it is trusted.
pub fn wishes(lang: Lang, wishes: &[String]) -> String {
    let head = words(lang).say("companion.wishes");
    format!("{head}\n{}", wishes.iter().map(|wish| format!("  {wish}")).collect::<Vec<_>>().join("\n"))
}

/// That the project asks for something else than what was trusted.
pub fn asks_anew(lang: Lang) -> &'static str {
    words(lang).say("companion.asks_anew")
}

/// Before instructions of the project that are new to the model.
pub fn instructions_changed(lang: Lang) -> &'static str {
    words(lang).say("companion.instructions_changed")
}

/// In place of instructions of the project that are gone.
pub fn instructions_gone(lang: Lang) -> &'static str {
    words(lang).say("companion.instructions_gone")
}

/// That something is the user's own, and gives way to the project's.
pub fn in_every_project(lang: Lang) -> &'static str {
    words(lang).say("companion.in_every_project")
}

/// For which files what a folder below says holds.
pub fn only_below(lang: Lang, folder: &str) -> String {
    words(lang).fill("companion.only_below", &[("folder", &folder)])
}

/// Whether the project is trusted.
pub fn trusts(lang: Lang) -> &'static str {
    words(lang).say("companion.trusts")
}

/// What is left out, since nobody is there to trust the project.
pub fn untrusted(lang: Lang, list: &[String]) -> String {
    let hint = words(lang).say("companion.untrusted");
    format!("{}\n{hint}", wishes(lang, list))
}

/// How a run came to a halt.
pub fn halt(lang: Lang, session: &SessionId, halt: &Halt) -> Said {
    let id = short_id(session);
    match halt {
        Halt::Gate { intent, beforehand } => {
            let quoted = |rule: &String| format!("--allow '{}'", rule.replace('\'', "'\\''"));
            let allow = beforehand.iter().map(quoted).collect::<Vec<_>>().join(" ");
            let next = match beforehand.is_empty() {
                true => words(lang).fill("companion.halt_gate_always", &[("id", &id)]),
                false => words(lang).fill("companion.halt_gate_allow", &[("id", &id), ("allow", &allow)]),
            };
            Said::new(words(lang).fill("companion.halt_gate", &[("intent", &intent)]), next)
        }
        Halt::Question { question } => {
            words(lang).said("companion.halt_question", &[("question", &question), ("id", &id)])
        }
        Halt::Doubt { doubt } => words(lang).said("companion.halt_doubt", &[("doubt", &doubt), ("id", &id)]),
        Halt::Failed { why } => words(lang).said("companion.halt_failed", &[("why", &why), ("id", &id)]),
        Halt::ChecksFailed { checks } => {
            let checks = lang.list(checks);
            words(lang).said("companion.halt_checks_failed", &[("checks", &checks), ("id", &id)])
        }
        Halt::Budget { spent, limit, need } => {
            let more = limit.saturating_add(*need.max(limit));
            Said::new(
                budget_ended(lang, *spent, *limit, *need).lines().next().unwrap_or_default().to_owned(),
                words(lang).fill("companion.halt_budget", &[("id", &id), ("more", &more)]),
            )
        }
        Halt::Denied { lines } => {
            words(lang).said("companion.halt_denied", &[("lines", &lines.join("\n")), ("id", &id)])
        }
        Halt::Interrupted => words(lang).said("companion.halt_interrupted", &[("id", &id)]),
    }
}

/// Why a folder cannot be worked on.
pub fn no_folder(lang: Lang) -> &'static str {
    words(lang).say("companion.no_folder")
}

/// A name that cannot be written down.
pub fn no_name(lang: Lang) -> &'static str {
    words(lang).say("companion.no_name")
}

/// There is nothing to go on with.
pub fn none_here(lang: Lang) -> &'static str {
    words(lang).say("companion.none_here")
}

/// A table of moves of one's own that cannot be used.
pub fn steps(lang: Lang, path: &Path, fault: &StepsFault) -> Said {
    let hint = words(lang).say("companion.steps");
    let why = match fault {
        StepsFault::Table(fault) => fault.say(lang).message,
        StepsFault::Names => {
            let names: Vec<&str> = Step::ALL.iter().map(|step| step.word()).chain([DONE_STEP]).collect();
            let (names, start) = (names.join(", "), Step::Planning.word());
            words(lang).fill("companion.steps_names", &[("names", &names), ("start", &start)])
        }
    };
    Said::new(format!("{}: {why}", path.display()), hint)
}

#[cfg(test)]
mod tests {
    use enza_companion::Note;
    use enza_kernel::testing::prose;
    use enza_kernel::testing::words::Checked;

    use super::*;

    #[test]
    fn what_was_used_is_seen_while_it_works_as_far_as_there_is_room() {
        let mut state = State::default();
        (state.cast.usage.input, state.cast.usage.output, state.cast.ledger.limit) = (1_200, 34, Some(90_000));
        let line =
            |columns| at_work(Lang::En, &state, Some(&ModelRef::Understudy), (0, Duration::from_secs(3)), columns);
        let name = models::name(Lang::En, &ModelRef::Understudy);
        assert!(line(100).ends_with(&format!("working  3 s · 1,234/90.0k tokens · {name}")), "{}", line(100));
        assert!(line(50).ends_with("1,234/90.0k tokens"), "{}", line(50));
        assert!((20..100).all(|columns| width(&line(columns)) < columns.max(width(&line(0)) + 1)));
    }

    /// What ended a run, and what is said on coming back, with texts that end in every mark.
    #[test]
    fn a_question_that_ends_in_a_mark_is_not_ended_twice_in_a_halt_or_a_recap() {
        let session = SessionId::of("s1");
        for (lang, text) in [Lang::En, Lang::Ja].into_iter().flat_map(|lang| TEXTS.map(|text| (lang, text))) {
            let given = || text.to_owned();
            let halts = [
                Halt::Gate { intent: given(), beforehand: Vec::new() },
                Halt::Gate { intent: given(), beforehand: vec!["run make".to_owned()] },
                Halt::Question { question: given() },
                Halt::Doubt { doubt: given() },
                Halt::Failed { why: given() },
                Halt::ChecksFailed { checks: vec!["ruff check".to_owned(), "pytest -q".to_owned()] },
                Halt::Budget { spent: 5_000, limit: 6_000, need: 2_500 },
                Halt::Denied { lines: vec![given(), given()] },
                Halt::Interrupted,
            ];
            let said = halts.iter().map(|one| halt(lang, &session, one)).flat_map(|said| {
                let whole = said.in_one();
                [said.message, said.hint, whole]
            });
            let recapped = [
                recap::head(lang, 0),
                recap::head(lang, 1),
                recap::head(lang, 2),
                recap::more(lang, 3),
                recap::task(lang, text),
                recap::asked(lang, text),
                recap::behind(lang, &[text, text]),
                recap::ordered(lang, &Note::NotKept { text: given() }),
                recap::ordered(lang, &Note::GivenUp { error: given(), recoveries: Some(2) }),
                not_taken_over(lang, text),
            ];
            for text in said.chain(recapped) {
                assert_eq!(prose::faults(&text), Vec::<String>::new(), "{text}");
            }
        }
    }

    const TEXTS: [&str; 5] =
        ["Shall I remove it?", "It breaks the build.", "Stop!", "消してもよいですか？", "壊れるかもしれません。"];

    #[test]
    fn every_sentence_is_there_and_every_sentence_is_shown() {
        Checked {
            own: &CATALOGUE,
            frame: None,
            home: env!("CARGO_MANIFEST_DIR"),
            shared: &["help"],
            plain: &[
                "agent", "input", "item", "mode", "money", "name", "names", "order", "path", "role", "session",
                "start", "title",
            ],
        }
        .check();
    }
}
