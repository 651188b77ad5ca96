//! A session in its application's own types: one way to its state and its events, and it lifts what is old.

use enza_kernel::application::{Application, Entry, Phase, Reason, Standing, Stored};
use enza_kernel::conversation::Request;
use enza_kernel::effect::{AskModel, Effect, Outcome};
use enza_kernel::testing::till::Till;
use enza_kernel::text::{Lang, Said};
use enza_kernel::time::{Now, Seq, Timestamp};
use enza_runtime::engine::{Declined, Engine, Setup};
use enza_runtime::host::ApplicationRegistry;
use enza_runtime::seams::store::{Append, Lease, Log as _, NewEvent, SessionOpening};
use serde::{Deserialize, Serialize};

use crate::engine::fixture::{DAWN, EngineFixture, IDLE, id};

/// A log with a past: what is called `to` today was called `name` in version 1.
struct Archive;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Archived {
    Renamed { to: String },
}

#[derive(Debug, Clone, PartialEq)]
struct Never;

impl Reason for Never {
    fn code(&self) -> &'static str {
        "never"
    }

    fn say(&self, _lang: Lang) -> Said {
        Said::new("", "")
    }
}

impl Application for Archive {
    type State = Vec<String>;
    type Event = Archived;
    type Command = ();
    type Refusal = Never;

    const NAME: &'static str = "archive";
    const EVENT_VERSION: u16 = 2;

    fn lift(event: Stored) -> Stored {
        Stored { body: event.body.replace("\"name\":", "\"to\":"), ..event }
    }

    fn evolve(state: &mut Vec<String>, entry: &Entry<Archived>) {
        let Archived::Renamed { to } = &entry.event;
        state.push(to.clone());
    }

    fn decide(&self, _state: &Vec<String>, _command: (), _now: &Now) -> Result<Vec<Archived>, Never> {
        Ok(Vec::new())
    }

    fn due(&self, _state: &Vec<String>) -> Vec<Effect> {
        Vec::new()
    }

    fn request(&self, _state: &Vec<String>, _ask: &AskModel) -> Request {
        Request::default()
    }

    fn settle(&self, _state: &Vec<String>, _effect: &Effect, _outcome: Outcome, _now: &Now) -> Vec<Archived> {
        Vec::new()
    }

    fn standing(_state: &Vec<String>) -> Standing {
        Standing::default()
    }
}

#[tokio::test(start_paused = true)]
async fn state_and_events_in_their_own_types_have_old_events_lifted() {
    let stage = EngineFixture::new();
    let stored = |version, body: &str| Stored { kind: "Renamed".to_owned(), version, body: body.to_owned() };
    let events = vec![stored(1, r#"{"name":"old"}"#), stored(2, r#"{"to":"new"}"#)];
    let append = Append {
        session: id("a"),
        opening: Some(SessionOpening::new("archive", "ada")),
        expected: Seq::START,
        events: events.into_iter().map(|stored| NewEvent { at: Timestamp(DAWN), stored }).collect(),
        accepted: None,
        standing: Standing { phase: Phase::Waiting, ..Standing::default() },
        timers: None,
        rows: Vec::new(),
        usage: Vec::new(),
        snapshot: None,
        lease: Lease::Free,
    };
    stage.memory.append(append).await.unwrap();
    let repertoire = ApplicationRegistry::default().with(Archive).with(Till::new(IDLE));
    let engine = Engine::dormant(Setup { repertoire, ..stage.setup("w1") });
    let (row, state) = engine.state::<Archive>(&id("a")).await.unwrap();
    assert_eq!((row.head, state), (Seq(2), vec!["old".to_owned(), "new".to_owned()]));
    let renamed =
        |seq, to: &str| Entry { seq: Seq(seq), at: Timestamp(DAWN), event: Archived::Renamed { to: to.to_owned() } };
    assert_eq!(engine.entries::<Archive>(&id("a")).await.unwrap(), [renamed(1, "old"), renamed(2, "new")]);
    assert_eq!(engine.state::<Till>(&id("a")).await.unwrap_err(), Declined::UnknownSession(id("a")));
}
