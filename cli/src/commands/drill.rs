//! `enza drill`: a worker for crash tests. Scripted people go through interviews until all of them have ended.
//!
//! It may be killed at any moment and started again: sessions have fixed names, and every command's key comes from
//! the event it answers, so a command that was accepted is not accepted again and one that was lost is sent again.
//! Every acknowledged command is one JSON line on standard output. Several drills may share a database; whatever is
//! refused because another was faster is normal.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use enza_interview::{Absence, Command, Form, Open, State};
use enza_kernel::application::Phase;
use enza_kernel::gate::Verdict;
use enza_kernel::text::Lang;
use enza_kernel::time::Seq;
use enza_models::understudy::Understudy;
use enza_runtime::engine::{Declined, Engine, Receipt, Submission};
use enza_runtime::seams::store::{SessionId, SessionOpening};
use serde_json::json;
use tokio::task::JoinSet;

use crate::arguments::Drill;
use crate::delivery::DeliveryLog;
use crate::environment::Environment;
use crate::setup::{self, ModelSetup, OWNER};
use crate::trouble::Trouble;

/// How long to wait for a change that another process may make.
const LOOK: Duration = Duration::from_millis(200);

/// Runs the drill to its end.
pub async fn run(around: &Environment, order: Drill) -> Result<(), Trouble> {
    let journal = order.journal.as_deref().map(|path| {
        let opened = OpenOptions::new().create(true).append(true).open(path);
        opened.map_err(|why| Trouble::File { path: path.to_owned(), why: why.to_string() })
    });
    let journal = Arc::new(Mutex::new(journal.transpose()?));
    let tools = Arc::new(DeliveryLog { file: around.outbox().join("deliveries.log") });
    let players = ModelSetup::understudy(Understudy::slow(setup::applications(), 1..9));
    let working = setup::start_engine(around, &players, tools).await?;
    let mut people = JoinSet::new();
    for number in 0..order.sessions {
        let (engine, journal) = (working.engine.clone(), journal.clone());
        people.spawn(async move {
            for round in 0..order.rounds {
                Scripted { engine: engine.clone(), journal: journal.clone(), number, round }.play().await?;
            }
            Ok::<_, Trouble>(())
        });
    }
    while let Some(person) = people.join_next().await {
        person.expect("a scripted person does not panic")?;
    }
    working.engine.close().await;
    Ok(())
}

/// A person with a script.
struct Scripted {
    engine: Engine,
    journal: Arc<Mutex<Option<File>>>,
    number: u32,
    round: u32,
}

impl Scripted {
    async fn play(&self) -> Result<(), Trouble> {
        let session = self.session();
        self.open(&session).await?;
        let mut feed = self.engine.watch(&session, Seq::START);
        loop {
            let Ok(live) = self.engine.state_at(&session, None).await else {
                tokio::time::sleep(LOOK).await;
                continue;
            };
            match live.standing().phase {
                Phase::Ended => return Ok(()),
                Phase::Working => {
                    let _ = tokio::time::timeout(LOOK, feed.next()).await;
                }
                Phase::Waiting | Phase::Gate | Phase::Stuck => {
                    let state = serde_json::from_slice(&live.to_snapshot()).expect("a state reads what it wrote");
                    let (command, said) = self.next(&state, live.seq());
                    let key = format!("turn-{}", live.seq());
                    let sent = self.engine.submit(&session, submission(&command, &key)).await;
                    self.take(&session, &key, said, sent).await?;
                }
            }
        }
    }

    async fn open(&self, session: &SessionId) -> Result<(), Trouble> {
        let key = "open";
        let command = Command::Open(Box::new(Open::at_home(Form::sample(Lang::En))));
        loop {
            let sent =
                self.engine.open(session, SessionOpening::new("interview", OWNER), submission(&command, key)).await;
            let is_open = matches!(sent, Ok(_) | Err(Declined::NameTaken(_)));
            self.take(session, key, None, sent).await?;
            if is_open {
                return Ok(());
            }
        }
    }

    /// What the script says now, and the words that must be found in the log.
    fn next(&self, state: &State, seq: Seq) -> (Command, Option<String>) {
        if let Some(gate) = state.gate() {
            return (self.at_gate(state, gate.id.clone()), None);
        }
        if state.is_undelivered() {
            return (Command::RetryDelivery, None);
        }
        if state.failure().is_some() {
            return (Command::RetryModel, None);
        }
        let is_optional = state.current().is_some_and(|(field, _)| !field.required);
        if is_optional && self.number.is_multiple_of(3) {
            return (Command::Skip { absence: Absence::Skipped }, None);
        }
        let text = format!("{} says this at {seq}", self.session());
        (Command::Say { text: text.clone() }, Some(text))
    }

    /// Submits, some after changing an answer. Of a delivery that was cut off the person says that it is done.
    fn at_gate(&self, state: &State, gate: String) -> Command {
        if gate.starts_with("redeliver") {
            return Command::Confirm { gate, verdict: Verdict::No, note: None };
        }
        if self.number % 5 == 1 && gate == "submit-1" {
            return Command::ChangeAnswer { field_id: state.form().fields[1].field_id.clone() };
        }
        Command::Confirm { gate, verdict: Verdict::Yes, note: None }
    }

    async fn take(
        &self,
        session: &SessionId,
        key: &str,
        said: Option<String>,
        sent: Result<Receipt, Declined>,
    ) -> Result<(), Trouble> {
        match sent {
            Ok(receipt) => self.acknowledged(session, key, receipt, said),
            // Another drill was faster, or answers the same gate: look again.
            Err(Declined::Refused(_) | Declined::Contended | Declined::NameTaken(_)) => {
                tokio::time::sleep(Duration::from_millis(fastrand::u64(1..20))).await;
                Ok(())
            }
            Err(Declined::Failed(failure)) if failure.may_retry() => {
                tokio::time::sleep(LOOK).await;
                Ok(())
            }
            Err(
                declined @ (Declined::Failed(_)
                | Declined::UnknownSession(_)
                | Declined::UnknownApplication(_)
                | Declined::Malformed(_)
                | Declined::TooLarge { .. }),
            ) => Err(declined.into()),
        }
    }

    fn acknowledged(
        &self,
        session: &SessionId,
        key: &str,
        receipt: Receipt,
        said: Option<String>,
    ) -> Result<(), Trouble> {
        let line = format!("{}\n", json!({"session": session, "key": key, "seq": receipt.seq, "said": said}));
        let mut journal = self.journal.lock().expect("journal");
        if let Some(file) = journal.as_mut() {
            file.write_all(line.as_bytes()).map_err(|_| Trouble::NobodyReads)?;
        }
        let mut out = std::io::stdout().lock();
        out.write_all(line.as_bytes()).and_then(|()| out.flush()).map_err(|_| Trouble::NobodyReads)
    }

    fn session(&self) -> SessionId {
        let Self { number, round, .. } = self;
        SessionId::of(if *round == 0 { format!("drill-{number:04}") } else { format!("drill-{number:04}-{round}") })
    }
}

fn submission(command: &Command, key: &str) -> Submission {
    Submission { command: json!(command), by: setup::person(), key: Some(key.to_owned()) }
}
