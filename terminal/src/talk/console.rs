//! What every talk stands on: the screen, the keyboard, the session that is followed, and the lines that came too early.
//!
//! What was typed before a question was shown never answers it. Where lines are taken at rest, they are kept until then in
//! their order, and the end of the keyboard comes behind the last of them.

use std::collections::VecDeque;
use std::time::Instant;

use enza_kernel::application::Phase;

use super::follow::{Drafts, Follower, Seen};
use crate::keyboard::{Input, Keyboard, TimedInput};
use crate::screen::Screen;
use crate::trouble::Trouble;
use crate::words::talk as words;

/// Screen, keyboard and session of a talk.
pub struct Console<'a, D: Drafts> {
    pub screen: &'a Screen,
    pub keyboard: Keyboard,
    pub follower: Follower<D>,
    pace: LinePace,
    /// Lines that nobody has taken yet.
    waiting: VecDeque<TimedLine>,
    pub(super) has_left: bool,
    /// Whether nothing happened and nothing was typed since it was last told whose turn it is.
    pub(super) is_settled: bool,
    /// The question on the screen, and since when.
    question: Option<(String, Instant)>,
    /// What stands below everything, and before the line.
    status: String,
    prompt: String,
    /// When words were last drawn, and when we last looked where it stands.
    pub(super) drawn: Instant,
    pub(super) looked: Instant,
}

/// A line, and when it was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimedLine {
    pub text: String,
    pub at: Instant,
}

/// When lines are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinePace {
    /// When they are typed.
    AtOnce,
    /// One at a time, each once the session rests.
    AtRest,
}

/// What came of asking for a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asked {
    Line(TimedLine),
    /// The keyboard is gone.
    Gone,
    /// Ctrl-C.
    Interrupt,
    /// Someone asks the whole program to end.
    Ended,
}

/// What a loop waits for.
pub(super) enum Came {
    Seen(Seen),
    Typed(TimedInput),
}

impl<'a, D: Drafts> Console<'a, D> {
    /// With nothing shown yet.
    pub fn new(screen: &'a Screen, keyboard: Keyboard, follower: Follower<D>, pace: LinePace) -> Self {
        Self {
            screen,
            keyboard,
            follower,
            pace,
            waiting: VecDeque::new(),
            has_left: false,
            is_settled: false,
            question: None,
            status: String::new(),
            prompt: words::PROMPT.to_owned(),
            drawn: Instant::now(),
            looked: Instant::now(),
        }
    }

    /// Shows something above the line being typed.
    pub fn say(&mut self, text: &str) -> Result<(), Trouble> {
        if self.keyboard.draws() {
            self.keyboard.say(text);
            return Ok(());
        }
        self.screen.say(text)
    }

    /// The same for what a person can do without; `--quiet` leaves it out.
    pub fn note(&mut self, text: &str) -> Result<(), Trouble> {
        if self.keyboard.draws() { self.say(text) } else { self.screen.note(text) }
    }

    /// What was typed stays on the screen, where the terminal does not leave it there by itself.
    pub fn echo(&mut self, prompt: &str, line: &str) -> Result<(), Trouble> {
        if !self.keyboard.draws() {
            return Ok(());
        }
        let text = line.replace('\n', "\n  ");
        self.say(&self.screen.paint.strong(&format!("{prompt}{text}")))
    }

    /// Sets what stands below everything and before the line; it is drawn with the next words, or by `lay`.
    pub fn stands(&mut self, status: &str, prompt: &str) {
        status.clone_into(&mut self.status);
        prompt.clone_into(&mut self.prompt);
    }

    /// Draws what stands below everything; where nothing is drawn over, nothing.
    pub fn lay(&mut self) {
        self.drawn = Instant::now();
        self.keyboard.lay(&self.status, &self.prompt);
    }

    /// Asks for a line: the prompt is drawn, or written where nothing is drawn over.
    pub fn prompts(&mut self, status: &str, prompt: &str) -> Result<(), Trouble> {
        self.stands(status, prompt);
        if self.keyboard.draws() {
            self.lay();
            return Ok(());
        }
        self.screen.put(&self.screen.paint.strong(prompt))
    }

    /// The next line, in the middle of what another line asked for.
    pub async fn asked(&mut self) -> Asked {
        if let Some(line) = self.kept() {
            return Asked::Line(line);
        }
        if self.has_left { Asked::Gone } else { ask(&mut self.keyboard, self.screen).await }
    }

