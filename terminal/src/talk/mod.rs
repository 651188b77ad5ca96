//! A session of whatever application at a terminal: what happens is shown as it comes, what is typed is sent.
//!
//! Everything is drawn from lines and floors, so that an application which has no orders of its own can be used here. With
//! someone at the keyboard a line is sent when it is typed. Without, lines are taken from standard input one at a time,
//! each once the session rests, and the end of them is the end of the talk: a script can write them all beforehand. With
//! `--json` every line and every floor is one JSON value, and a typed line that is an object is sent as a command.
//!
//! The session stays, however this ends.

mod choices;
mod draw;
mod follow;
mod panel;
mod spoken;

use std::collections::VecDeque;
use std::sync::Arc;

use enza_kernel::application::Phase;
use enza_kernel::floor::Floor;
use enza_kernel::gate::{Given, Scope, Verdict, plain_answer};
use enza_kernel::time::Seq;
use enza_runtime::engine::{Declined, Engine};
use enza_runtime::host::AnyApplication;
use enza_runtime::seams::store::SessionId;
use enza_server::prepare::{Prepare, Prepared, SentCommand};
use serde_json::{Value, json};

use crate::environment::Environment;
use crate::keyboard::{Input, Keyboard};
use crate::screen::{Screen, fold};
use crate::setup;
use crate::trouble::Trouble;
use crate::words::talk as words;
use choices::{Choice, TypedLine};
use follow::{Follower, Moment, Seen};

/// Where a talk is held.
pub struct TalkSetup<'a> {
    pub around: &'a Environment,
    pub screen: &'a Screen,
    pub engine: &'a Engine,
    /// What looks up what must go with commands.
    pub prepare: Option<&'a dyn Prepare>,
    pub application: &'a str,
    pub session: &'a SessionId,
    /// Whether nothing is ever drawn over.
    pub plain: bool,
}

/// A talk.
pub struct Talk<'a> {
    place: TalkSetup<'a>,
    host: Arc<dyn AnyApplication>,
    follower: Follower,
    keyboard: Keyboard,
    /// Lines that nobody has taken yet.
    waiting: VecDeque<String>,
    has_left: bool,
    floor: Floor,
    rests: bool,
    /// The last moment of rest that was shown.
    shown: Option<Seq>,
    /// The last line that was shown: a question is not put twice.
    said: String,
    /// What is sent after one more yes.
    pending: Option<Choice>,
}

/// Whether the talk goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GoesOn {
    Yes,
    No,
}

impl<'a> Talk<'a> {
    /// Begins it.
    pub fn begin(place: TalkSetup<'a>) -> Result<Self, Trouble> {
        let TalkSetup { around, screen, engine, session, .. } = place;
        let unknown = || Declined::UnknownApplication(place.application.to_owned());
        let host = engine.applications().find(place.application).ok_or_else(unknown)?;
        let draws = screen.is_lively() && !place.plain && around.attended;
        let keyboard = Keyboard::open(draws, screen.paint, around.data.join("history"), Box::new(|_| Vec::new()));
        Ok(Self {
            follower: Follower::of(engine, host.clone(), session, screen.lang),
            host,
            keyboard,
            waiting: VecDeque::new(),
            has_left: false,
            floor: Floor::default(),
            rests: false,
            shown: None,
            said: String::new(),
            pending: None,
            place,
        })
    }

    /// Holds it to its end.
    pub async fn hold(mut self) -> Result<(), Trouble> {
        loop {
            let goes_on = tokio::select! {
                seen = self.follower.next() => self.see(seen?).await?,
                typed = self.keyboard.next(), if !self.has_left => self.typed(typed.input).await?,
            };
            if goes_on == GoesOn::No {
                self.keyboard.lift();
                return Ok(());
            }
        }
    }

    async fn see(&mut self, seen: Seen) -> Result<GoesOn, Trouble> {
        match seen {
            Seen::Line(seq, line) if self.place.screen.json => {
                self.place.screen.value(&json!({"seq": seq, "line": line}))?;
            }
            Seen::Line(_, line) => {
                let text = draw::line(self.place.screen, self.host.about(), &line);
                if !text.is_empty() {
                    self.say(&text)?;
                    self.said = line.text;
                }
            }
            Seen::Written if self.keyboard.draws() => {
                let width = self.place.screen.width();
                let words = self.follower.writing();
                self.keyboard.write(words.iter().flat_map(|words| fold(words, width)).collect());
                self.keyboard.lay(words::at_work(self.place.screen.lang), words::PROMPT);
            }
            Seen::Written => {}
            Seen::Quiet => return self.look().await,
        }
        Ok(GoesOn::Yes)
    }

    /// Looks where the session stands, and shows what may be done once it rests.
    async fn look(&mut self) -> Result<GoesOn, Trouble> {
        let Moment { seq, standing, floor, rests } = self.follower.moment().await?;
        (self.floor, self.rests) = (floor, rests);
        let (screen, lang) = (self.place.screen, self.place.screen.lang);
        if !rests {
            self.keyboard.lay(words::at_work(lang), words::PROMPT);
            return Ok(GoesOn::Yes);
        }
        if self.shown != Some(seq) {
            self.shown = Some(seq);
            self.keyboard.write(Vec::new());
            if screen.json {
                screen.value(&json!({"session": self.place.session, "standing": standing, "floor": self.floor}))?;
            } else {
                let asked = standing.waiting_for.as_deref().filter(|asked| !self.said.contains(*asked));
                let turn = draw::turn(screen, &self.floor, asked);
                if !turn.is_empty() {
                    self.say(&turn)?;
                }
            }
            self.keyboard.lay("", words::PROMPT);
        }
        if standing.phase == Phase::Ended {
            if !screen.json {
                self.say(words::ended(lang))?;
            }
            return Ok(GoesOn::No);
        }
        match self.waiting.pop_front() {
            Some(line) => self.obey(&line).await,
            None if self.has_left => self.leave(),
            None => Ok(GoesOn::Yes),
        }
    }

