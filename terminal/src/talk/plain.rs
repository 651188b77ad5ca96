//! A talk in a session of whatever application, by its lines and floors alone.
//!
//! An application that has no orders of its own can be used so. With someone at the keyboard a line is sent when it is
//! typed. Without, lines are taken from standard input one at a time, each once the session rests, and the end of them is
//! the end of the talk: a script can write them all beforehand. With `--json` every line and every floor is one JSON value,
//! and a typed line that is an object is sent as a command.

use std::sync::Arc;

use async_trait::async_trait;
use enza_kernel::application::Phase;
use enza_kernel::floor::Floor;
use enza_kernel::gate::{Given, Verdict, plain_answer, typed_answer};
use enza_kernel::time::Seq;
use enza_runtime::engine::{Declined, Engine, SeenEvent};
use enza_runtime::host::{AnyApplication, SessionState};
use enza_runtime::seams::model::Piece;
use enza_runtime::seams::store::{Recorded, SessionId};
use enza_server::prepare::{Prepare, Prepared, SentCommand};
use serde_json::{Value, json};

use super::choices::{self, Choice, TypedLine};
use super::console::{Console, LinePace, TimedLine};
use super::draw;
use super::follow::{Drafts, Follower, Moment};
use super::spoken::SpokenSoFar;
use super::{GoesOn, Rest, TalkPart, hold};
use crate::environment::Environment;
use crate::keyboard::Keyboard;
use crate::screen::{Screen, fold};
use crate::setup;
use crate::trouble::Trouble;
use crate::words::talk as words;

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

/// A talk by lines and floors.
pub struct PlainTalk<'a> {
    place: TalkSetup<'a>,
    host: Arc<dyn AnyApplication>,
    console: Console<'a, SpokenDrafts>,
    floor: Floor,
    /// The last moment of rest that was shown.
    shown: Option<Seq>,
    /// The last line that was shown: a question is not put twice.
    said: String,
    /// What is sent after one more yes.
    pending: Option<Choice>,
}

/// The words of replies that are for a person, as an application says which those are.
pub struct SpokenDrafts {
    host: Arc<dyn AnyApplication>,
    /// Knows a reply when it sees one; no state is kept in it.
    reader: Box<dyn SessionState>,
}

impl Drafts for SpokenDrafts {
    type Draft = SpokenSoFar;

    fn take(&self, draft: &mut SpokenSoFar, piece: &Piece) {
        draft.take(piece, |tool| self.host.spoken(tool));
    }

    fn ended_by(&self, recorded: &Recorded) -> Option<String> {
        self.reader.prompt_of(recorded).map(|reply| reply.thread)
    }
}

impl<'a> PlainTalk<'a> {
    /// Begins it.
    pub fn begin(place: TalkSetup<'a>) -> Result<Self, Trouble> {
        let TalkSetup { around, screen, engine, session, .. } = place;
        let unknown = || Declined::UnknownApplication(place.application.to_owned());
        let host = engine.applications().find(place.application).ok_or_else(unknown)?;
        let draws = screen.is_lively() && !place.plain && around.attended;
        let history = Some(around.data.join("history"));
        let keyboard = Keyboard::open(draws, screen.paint, history, Box::new(|_| Vec::new()));
        let drafts = SpokenDrafts { host: host.clone(), reader: host.fresh() };
        let follower = Follower::from(engine, session, Seq::START, drafts);
        let pace = if around.attended { LinePace::AtOnce } else { LinePace::AtRest };
        Ok(Self {
            console: Console::new(screen, keyboard, follower, pace),
            host,
            floor: Floor::default(),
            shown: None,
            said: String::new(),
            pending: None,
            place,
        })
    }

    /// Holds it to its end.
    pub async fn hold(mut self) -> Result<(), Trouble> {
        hold(&mut self).await
    }

    /// What waits and what is offered, once for each moment of rest.
    fn show(&mut self, moment: &Moment) -> Result<(), Trouble> {
        let screen = self.place.screen;
        if screen.json {
            let session = self.place.session;
            return screen.value(&json!({"session": session, "standing": moment.standing, "floor": self.floor}));
        }
        let asked = moment.standing.waiting_for.as_deref().filter(|asked| !self.said.contains(*asked));
        let turn = draw::turn(screen, &self.floor, asked);
        if turn.is_empty() { Ok(()) } else { self.console.say(&turn) }
    }

