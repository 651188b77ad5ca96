//! The processes of a storm: started, killed, started again, and at last left to finish.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde::Deserialize;

use crate::crash::home::Home;

/// How long the last run may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// What kind of storm.
pub struct Plan {
    /// Processes at once.
    pub workers: usize,
    /// Sessions that each goes through.
    pub sessions: u32,
    /// Kills before they are left alone.
    pub kills: u32,
    /// Where the moments come from.
    pub seed: u64,
}

/// A command that a process said was accepted.
#[derive(Debug, Clone, Deserialize)]
pub struct Acknowledged {
    pub session: String,
    /// The idempotency key it was sent with.
    pub key: String,
    /// The last event it led to.
    pub seq: u64,
    /// The words that must be in the log.
    pub said: Option<String>,
}

type Lines = Arc<Mutex<Vec<Acknowledged>>>;

/// The processes.
pub struct DrillWorkers<'a> {
    home: &'a Home,
    plan: Plan,
    heard: Lines,
    rounds: u32,
    running: Vec<Running>,
}

struct Running {
    child: Child,
    ear: JoinHandle<()>,
}

impl<'a> DrillWorkers<'a> {
    /// Starts them.
    pub fn start(home: &'a Home, plan: Plan) -> Self {
        let mut crew = Self { home, plan, heard: Lines::default(), rounds: 1, running: Vec::new() };
        crew.running = (0..crew.plan.workers).map(|_| crew.one_more()).collect();
        crew
    }

    /// Kills one after another at random moments, then lets all finish. Returns everything that was acknowledged.
    pub fn kill_and_finish(mut self) -> Vec<Acknowledged> {
        let mut chance = fastrand::Rng::with_seed(self.plan.seed);
        let mut kills = 0;
        while kills < self.plan.kills {
            std::thread::sleep(Duration::from_millis(chance.u64(20..450)));
            let victim = chance.usize(0..self.plan.workers);
            if self.running[victim].child.try_wait().unwrap().is_some() {
                // All is done: there must be more to do before there can be more to interrupt.
                self.rounds += 2;
            } else {
                self.running[victim].child.kill().unwrap();
                kills += 1;
            }
            let next = self.one_more();
            std::mem::replace(&mut self.running[victim], next).bury();
        }
        for running in std::mem::take(&mut self.running) {
            running.finish();
        }
        self.one_more().finish();
        println!("{kills} kills, {} rounds", self.rounds);
        self.heard.lock().unwrap().clone()
    }

    fn one_more(&self) -> Running {
        let mut child = Command::new(env!("CARGO_BIN_EXE_enza"))
            .arg("--data")
            .arg(self.home.data())
            .args(["--database", &self.home.database, "--lang", "en", "drill"])
            .args(["--sessions", &self.plan.sessions.to_string(), "--rounds", &self.rounds.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (out, heard) = (child.stdout.take().unwrap(), self.heard.clone());
        let ear = std::thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                let line = serde_json::from_str(&line).unwrap_or_else(|why| panic!("{line:?}: {why}"));
                heard.lock().unwrap().push(line);
            }
        });
        Running { child, ear }
    }
}

impl Running {
    /// Takes leave of a process that was killed or has ended by itself.
    fn bury(mut self) {
        let status = self.child.wait().unwrap();
        if status.code().is_some_and(|code| code != 0) {
            self.complain();
        }
        self.ear.join().unwrap();
    }

    /// Lets a process finish, in bounded time.
    fn finish(mut self) {
        let began = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if began.elapsed() > PATIENCE {
                self.child.kill().unwrap();
                self.child.wait().unwrap();
                panic!("the sessions did not come to their end in {PATIENCE:?}");
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        if !status.success() {
            self.complain();
        }
        self.ear.join().unwrap();
    }

    fn complain(&mut self) {
        let mut text = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        panic!("a drill failed: {text}");
    }
}
