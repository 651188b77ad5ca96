//! What is under way, and its words as they come.

use std::collections::BTreeMap;

use enza_companion::{Companion, Event, State};
use enza_kernel::agent::ThreadEvent;
use enza_runtime::seams::store::Recorded;
use enza_terminal::talk::GoesOn;
use enza_terminal::trouble::Trouble;

use super::lists::{self, TaskProgress};
use super::talk::Talk;
use crate::words::talk as words;

impl Talk<'_> {
    /// What is under way: step, status, rounds, tokens and the last thing that was seen of it.
    pub(super) async fn tasks(&mut self, state: &State) -> Result<GoesOn, Trouble> {
        let events = self.events().await?;
        let mut tokens: BTreeMap<String, u64> = BTreeMap::new();
        for entry in events.iter().flat_map(Recorded::entry::<Companion>) {
            if let Event::Stepped(step) = entry.event
                && let ThreadEvent::Replied { usage, .. } = step.what
            {
                *tokens.entry(step.thread).or_default() += usage.input + usage.output;
            }
        }
        let progress = state.desks.iter().map(|desk| TaskProgress {
            desk,
            tokens: Some(tokens.get(&desk.thread()).copied().unwrap_or(0)),
            latest: self.latest_of(desk.id),
            is_watched: self.watched == Some(desk.id),
        });
        let text = lists::tasks(self.show.screen, state, &progress.collect::<Vec<_>>());
        self.told(&text)
    }

    /// Shows the words of a task as they come; without one, those in front again.
    pub(super) fn watch(&mut self, state: &State, task: Option<u32>) -> Result<GoesOn, Trouble> {
        let lang = self.show.screen.lang;
        match task {
            Some(task) if state.task(task).is_none() => self.tell(words::no_such_task(lang)),
            task => {
                self.watched = task.filter(|task| *task != state.focus);
                let latest = task.and_then(|task| self.latest_of(task)).unwrap_or_default();
                let told = words::watching(lang, self.watched);
                self.say(&self.show.note(&format!("{told}\n{latest}")))?;
                Ok(GoesOn::Yes)
            }
        }
    }

    /// The last line of what a task is writing, or of what was last seen of it.
    fn latest_of(&self, desk: u32) -> Option<String> {
        let writing = self.console.follower.draft(&format!("desk-{desk}"));
        let written = writing.map(|one| if one.reply().is_empty() { one.rationale() } else { one.reply() });
        let line = |text: &str| text.lines().rev().find(|line| !line.trim().is_empty()).map(str::to_owned);
        written.and_then(line).or_else(|| self.latest.get(&desk).cloned())
    }

    /// Remembers the last thing that was seen of a piece of work.
    pub(super) fn note_latest(&mut self, event: &Event) {
        if let Some((desk, line)) = latest(event) {
            self.latest.insert(desk, line);
        }
    }
}

/// What an event shows of a piece of work, in one line.
fn latest(event: &Event) -> Option<(u32, String)> {
    let last_line = |text: &str| text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().to_owned();
    if let Event::Spoke { desk, text } = event {
        return Some((*desk, last_line(text)));
    }
    if let Event::Judged { desk, verdict } = event {
        return Some((*desk, verdict.rationale.clone()));
    }
    if let Event::Wanted { desk, wants, .. } = event {
        let wants: Vec<String> =
            wants.iter().map(|want| format!("{} {}", want.operation.word(), want.target)).collect();
        return Some((*desk, wants.join(", ")));
    }
    if let Event::GateOpened { desk, gate } = event {
        return Some((*desk, last_line(&gate.ask.intent)));
    }
    let Event::Recovered { desk, error } = event else { return None };
    Some((*desk, last_line(error)))
}
