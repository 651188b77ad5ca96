//! The four kinds of session together, by the real engine: debaters are raised, drawn, seated, steered and told, and what is
//! said of a debate shapes the next one. Understudies speak; the clock follows tokio's, which is paused.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use enza_deliberation::debate::{DebateCommand, DebateState, Stage};
use enza_deliberation::topic::{TopicCommand, TopicSettings};
use enza_deliberation::{
    Debater, DebaterCommand, Debates, HouseRules, Stable, StableCommand, Topics, of_words, stable_of,
};
use enza_kernel::application::Phase;
use enza_kernel::effect::RunTool;
use enza_kernel::text::Lang;
use enza_kernel::time::{Actor, Timestamp};
use enza_models::understudy::Understudy;
use enza_runtime::engine::{Declined, Engine, Receipt, Setup, Submission};
use enza_runtime::host::ApplicationRegistry;
use enza_runtime::seams::clock::Clock;
use enza_runtime::seams::store::{Filter, Rows, SessionId, SessionOpening};
use enza_runtime::seams::tools::{ToolFailure, Tools};
use enza_storage::Memory;
use serde_json::{Value, json};
use tokio::time::Instant;

/// Who raises debaters, with the values of each one's first.
const OWNERS: [(&str, [&str; 3]); 3] = [
    ("ada", ["fairness", "empathy", "peace"]),
    ("bob", ["diversity", "kindness", "gratitude"]),
    ("cyd", ["peace", "gratitude", "fairness"]),
];
/// Whose topic it is.
const HOST: &str = "hana";

struct PausedClock(Instant);

impl Clock for PausedClock {
    fn now(&self) -> Timestamp {
        Timestamp(1_800_000_000_000) + self.0.elapsed()
    }
}

struct NoTools;

#[async_trait]
impl Tools for NoTools {
    async fn run(&self, _session: &SessionId, run: &RunTool) -> Result<String, ToolFailure> {
        panic!("nobody here has tools: {run:?}")
    }
}

struct Circle {
    engine: Engine,
    topic: SessionId,
}

fn registry() -> ApplicationRegistry {
    ApplicationRegistry::default()
        .with(Stable::new(HouseRules::default()))
        .with(Debater::new())
        .with(Debates::new())
        .with(Topics { defaults: TopicSettings::default() })
}

fn debater_of(owner: &str) -> SessionId {
    SessionId::of(of_words(&["first debater", owner]))
}

fn by(person: &str, command: impl serde::Serialize) -> Submission {
    let command = serde_json::to_value(command).unwrap();
    Submission { command, by: Actor::Person(person.to_owned()), key: None }
}

impl Circle {
    /// Three people with a debater each, and a topic.
    async fn with_three() -> Self {
        let setup =
            Setup::new(Arc::new(Memory::new()), Arc::new(Understudy::new(registry())), Arc::new(NoTools), registry());
        let engine = Engine::start(Setup { clock: Arc::new(PausedClock(Instant::now())), ..setup });
        for (owner, values) in OWNERS {
            let create = StableCommand::Create {
                debater: debater_of(owner).to_string(),
                name: format!("{owner}'s debater"),
                values: values.map(str::to_owned).to_vec(),
                lang: Lang::En,
                tutorial: None,
            };
            let opening = SessionOpening::new("debate-stable", owner);
            engine.open(&SessionId::of(stable_of(owner)), opening, by(owner, create)).await.unwrap();
        }
        let topic = SessionId::of(of_words(&["the topic"]));
        let settings = TopicSettings {
            participants: 3,
            mode: "free_discussion".to_owned(),
            turns: 3,
            window_seconds: 60,
            schedule: None,
            ..TopicSettings::default()
        };
        let begin = TopicCommand::Begin {
            id: Some(topic.to_string()),
            title: "Should the library open on Sundays?".to_owned(),
            description: "The town has one library, and money for one more day.".to_owned(),
            lang: Lang::En,
            settings: Some(settings),
            owner: None,
        };
        engine.open(&topic, SessionOpening::new("debate-topic", HOST), by(HOST, begin)).await.unwrap();
        tokio::time::sleep(Duration::from_secs(300)).await;
        Self { engine, topic }
    }

    async fn tell(
        &self,
        session: &SessionId,
        person: &str,
        command: impl serde::Serialize,
    ) -> Result<Receipt, Declined> {
        self.engine.submit(session, by(person, command)).await
    }

    /// Has the topic draw, and gives the debate that is opened by it.
    async fn run_now(&self) -> SessionId {
        let before = self.debates().await;
        self.tell(&self.topic, HOST, TopicCommand::RunNow).await.unwrap();
        tokio::time::sleep(Duration::from_secs(10)).await;
        let mut opened = self.debates().await;
        opened.retain(|debate| !before.contains(debate));
        assert_eq!(opened.len(), 1, "one debate is opened: {:#}", self.json(&self.topic).await);
        opened.remove(0)
    }

    async fn debates(&self) -> Vec<SessionId> {
        let filter = Filter { application: Some("debate".to_owned()), ..Filter::default() };
        let rows = self.engine.store().list(&filter).await.unwrap();
        rows.into_iter().map(|row| row.id).collect()
    }

    async fn debate(&self, debate: &SessionId) -> DebateState {
        self.engine.state::<Debates>(debate).await.unwrap().1
    }

    async fn json(&self, session: &SessionId) -> Value {
        self.engine.present(session).await.unwrap().1.to_json()
    }

