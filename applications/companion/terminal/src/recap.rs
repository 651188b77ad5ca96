//! What a person finds when they come back to a session: the last exchanges, the plan, and what waits for them.
//!
//! Made from the state alone. The open question and what failed are shown by whoever shows them otherwise, below this.

use enza_companion::{Acceptable, Note, State, Task};
use enza_kernel::text::Lang;
use enza_terminal::screen::fold;
use enza_work::hazard;

use super::printer::Printer;
use crate::words::recap as words;

/// How many exchanges are shown, and how many lines of each side.
const EXCHANGES: usize = 3;
const SAID: usize = 4;
const REPLIED: usize = 10;

/// The recap, in lines; none where nothing was said yet.
pub fn recap(show: Printer<'_>, state: &State) -> Vec<String> {
    if state.turn == 0 {
        return Vec::new();
    }
    let parts = [exchanges(show, state), plan(show, state), waiting(show, state)];
    parts.into_iter().flatten().collect()
}

fn exchanges(show: Printer<'_>, state: &State) -> Vec<String> {
    let (screen, lang) = (show.screen, show.screen.lang);
    let shown = &state.talk[state.talk.len().saturating_sub(EXCHANGES)..];
    let mut lines = vec![screen.faintly(&words::head(lang, shown.len()))];
    let said = |text: &str| screen.paint.strong(&cut(show, &format!("{}{text}", words::you(lang)), SAID));
    for exchange in shown {
        lines.push(said(&exchange.said));
        lines.push(format!("{}\n", cut(show, &exchange.replied, REPLIED)));
    }
    let last = shown.last().map_or(0, |exchange| exchange.turn);
    // A word that was not answered: the work was cut off, or goes on.
    let unanswered = state.front().filter(|desk| desk.turn > last && !desk.said.is_empty());
    lines.extend(unanswered.map(|desk| said(&desk.said)));
    lines
}

fn plan(show: Printer<'_>, state: &State) -> Vec<String> {
    let lang = show.screen.lang;
    let Some(work) = state.front().and_then(|desk| desk.task.as_ref()) else { return Vec::new() };
    let plan = work.part.as_ref().or(work.plan.as_ref());
    let steps = plan.map_or(&[][..], |(_, plan)| &plan.steps);
    let steps = steps.iter().enumerate().map(|(place, step)| format!("{}. {step}", place + 1));
    let lines = std::iter::once(words::task(lang, &work.title)).chain(steps).collect::<Vec<_>>().join("\n");
    vec![show.note(&lines)]
}

fn waiting(show: Printer<'_>, state: &State) -> Vec<String> {
    waits(show.screen.lang, state).into_iter().map(|text| show.note(&text)).collect()
}

/// What waits for the person, one text each.
fn waits(lang: Lang, state: &State) -> Vec<String> {
    let front = state.front();
    let mut waits: Vec<String> = Vec::new();
    let checks = state.red_checks();
    if !checks.is_empty() {
        waits.push(words::ordered(lang, &Note::ChecksFailed { checks }));
    }
    waits.extend(state.acceptable().map(|what| match what {
        Acceptable::Result => words::ordered(lang, &Note::AwaitsAcceptance),
        Acceptable::Plan => words::ordered(lang, &Note::PlanAwaits),
    }));
    waits.extend(front.and_then(|desk| desk.asked.as_ref()).map(|question| words::asked(lang, question)));
    let behind = |desk: &&Task| desk.id != state.focus && !desk.aside && desk.task.is_some();
    let behind: Vec<&str> =
        state.desks.iter().filter(behind).filter_map(|desk| Some(desk.task.as_ref()?.title.as_str())).collect();
    if !behind.is_empty() {
        waits.push(words::behind(lang, &behind));
    }
    waits.extend(state.queue.iter().map(|queued| crate::words::queued(lang, &queued.text)));
    waits
}

/// The beginning of a text without its secrets, in lines that fit.
fn cut(show: Printer<'_>, text: &str, most: usize) -> String {
    let screen = show.screen;
    let text = hazard::mask(text);
    let lines: Vec<String> = text.lines().flat_map(|line| fold(line, screen.width())).collect();
    let shown = lines.iter().take(most).cloned().collect::<Vec<_>>().join("\n");
    match lines.len().saturating_sub(most) {
        0 => shown,
        more => format!("{shown}\n{}", screen.faintly(&words::more(screen.lang, more))),
    }
}

#[cfg(test)]
mod tests {
    use enza_companion::{Companion, Event};
    use enza_kernel::application::{Application as _, Entry};
    use enza_kernel::time::{Seq, Timestamp};

    use super::*;

    #[test]
    fn whoever_comes_back_is_told_of_red_checks_a_task_behind_and_words_that_wait() {
        let begun = |desk, title: &str| Event::TaskBegun { desk, title: title.to_owned() };
        let events = [
            Event::DeskSet { desk: 1, aside: false },
            begun(1, "greet the moon"),
            Event::DeskSet { desk: 2, aside: false },
            begun(2, "mend the tests"),
            Event::Queued { text: "and then the docs".to_owned(), files: Vec::new() },
        ];
        let mut state = State::default();
        for (seq, event) in (1..).zip(events) {
            Companion::evolve(&mut state, &Entry { seq: Seq(seq), at: Timestamp(0), event });
        }
        state.desks[1].task.as_mut().expect("the task in front").red.push("pytest -q".to_owned());
        assert_eq!(
            waits(Lang::En, &state),
            [
                "Not done: the checks fail: pytest -q\nSay how to fix it, undo the changes, or give up the task. \
                 (/undo, /reset)",
                "In the background: greet the moon (/tasks)",
                "Waiting in line: and then the docs",
            ]
        );
    }
}
