//! `enza drill`: a worker for crash tests. Scripted people go through sessions until all of them have ended.
//!
//! It may be killed at any moment and started again: sessions have fixed names, and every command's key comes from
//! the event it answers, so a command that was accepted is not accepted again and one that was lost is sent again.
//! Every acknowledged command is one JSON line on standard output. Several drills may share a database; whatever is
//! refused because another was faster is normal.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use enza_kernel::application::Phase;
use enza_kernel::time::Seq;
use enza_models::understudy::Understudy;
use enza_runtime::engine::{Declined, Engine, Receipt, Submission};
use enza_runtime::seams::store::{SessionId, SessionOpening};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::arguments::Drill;
use crate::environment::Environment;
use crate::part::DrillScript;
use crate::setup::{self, ModelSetup, OWNER, Workplace};
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
    let scripts: Vec<_> = around.applications.iter().filter_map(|one| one.drill.clone()).collect();
    let players = ModelSetup::understudy(Understudy::slow(around.applications.registry(), 1..9));
    let place = Workplace::open(around).await?;
    let tools = scripts.iter().fold(place.tools(), |tools, script| script.tools(around, tools));
    let working = place.start(&players, tools);
    let mut people = JoinSet::new();
    // Each person keeps to one application, by turns.
    for (number, script) in (0..order.sessions).zip(scripts.iter().cycle().cloned()) {
        let (engine, journal) = (working.engine.clone(), journal.clone());
        people.spawn(async move {
            for round in 0..order.rounds {
                let (engine, journal, script) = (engine.clone(), journal.clone(), script.clone());
                Scripted { engine, journal, script, number, round }.play().await?;
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
    script: Arc<dyn DrillScript>,
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
                    let (command, said) = self.script.next(self.number, &session, live.seq(), &*live);
                    let key = format!("turn-{}", live.seq());
                    let sent = self.engine.submit(&session, submission(command, &key)).await;
                    self.take(&session, &key, said, sent).await?;
                }
            }
        }
    }

    async fn open(&self, session: &SessionId) -> Result<(), Trouble> {
        let key = "open";
        let command = self.script.opening();
        loop {
            let opening = SessionOpening::new(self.script.application(), OWNER);
            let sent = self.engine.open(session, opening, submission(command.clone(), key)).await;
            let is_open = matches!(sent, Ok(_) | Err(Declined::NameTaken(_)));
            self.take(session, key, None, sent).await?;
            if is_open {
                return Ok(());
            }
        }
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

fn submission(command: Value, key: &str) -> Submission {
    Submission { command, by: setup::person(), key: Some(key.to_owned()) }
}