    /// The rows of how a debater has grown.
    async fn changes(&self, debater: &SessionId) -> Vec<Value> {
        let rows = self.engine.store().rows("persona_changes", Rows::Session(debater)).await.unwrap();
        rows.into_iter().map(|row| row.content).collect()
    }

    /// Lets everything come to its end.
    async fn end(&self) {
        tokio::time::sleep(Duration::from_secs(3_600)).await;
        for row in self.engine.store().list(&Filter::default()).await.unwrap() {
            assert_ne!(row.standing.phase, Phase::Working, "{} {:?}", row.application, row.standing);
            let replay = self.engine.replay(&row.id).await.unwrap();
            assert!(replay.prompts_that_differ.is_empty(), "{}: {replay:?}", row.application);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn three_debaters_are_drawn_steered_and_told_and_feedback_leads_to_a_strategy() {
    let circle = Circle::with_three().await;
    let first = circle.run_now().await;
    let state = circle.debate(&first).await;
    assert_eq!(state.seats.len(), 3);
    assert!(matches!(state.stage, Stage::Waiting { turn: 1, .. }), "{:?}", state.stage);

    let ada = debater_of("ada");
    let direct =
        |turn| DebateCommand::Direct { debater: ada.to_string(), turn, text: "Begin with a question".to_owned() };
    circle.tell(&first, "ada", direct(1)).await.unwrap();
    assert!(circle.tell(&first, "ada", direct(2)).await.is_err(), "a turn that is still to come takes no direction");
    let not_hers = DebateCommand::Direct { debater: debater_of("bob").to_string(), turn: 1, text: "No".to_owned() };
    assert!(circle.tell(&first, "ada", not_hers).await.is_err(), "nobody steers another's debater");
    circle.end().await;

    let state = circle.debate(&first).await;
    assert_eq!(state.statements.len(), 9, "three turns of three");
    assert!(state.errands.is_empty(), "everyone was told: {:?}", state.errands);
    let steered = state.statements.iter().find(|one| one.seat == seat_of(&state, &ada) && one.turn == 1).unwrap();
    let sentence = steered.content.split_inclusive(['.', '?', '!']).next().unwrap();
    assert!(sentence.ends_with('?'), "{}", steered.content);

    let feedback =
        DebaterCommand::GiveFeedback { debate: first.to_string(), content: "Give more examples.".to_owned() };
    circle.tell(&ada, "ada", feedback).await.unwrap();
    circle.end().await;
    let second = circle.run_now().await;
    circle.end().await;
    let strategies = circle.engine.store().rows("session_strategies", Rows::All).await.unwrap();
    let of: Vec<_> = strategies.iter().map(|row| (row.session.clone(), row.content["agent_id"].clone())).collect();
    assert_eq!(of, [(second, json!(ada.as_str()))]);
    // The feedback was not applied when the second debate ended: now it is (DEL-85 to DEL-90).
    let versions: Vec<_> = circle.changes(&ada).await;
    assert_eq!(versions.len(), 1, "{versions:?}");
}

#[tokio::test(start_paused = true)]
async fn what_would_have_been_said_without_the_direction_is_seen_in_a_fork_that_reaches_nobody() {
    let circle = Circle::with_three().await;
    let first = circle.run_now().await;
    let ada = debater_of("ada");
    let direct = DebateCommand::Direct { debater: ada.to_string(), turn: 1, text: "Begin with a question".to_owned() };
    circle.tell(&first, "ada", direct).await.unwrap();
    circle.end().await;
    let state = circle.debate(&first).await;
    let told = circle.json(&ada).await;

    let (fork, seat) = (SessionId::of("what if"), seat_of(&state, &ada));
    let command = json!(DebateCommand::Counterfactual { turn: 1, seat: seat.clone(), direction: None });
    let submission = Submission { command, by: Actor::Runtime, key: None };
    circle.engine.what_if(&first, state.fork_before(1), &fork, "ada", submission).await.unwrap();
    circle.end().await;
    let other = circle.debate(&fork).await;
    assert_eq!(other.statements.len(), 9);
    let without = other.statement(1, &seat).unwrap();
    assert_ne!(without.content, state.statement(1, &seat).unwrap().content, "the direction had no effect");
    assert!(other.differing_from(&state, 1) >= 1);
    // The debate itself and the debater know nothing of it.
    assert_eq!(circle.debate(&first).await, state);
    assert_eq!(circle.json(&ada).await, told);
}

#[tokio::test(start_paused = true)]
async fn whoever_is_alone_sits_down_with_three_partners_of_the_house_once() {
    let circle = Circle::with_three().await;
    let stable = SessionId::of(stable_of("ada"));
    let begin = |debate: &str| StableCommand::BeginTutorial {
        debater: debater_of("ada").to_string(),
        debate: debate.to_owned(),
    };
    let debate = SessionId::of(of_words(&["the tutorial"]));
    circle.tell(&stable, "ada", begin(debate.as_str())).await.unwrap();
    assert!(circle.tell(&stable, "ada", begin(&of_words(&["another"]))).await.is_err(), "one tutorial a person");
    circle.end().await;
    let state = circle.debate(&debate).await;
    assert_eq!((state.seats.len(), state.statements.len()), (4, 12), "three turns of four");
    assert_eq!(state.seats.iter().filter(|seat| seat.brief.owner.is_none()).count(), 3);
    assert!(state.statements.iter().all(|one| !one.content.is_empty()), "{:#?}", state.statements);
}

fn seat_of(state: &DebateState, debater: &SessionId) -> String {
    let seat = state.seats.iter().find(|seat| seat.brief.debater == debater.as_str()).unwrap();
    seat.word.clone()
}