    async fn typed(&mut self, input: Input) -> Result<GoesOn, Trouble> {
        match input {
            Input::Line(line) if self.place.around.attended => self.obey(&line).await,
            Input::Line(line) => {
                self.waiting.push_back(line);
                Ok(GoesOn::Yes)
            }
            // What was typed before is still sent.
            Input::Gone => {
                self.has_left = true;
                if self.place.around.attended { self.leave() } else { Ok(GoesOn::Yes) }
            }
            Input::Interrupt | Input::Ended => {
                self.keyboard.lift();
                Err(Trouble::Interrupted { under_way: self.place.screen.under_way() })
            }
            Input::Pause => {
                self.keyboard.pause().await;
                Ok(GoesOn::Yes)
            }
            Input::Clear => {
                self.keyboard.clear();
                Ok(GoesOn::Yes)
            }
            Input::Redraw => {
                self.place.screen.measure();
                Ok(GoesOn::Yes)
            }
            Input::Compose | Input::Mode => Ok(GoesOn::Yes),
        }
    }

    /// Does what a line says.
    async fn obey(&mut self, line: &str) -> Result<GoesOn, Trouble> {
        let (screen, lang) = (self.place.screen, self.place.screen.lang);
        if let Some(choice) = self.pending.take() {
            return match plain_answer(line) {
                Some(Verdict::Yes) => self.send(choice.command).await,
                Some(Verdict::No) | None => self.tell(words::left_undone(lang)),
            };
        }
        if screen.json
            && let Ok(command @ Value::Object(_)) = serde_json::from_str(line)
        {
            return self.send(command).await;
        }
        match choices::read(line, &self.floor) {
            TypedLine::Send(command) => self.send(command).await,
            TypedLine::Answer(verdict, note) => self.answer(verdict, note).await,
            TypedLine::AskAgain(choice) => {
                let text = words::asks_again(lang, &choice.label, choice.about.as_deref());
                self.pending = Some(choice);
                self.tell(&text)
            }
            TypedLine::Show => {
                let text = draw::whole(screen, &self.floor);
                self.tell(&text)
            }
            TypedLine::Help => self.tell(words::help(lang)),
            TypedLine::Leave => self.leave(),
            TypedLine::Unknown(order) => self.tell(&words::unknown(lang, &order)),
            TypedLine::NothingToSay => self.tell(words::nothing_to_say(lang)),
            TypedLine::Empty => Ok(GoesOn::Yes),
        }
    }

    async fn answer(&mut self, verdict: Verdict, note: Option<String>) -> Result<GoesOn, Trouble> {
        let given = Given { verdict, note, scope: Scope::Once, picks: Vec::new(), left: Vec::new() };
        let gate = self.floor.gate.as_ref().map(|gate| gate.id.clone()).unwrap_or_default();
        match self.host.answer_gate(&gate, given) {
            Some(command) => self.send(command).await,
            None => self.tell(words::nothing_to_say(self.place.screen.lang)),
        }
    }

    /// Sends a command. A person who is refused is told and may try again; without one, the refusal is the end.
    async fn send(&mut self, command: Value) -> Result<GoesOn, Trouble> {
        let TalkSetup { around, screen, engine, session, prepare, .. } = self.place;
        let sent = SentCommand { session, opens: false, command, lang: screen.lang };
        let Prepared { first, command, remarks } = prepared(prepare, sent).await?;
        for remark in remarks {
            self.tell(&remark.text)?;
        }
        for command in first.into_iter().chain([command]) {
            match setup::submit(engine, session, command, &setup::new_key()).await {
                Ok(_) => self.rests = false,
                Err(Declined::Refused(refused)) if around.attended => {
                    let said = refused.say(screen.lang);
                    return self.tell(&screen.paint.warn(&said.in_one()));
                }
                Err(declined) => return Err(declined.into()),
            }
        }
        if let Some(prepare) = prepare {
            prepare.accepted(session).await;
        }
        Ok(GoesOn::Yes)
    }

    fn leave(&mut self) -> Result<GoesOn, Trouble> {
        if !self.place.screen.json {
            let session = setup::short_id(self.place.session);
            self.say(&words::left(self.place.screen.lang, session))?;
        }
        Ok(GoesOn::No)
    }

    fn tell(&mut self, text: &str) -> Result<GoesOn, Trouble> {
        self.say(text)?;
        Ok(GoesOn::Yes)
    }

    fn say(&mut self, text: &str) -> Result<(), Trouble> {
        if self.keyboard.draws() {
            self.keyboard.say(text);
            return Ok(());
        }
        self.place.screen.say(text)
    }
}

/// A command as it is to be submitted, with what its application looks up before.
pub async fn prepared(prepare: Option<&dyn Prepare>, sent: SentCommand<'_>) -> Result<Prepared, Trouble> {
    match prepare {
        Some(prepare) => Ok(prepare.prepare(sent).await?),
        None => Ok(Prepared::plain(sent.command)),
    }
}