    /// Whether a line is an answer that nobody could have meant for the question that is open now. Lines that were written
    /// beforehand are meant for whatever comes.
    async fn is_too_early(&mut self, line: &TimedLine) -> Result<bool, Trouble> {
        let moment = self.console.follower.moment().await?;
        self.floor = moment.state.floor(&moment.reader, self.place.screen.lang);
        let is_answer = self.pending.is_none() && typed_answer(&line.text).is_some();
        let gate = self.floor.gate.as_ref().map(|gate| gate.id.as_str());
        Ok(is_answer && self.console.is_too_early(gate, moment.standing.phase, line.at))
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
        let given = Given::new(verdict, note);
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
                Ok(_) => {}
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
            self.console.say(&words::left(self.place.screen.lang, session))?;
        }
        Ok(GoesOn::No)
    }

    fn tell(&mut self, text: &str) -> Result<GoesOn, Trouble> {
        self.console.say(text)?;
        Ok(GoesOn::Yes)
    }
}

#[async_trait(?Send)]
impl<'a> TalkPart<'a> for PlainTalk<'a> {
    type Drafts = SpokenDrafts;

    fn console(&mut self) -> &mut Console<'a, SpokenDrafts> {
        &mut self.console
    }

    async fn happened(&mut self, event: &SeenEvent) -> Result<(), Trouble> {
        let screen = self.place.screen;
        let Some(line) = event.line(screen.lang) else { return Ok(()) };
        if screen.json {
            return screen.value(&json!({"seq": event.seq(), "line": line}));
        }
        let text = draw::line(screen, self.host.about(), &line);
        if !text.is_empty() {
            self.console.say(&text)?;
            self.said = line.text;
        }
        Ok(())
    }

    fn words(&self) -> Vec<String> {
        let width = self.place.screen.width();
        self.console.follower.drafts().flat_map(|said| fold(&said.words(), width)).collect()
    }

    async fn at_work(&mut self, moment: Moment) -> Result<(), Trouble> {
        let lang = self.place.screen.lang;
        self.floor = moment.state.floor(&moment.reader, lang);
        // A question that is gone, or is another one, has not been shown.
        let gate = self.floor.gate.as_ref().map(|gate| gate.id.as_str());
        self.console.asks(gate.filter(|gate| self.console.has_asked(gate)));
        self.console.stands(words::at_work(lang), words::PROMPT);
        Ok(())
    }

    async fn rest(&mut self, moment: Moment) -> Result<Rest, Trouble> {
        let (screen, lang) = (self.place.screen, self.place.screen.lang);
        self.floor = moment.state.floor(&moment.reader, lang);
        // Before it is shown: whoever answers has seen it.
        self.console.asks(self.floor.gate.as_ref().map(|gate| gate.id.as_str()));
        if self.shown != Some(moment.seq) {
            self.shown = Some(moment.seq);
            self.show(&moment)?;
        }
        self.console.stands("", words::PROMPT);
        self.console.lay();
        if moment.standing.phase != Phase::Ended {
            return Ok(Rest::Waits);
        }
        if !screen.json {
            self.console.say(words::ended(lang))?;
        }
        Ok(Rest::Ends)
    }

    async fn line(&mut self, line: TimedLine) -> Result<GoesOn, Trouble> {
        if self.place.around.attended && self.is_too_early(&line).await? {
            let told = self.console.hold_back(&line.text);
            return self.tell(&self.place.screen.faintly(told));
        }
        self.obey(&line.text).await
    }

    async fn left(&mut self) -> Result<GoesOn, Trouble> {
        self.leave()
    }
}

/// A command as it is to be submitted, with what its application looks up before.
pub async fn prepared(prepare: Option<&dyn Prepare>, sent: SentCommand<'_>) -> Result<Prepared, Trouble> {
    match prepare {
        Some(prepare) => Ok(prepare.prepare(sent).await?),
        None => Ok(Prepared::plain(sent.command)),
    }
}