    /// A question is on the screen from now on, or none.
    pub fn asks(&mut self, gate: Option<&str>) {
        if self.question.as_ref().map(|(id, _)| id.as_str()) != gate {
            self.question = gate.map(|gate| (gate.to_owned(), self.keyboard.mark()));
        }
    }

    /// Whether this is the question on the screen.
    pub fn has_asked(&self, gate: &str) -> bool {
        self.question.as_ref().is_some_and(|(id, _)| id == gate)
    }

    /// Whether an answer was typed before the question that it would answer was shown, or while one may open any moment.
    pub fn is_too_early(&self, gate: Option<&str>, phase: Phase, at: Instant) -> bool {
        match gate {
            Some(gate) => self.question.as_ref().is_none_or(|(id, shown)| id != gate || at < *shown),
            None => phase == Phase::Working,
        }
    }

    /// Puts an answer that came too early back on the line, where there is one. What the person is to be told of it.
    pub fn hold_back(&mut self, line: &str) -> &'static str {
        let draws = self.keyboard.draws();
        if draws {
            self.keyboard.put_back(line);
        }
        words::too_early(self.screen.lang, draws)
    }

    /// The person has been told whose turn it is.
    pub fn settle(&mut self) {
        self.is_settled = true;
    }

    /// Something may have changed: it is looked at soon.
    pub fn unsettle(&mut self) {
        self.is_settled = false;
        self.follower.expect();
    }

    /// Goes on in another session.
    pub fn turn_to(&mut self, follower: Follower<D>) {
        self.follower = follower;
        self.question = None;
        self.unsettle();
    }

    /// The program is asked to end.
    pub fn interrupted(&mut self) -> Trouble {
        self.keyboard.lift();
        Trouble::Interrupted { under_way: self.screen.under_way() }
    }

    /// What comes next, of the session or from the keyboard.
    pub(super) async fn next(&mut self) -> Result<Came, Trouble> {
        tokio::select! {
            seen = self.follower.next() => seen.map(Came::Seen),
            typed = self.keyboard.next(), if !self.has_left => Ok(Came::Typed(typed)),
        }
    }

    /// Keeps a line for later, where it is not time for it yet.
    pub(super) fn keep(&mut self, line: TimedLine) -> Option<TimedLine> {
        if self.pace == LinePace::AtOnce || self.is_settled {
            return Some(line);
        }
        self.waiting.push_back(line);
        None
    }

    /// The first of the lines that are kept.
    pub(super) fn kept(&mut self) -> Option<TimedLine> {
        self.waiting.pop_front()
    }

    /// The keyboard is gone. Whether that is the end now: what was typed before is still taken. Whoever sits at it does not
    /// have to wait.
    pub(super) fn leaves(&mut self) -> bool {
        self.has_left = true;
        let is_owed = !self.waiting.is_empty() || !(self.is_settled || self.keyboard.draws());
        self.pace == LinePace::AtOnce || !is_owed
    }

    /// Stops for a while, or draws everything anew.
    pub(super) async fn redraw(&mut self, input: &Input) {
        redraw(&mut self.keyboard, self.screen, input).await;
        if *input == Input::Redraw && self.keyboard.draws() {
            // What stands below is set for the width of before.
            self.is_settled = false;
        }
    }
}

/// The next line that is typed at a keyboard, wherever there is no session to be followed meanwhile.
pub async fn ask(keyboard: &mut Keyboard, screen: &Screen) -> Asked {
    loop {
        let typed = keyboard.next().await;
        match typed.input {
            Input::Line(text) => return Asked::Line(TimedLine { text, at: typed.at }),
            Input::Gone => return Asked::Gone,
            Input::Interrupt => return Asked::Interrupt,
            Input::Ended => return Asked::Ended,
            Input::Pause | Input::Clear | Input::Redraw => redraw(keyboard, screen, &typed.input).await,
            Input::Compose | Input::Mode => {}
        }
    }
}

async fn redraw(keyboard: &mut Keyboard, screen: &Screen, input: &Input) {
    match input {
        Input::Pause => keyboard.pause().await,
        Input::Clear => keyboard.clear(),
        Input::Redraw => screen.measure(),
        Input::Line(_) | Input::Interrupt | Input::Gone | Input::Ended | Input::Compose | Input::Mode => {}
    }
}
