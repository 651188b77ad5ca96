//! A session as it is seen at the terminal: what happens, the words that are being written, and whose turn it is.

use enza_companion::{Companion, Event, Note};
use enza_kernel::application::{Entry, Phase};
use enza_terminal::talk::Moment;
use enza_terminal::trouble::Trouble;

use super::folder_memory;
use super::follow::{self, SessionStatus};
use super::talk::Talk;
use crate::words::{self, recap, talk};

impl Talk<'_> {
    /// Where it stands, with the pieces of work that are shown.
    pub(super) fn known(&mut self, moment: Moment) -> Result<SessionStatus, Trouble> {
        let status = SessionStatus::of(moment).ok_or_else(|| self.console.follower.is_gone())?;
        self.front = status.state.focus;
        self.beside = status.state.desks.iter().rev().find(|desk| desk.aside).map(|desk| desk.id);
        Ok(status)
    }

    /// It is at work: the status and the prompt, since a question may be open while something else is worked on.
    pub(super) fn works(&mut self, moment: &SessionStatus) {
        let (screen, commander) = (self.show.screen, self.models.commander());
        let pace = follow::pace(&self.console.follower);
        let status = words::at_work(screen.lang, &moment.state, Some(&commander), pace, screen.width());
        self.console.stands(&status, self.prompt_of(moment));
        self.console.asks(Companion::open_gate(&moment.state).map(|gate| gate.id.as_str()));
    }

    /// Shows what happened, and does what follows from it here.
    pub(super) async fn shows(&mut self, entry: &Entry<Event>) -> Result<(), Trouble> {
        self.note_latest(&entry.event);
        if let Some(text) = self.show.text(entry) {
            self.say(&text)?;
        }
        if let Event::Noted { desk, note: Note::NoModel { .. } | Note::BudgetEnded { .. } } = &entry.event {
            self.has_told_failure = *desk == self.front;
        }
        if folder_memory::is_said_in(&entry.event) {
            let state = self.status().await?.state;
            self.save_memory(&state).await?;
        }
        if let Event::TakenBack { turn, .. } = &entry.event {
            self.taken_back(*turn).await?;
        }
        Ok(())
    }

    /// What stands before the line: a question may be open while something else is worked on.
    fn prompt_of(&self, moment: &SessionStatus) -> &'static str {
        let screen = self.show.screen;
        match Companion::open_gate(&moment.state) {
            Some(_) => talk::gate_prompt(screen.lang, screen.width()),
            None => talk::PROMPT,
        }
    }

    /// The words that are being written, as they are drawn.
    pub(super) fn words_shown(&self) -> Vec<String> {
        let writing = self.threads_shown().into_iter().find_map(|thread| self.console.follower.draft(&thread));
        writing.map_or_else(Vec::new, |writing| self.show.words(writing))
    }

    /// The threads whose words are shown, the first that writes: the one that is watched, or what is in front and what
    /// was last asked beside it.
    fn threads_shown(&self) -> Vec<String> {
        let desks = match self.watched {
            Some(desk) => vec![desk],
            None => std::iter::once(self.front).chain(self.beside).collect(),
        };
        desks.iter().map(|desk| format!("desk-{desk}")).collect()
    }

    /// It is the person's turn: the status and the prompt.
    pub(super) async fn persons_turn(&mut self, moment: &SessionStatus) -> Result<(), Trouble> {
        let screen = self.show.screen;
        let status = talk::status(screen.lang, &moment.state, &self.models.commander());
        let gate = Companion::open_gate(&moment.state);
        let prompt = self.prompt_of(moment);
        self.front = moment.state.focus;
        self.save_memory(&moment.state).await?;
        if moment.phase == Phase::Stuck && !self.has_told_failure {
            let failure = moment.state.front().and_then(|desk| moment.state.failure(desk));
            if let Some(note) = failure.map(|failure| Companion::failure_note(&moment.state, failure)) {
                self.say(&self.show.warning(&recap::ordered(screen.lang, &note)))?;
            }
        }
        self.has_told_failure = moment.phase == Phase::Stuck;
        if gate.is_some() && !self.has_explained {
            self.has_explained = true;
            self.say(&self.show.note(talk::gate_answers(screen.lang)))?;
        }
        if let Some(gate) = gate.filter(|gate| !self.console.has_asked(&gate.id)) {
            let lasting = Companion::lasting(&moment.state, gate);
            if !lasting.is_empty() {
                let asks_again = Companion::asks_again(&moment.state, gate);
                self.say(&self.show.note(&talk::lasting(screen.lang, &lasting, asks_again)))?;
            }
        }
        // Before it is drawn: whoever answers has seen it.
        self.console.asks(gate.map(|gate| gate.id.as_str()));
        self.console.stands(&status, prompt);
        if self.console.keyboard.draws() {
            self.console.lay();
        } else {
            self.say(&screen.paint.faint(&enza_terminal::screen::fold(&status, screen.width()).join("\n")))?;
            screen.put(prompt)?;
        }
        Ok(())
    }
}
