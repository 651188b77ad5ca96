//! A session as it is seen at the terminal: what happens, the words that are being written, and whose turn it is.

use std::time::{Duration, Instant};

use enza_companion::{Companion, Event, Note};
use enza_kernel::application::{Entry, Phase};
use enza_kernel::gate::Gate;
use enza_terminal::trouble::Trouble;

use super::folder_memory;
use super::follow::{Seen, SessionStatus};
use super::talk::{Continues, Talk};
use crate::words::{self, recap, talk};

/// How often words that are being written are drawn at most.
const FRAME: Duration = Duration::from_millis(40);
/// How often we look where it stands while words come.
const LOOK: Duration = Duration::from_millis(250);

impl Talk<'_> {
    /// Shows what came next.
    pub(super) async fn seen(&mut self, seen: Seen) -> Result<Continues, Trouble> {
        match seen {
            Seen::Event(entry) => self.happened(&entry).await?,
            // While words come, there is never a quiet moment to look where it stands.
            Seen::Written(_) if self.looked.elapsed() >= LOOK => return self.look().await,
            Seen::Written(thread) if self.is_watched(&thread) && self.drawn.elapsed() >= FRAME => self.at_work(),
            Seen::Written(_) => {}
            Seen::Gone => return Err(Trouble::UnknownSession { part: self.session.to_string(), near: Vec::new() }),
            // Until something happens or is typed, it stays as it is.
            Seen::Quiet if self.has_asked => {}
            Seen::Quiet => return self.look().await,
        }
        Ok(Continues::Yes)
    }

    /// Looks where it stands: at work, or with the person.
    async fn look(&mut self) -> Result<Continues, Trouble> {
        let moment = self.following.moment().await?;
        self.looked = Instant::now();
        if moment.phase == Phase::Ended {
            return Ok(Continues::No);
        }
        self.front = moment.state.focus;
        self.beside = moment.state.desks.iter().rev().find(|desk| desk.aside).map(|desk| desk.id);
        if moment.rests {
            self.following.forget();
            self.rest(&moment).await?;
        } else {
            let (screen, commander) = (self.show.screen, self.models.commander());
            let pace = self.following.pace();
            self.status = words::at_work(screen.lang, &moment.state, Some(&commander), pace, screen.width());
            self.prompt = self.prompt_of(&moment);
            self.shown(Companion::open_gate(&moment.state));
            self.at_work();
        }
        Ok(Continues::Yes)
    }

    async fn happened(&mut self, entry: &Entry<Event>) -> Result<(), Trouble> {
        self.note_latest(&entry.event);
        self.write_words();
        if let Some(text) = self.show.text(entry) {
            self.say(&text)?;
        }
        self.has_asked = false;
        if let Event::Noted { desk, note: Note::NoModel { .. } | Note::BudgetEnded { .. } } = &entry.event {
            self.has_told_failure = *desk == self.front;
        }
        if folder_memory::is_said_in(&entry.event) {
            let state = self.following.moment().await?.state;
            self.save_memory(&state).await?;
        }
        if let Event::TakenBack { turn, .. } = &entry.event {
            self.taken_back(*turn).await?;
        }
        Ok(())
    }

    /// Draws the words that are being written, and the status of the work.
    fn at_work(&mut self) {
        self.drawn = Instant::now();
        self.write_words();
        self.keyboard.lay(&self.status, self.prompt);
    }

    /// What stands before the line: a question may be open while something else is worked on.
    fn prompt_of(&self, moment: &SessionStatus) -> &'static str {
        let screen = self.show.screen;
        match Companion::open_gate(&moment.state) {
            Some(_) => talk::gate_prompt(screen.lang, screen.width()),
            None => talk::PROMPT,
        }
    }

    fn write_words(&mut self) {
        let writing = self.threads_shown().into_iter().find_map(|thread| self.following.writing(&thread));
        let words = writing.map_or_else(Vec::new, |writing| self.show.words(writing));
        self.keyboard.write(words);
    }

    fn is_watched(&self, thread: &str) -> bool {
        self.threads_shown().iter().any(|shown| shown == thread)
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
    pub(super) async fn rest(&mut self, moment: &SessionStatus) -> Result<(), Trouble> {
        let screen = self.show.screen;
        let status = talk::status(screen.lang, &moment.state, &self.models.commander());
        let gate = Companion::open_gate(&moment.state);
        self.prompt = self.prompt_of(moment);
        self.has_asked = true;
        self.front = moment.state.focus;
        self.keyboard.write(Vec::new());
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
        if let Some(gate) = gate.filter(|gate| self.question.as_ref().is_none_or(|(id, _)| *id != gate.id)) {
            let lasting = Companion::lasting(&moment.state, gate);
            if !lasting.is_empty() {
                let asks_again = Companion::asks_again(&moment.state, gate);
                self.say(&self.show.note(&talk::lasting(screen.lang, &lasting, asks_again)))?;
            }
        }
        // Before it is drawn: whoever answers has seen it.
        self.shown(gate);
        if self.keyboard.draws() {
            self.keyboard.lay(&status, self.prompt);
        } else {
            self.say(&screen.paint.faint(&enza_terminal::screen::fold(&status, screen.width()).join("\n")))?;
            screen.put(self.prompt)?;
        }
        Ok(())
    }

    /// Remembers which question is on the screen, and since when.
    fn shown(&mut self, gate: Option<&Gate>) {
        if self.question.as_ref().map(|(id, _)| id) != gate.map(|gate| &gate.id) {
            self.question = gate.map(|gate| (gate.id.clone(), self.keyboard.mark()));
        }
    }
}
