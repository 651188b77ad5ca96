//! A session in memory with a folder that is a map: verdicts are scripted, orders are carried out at once.

use std::collections::BTreeMap;

use enza_companion::{
    Command, Companion, Event, KeepRule, Open, Refusal, Rule, Scope, Settings, State, Status, Step, When,
};
use enza_kernel::application::{Application, Entry};
use enza_kernel::conversation::{Digest, PromptPrefix, Reply, Request, Role, Usage};
use enza_kernel::effect::{AskModel, Effect, Outcome, RunTool};
use enza_kernel::gate::{Gate, Verdict as Yes};
use enza_kernel::reader::Reader;
use enza_kernel::text::Lang;
use enza_kernel::time::{Actor, Now, Seq, Timestamp};
use enza_work::hazard::names_secrets;
use enza_work::pattern::path_fits;
use enza_work::{
    Change, ChosenChange, Fault, Finding, Job, NotRestored, Order, PreparedChange, Proposal, ReadLines, Receipt,
    RestoreResult, RunEnd, RunResult, SideEffects,
};
use serde_json::{Value, json};

pub struct World {
    pub app: Companion,
    pub state: State,
    pub log: Vec<Entry<Event>>,
    pub time: Timestamp,
    /// The folder of work.
    pub files: BTreeMap<String, String>,
    /// Every command that was run.
    pub ran: Vec<String>,
    /// How the next commands end; 0 where nothing is said.
    pub statuses: Vec<i32>,
    /// What the next commands change: each a path and what it holds then.
    pub commanded: Vec<(String, String)>,
    /// What is found about changes to a path.
    pub findings: BTreeMap<String, Vec<Finding>>,
    /// What commands may have changed that cannot be taken back.
    pub beyond: SideEffects,
    /// What commands that fail are kept from reading, unless it was opened to them.
    pub kept_from: Option<String>,
    /// Every commit: its message and its files.
    pub commits: Vec<(String, Vec<String>)>,
    /// Every rule that was written down for the project.
    pub written: Vec<Rule>,
    kept: BTreeMap<Digest, String>,
    beginning: PromptPrefix,
}

/// A verdict with what every one must have.
pub fn verdict(more: Value) -> Value {
    let mut verdict = json!({
        "rationale": "because it was asked for",
        "goal_consistency": "yes",
        "constraint_check": "yes",
        "next_step": "continue",
        "step": "PLANNING",
        "prompt_pattern": "base_main",
    });
    let (Value::Object(whole), Value::Object(more)) = (&mut verdict, more) else { panic!("objects") };
    whole.extend(more);
    verdict
}

/// A plan of one step.
pub fn plan() -> Value {
    json!({ "name": "Greet", "purpose": "a greeting", "steps": ["Write src/hello.rs"], "risk": "low", "success": "it greets" })
}

impl World {
    /// A session of Ada's on a small folder.
    pub fn opened() -> Self {
        Self::with(Settings::default())
    }

    pub fn with(settings: Settings) -> Self {
        Self::open(Open {
            folder: "/work".to_owned(),
            language: Lang::En,
            settings,
            instructions: Vec::new(),
            map: String::new(),
            memory: enza_companion::Memory::default(),
            name: "s1".to_owned(),
            tools: Vec::new(),
            attended: true,
        })
    }

    pub fn open(open: Open) -> Self {
        let mut world = Self {
            app: Companion::new(),
            state: State::default(),
            log: Vec::new(),
            time: Timestamp(1_794_830_000_000),
            files: BTreeMap::from([("README.md".to_owned(), "# Work\n".to_owned())]),
            ran: Vec::new(),
            statuses: Vec::new(),
            commanded: Vec::new(),
            findings: BTreeMap::new(),
            beyond: SideEffects::default(),
            kept_from: None,
            commits: Vec::new(),
            written: Vec::new(),
            kept: BTreeMap::new(),
            beginning: PromptPrefix::default(),
        };
        world.tell(Command::Open(Box::new(open))).unwrap();
        world
    }

    pub fn tell(&mut self, command: Command) -> Result<(), Refusal> {
        let now = Now { time: self.time, head: self.head(), by: Actor::Person("ada".to_owned()) };
        let events = self.app.decide(&self.state, command, &now)?;
        self.take(events);
        Ok(())
    }

    pub fn say(&mut self, text: &str) {
        self.say_when(text, When::Turn).unwrap();
    }

    pub fn say_when(&mut self, text: &str, when: When) -> Result<(), Refusal> {
        self.tell(Command::Say { text: text.to_owned(), when, files: Vec::new() })
    }

    pub fn answer(&mut self, verdict: Yes) {
        self.gives(verdict, None, Scope::Once);
        self.work();
    }

    /// Answers the open gate, and carries nothing out yet.
    pub fn gives(&mut self, verdict: Yes, note: Option<&str>, scope: Scope) {
        let (gate, note) = (self.gate().expect("a gate").id, note.map(str::to_owned));
        let answer = Command::Answer { gate, verdict, note, scope, picks: Vec::new(), left: Vec::new() };
        self.tell(answer).unwrap();
    }

    pub fn take(&mut self, events: Vec<Event>) {
        for event in events {
            let entry = Entry { seq: self.head().next(), at: self.time, event };
            Companion::evolve(&mut self.state, &entry);
            self.log.push(entry);
        }
    }

    pub fn settle(&mut self, effect: &Effect, outcome: Outcome) {
        let now = Now { time: self.time, head: self.head(), by: Actor::Runtime };
        let events = self.app.settle(&self.state, effect, outcome, &now);
        self.take(events);
    }

    pub fn asks(&self) -> Vec<AskModel> {
        let due = self.app.due(&self.state).into_iter();
        due.filter_map(|effect| if let Effect::AskModel(ask) = effect { Some(ask) } else { None }).collect()
    }

    pub fn runs(&self) -> Vec<RunTool> {
        let due = self.app.due(&self.state).into_iter();
        due.filter_map(|effect| if let Effect::RunTool(run) = effect { Some(run) } else { None }).collect()
    }

    pub fn request(&self) -> Request {
        self.app.request(&self.state, &self.asks().into_iter().next().expect("a call is due"))
    }

    /// The role whose call is due.
    pub fn role(&self) -> String {
        self.asks().into_iter().next().map(|ask| ask.agent).unwrap_or_default()
    }

    /// The first model call that is due is answered with this text.
    pub fn reply_text(&mut self, text: &str) {
        let ask = self.asks().into_iter().next().expect("a call is due");
        self.reply_to(ask, text);
    }

    /// The call of this thread is answered with this text.
    pub fn reply_in(&mut self, thread: &str, text: &str) {
        let ask = self.asks().into_iter().find(|ask| ask.thread == thread).expect("its call is due");
        self.reply_to(ask, text);
    }

    fn reply_to(&mut self, ask: AskModel, text: &str) {
        let prompt = self.beginning.digest(&self.app.request(&self.state, &ask));
        let usage = Usage { input: 10, output: 5, ..Usage::default() };
        let reply = Reply { text: text.to_owned(), usage, ..Reply::default() };
        let asked_at = self.head();
        self.settle(&Effect::AskModel(ask), Outcome::Replied { reply, asked_at, prompt });
    }

    /// The model decides; what it wants looked at or may have done is carried out.
    pub fn decides(&mut self, more: Value) {
        self.reply_text(&verdict(more).to_string());
        self.work();
    }

    /// Carries out every order that is due, until none is.
    pub fn work(&mut self) {
        while let Some(run) = self.runs().into_iter().next() {
            let effect = Effect::RunTool(run.clone());
            if run.safety == enza_kernel::effect::Safety::Once && run.started.is_none() {
                self.settle(&effect, Outcome::Starting { mark: "m".to_owned() });
                continue;
            }
            if run.tool.contains('/') {
                let used = format!("{} {}", run.tool, run.arguments);
                self.ran.push(used.clone());
                self.settle(&effect, Outcome::Returned { text: format!("came of {used}") });
                continue;
            }
            if run.tool == KeepRule::TOOL {
                let KeepRule { rule, .. } = serde_json::from_value(run.arguments.clone()).expect("a rule");
                self.written.push(rule);
                self.settle(&effect, Outcome::Returned { text: "/config/companion.toml".to_owned() });
                continue;
            }
            self.carry_out_one(&run);
        }
    }

    /// Carries out this order of the workshop's.
    pub fn carry_out_one(&mut self, run: &RunTool) {
        let order: Order = serde_json::from_value(run.arguments.clone()).expect("an order");
        let receipt = self.closed(&order).unwrap_or_else(|| self.carry_out(order.task, &order.granted));
        let text = serde_json::to_string(&receipt).unwrap();
        self.settle(&Effect::RunTool(run.clone()), Outcome::Returned { text });
    }

    /// What the workshop says about a path that is closed to an order.
    fn closed(&self, order: &Order) -> Option<Receipt> {
        let is_granted = |path: &str| order.granted.iter().any(|granted| granted == path);
        let fault = match &order.task {
            Job::Read { path, .. } if is_granted(path) => None,
            Job::Read { path, .. } if path.starts_with('/') => Some(Fault::OutsideToRead { path: path.clone() }),
            Job::Read { path, .. } if names_secrets(path) => Some(Fault::Secret { path: path.clone() }),
            Job::Read { path, .. } if order.bounds.closed.iter().any(|pattern| path_fits(pattern, path)) => {
                Some(Fault::Closed { path: path.clone() })
            }
            Job::Prepare { proposals } => proposals.iter().find_map(|proposal| match proposal {
                Proposal::Write { path, .. } | Proposal::Create { path, .. } | Proposal::Delete { path } => {
                    let is_outside = path.starts_with('/') && !is_granted(path);
                    is_outside.then(|| Fault::OutsideToWrite { path: path.clone() })
                }
                Proposal::Append { .. } | Proposal::Edit { .. } | Proposal::Patch { .. } | Proposal::Move { .. } => {
                    None
                }
            }),
            _ => None,
        };
        fault.map(Receipt::Refused)
    }

    fn carry_out(&mut self, task: Job, granted: &[String]) -> Receipt {
        match task {
            Job::Read { path, from, .. } => match self.files.get(&path) {
                Some(text) => Receipt::Read(ReadLines {
                    digest: Digest::of(text.as_bytes()),
                    of: text.lines().count() as u32,
                    text: text.clone(),
                    from,
                    more: false,
                    path,
                }),
                None => Receipt::Refused(Fault::Missing { path }),
            },
            Job::Prepare { proposals } => match proposals.into_iter().map(|one| self.prepare(one)).collect() {
                Ok(prepared) => Receipt::Prepared(prepared),
                Err(fault) => Receipt::Refused(fault),
            },
            Job::Choose { chosen } => {
                Receipt::Prepared(chosen.into_iter().filter_map(|one| self.choose(one)).collect())
            }
            Job::Make { changes } => self.make(changes),
            Job::Restore { changes } => self.restore(changes),
            Job::Run(run) => {
                self.ran.push(format!("{:?}", run.command));
                let status = if self.statuses.is_empty() { 0 } else { self.statuses.remove(0) };
                let changes = std::mem::take(&mut self.commanded).into_iter().map(|(path, text)| {
                    let before = self.files.get(&path).cloned().map(|text| self.keep(&text));
                    let after = Some(self.keep(&text));
                    self.files.insert(path.clone(), text);
                    Change { path, to: None, before, after, mode: None, folders: 0, seen: true }
                });
                let changes = changes.collect();
                let (output, beyond) = ("out\n".to_owned(), self.beyond.clone());
                let kept = self.kept_from.clone().filter(|path| status != 0 && !granted.contains(path));
                let kept_from = kept.map(|path| Box::new(Fault::KeptFrom { path }));
                let ended = RunEnd::Status(status);
                let (command, cut, millis) = (String::new(), false, 1);
                Receipt::Ran(RunResult { command, ended, output, cut, millis, changes, beyond, kept_from })
            }
            Job::Halt { .. } => Receipt::Halted,
            Job::Recover { .. } => {
                Receipt::Ran(RunResult { ended: RunEnd::Unseen, ..RunResult::stopped_before_it_began() })
            }
            Job::Commit { paths, message } => {
                self.commits.push((message, paths));
                Receipt::Committed("abc1234".to_owned())
            }
            other => panic!("not carried out here: {other:?}"),
        }
    }

    fn keep(&mut self, text: &str) -> Digest {
        let digest = Digest::of(text.as_bytes());
        self.kept.insert(digest, text.to_owned());
        digest
    }

    fn prepare(&mut self, proposal: Proposal) -> Result<PreparedChange, Fault> {
        let (path, after) = match proposal {
            Proposal::Create { path, .. } if self.files.contains_key(&path) => return Err(Fault::Exists { path }),
            Proposal::Write { path, content } | Proposal::Create { path, content } => (path, Some(content)),
            Proposal::Delete { path } => (path, None),
            Proposal::Move { path, to } => return Ok(self.moved(path, to)),
            // A patch is the name of the one file that it changes.
            Proposal::Patch { text } => (text, Some("patched\n".to_owned())),
            other => panic!("not prepared here: {other:?}"),
        };
        let before = self.files.get(&path).cloned();
        let before = before.map(|text| self.keep(&text));
        let (added, diff) =
            after.as_ref().map_or((0, String::new()), |text| (text.lines().count() as u32, format!("+{text}")));
        let after = after.map(|text| self.keep(&text));
        let findings = self.findings.get(&path).cloned().unwrap_or_default();
        let change = Change { path, to: None, before, after, mode: None, folders: 0, seen: false };
        Ok(PreparedChange { change, diff, hunks: 1, added, removed: 0, findings })
    }

    fn moved(&mut self, path: String, to: String) -> PreparedChange {
        let digest = self.files.get(&path).cloned().map(|text| self.keep(&text));
        let (to, mode) = (Some(to), Some(0o644));
        let change = Change { path, to, before: digest, after: digest, mode, folders: 0, seen: false };
        PreparedChange { change, diff: String::new(), hunks: 0, added: 0, removed: 0, findings: Vec::new() }
    }

    /// What remains of a change: nothing, the words that a person wrote instead, or all of it.
    fn choose(&mut self, chosen: ChosenChange) -> Option<PreparedChange> {
        let ChosenChange { mut change, content, hunks } = chosen;
        if hunks.is_some_and(|hunks| hunks.is_empty()) {
            return None;
        }
        if content.is_none() {
            let diff = change.to.as_ref().map_or_else(|| "+\n".to_owned(), |to| format!("to {to}\n"));
            return Some(PreparedChange { change, diff, hunks: 1, added: 1, removed: 0, findings: Vec::new() });
        }
        let text = content.unwrap_or_else(|| change.after.map(|digest| self.kept[&digest].clone()).unwrap_or_default());
        change.after = Some(self.keep(&text));
        Some(PreparedChange { change, diff: format!("+{text}"), hunks: 1, added: 1, removed: 0, findings: Vec::new() })
    }

    fn digest(&self, path: &str) -> Option<Digest> {
        self.files.get(path).map(|text| Digest::of(text.as_bytes()))
    }

    fn make(&mut self, changes: Vec<Change>) -> Receipt {
        if let Some(changed) = changes.iter().find(|change| self.digest(&change.path) != change.before) {
            return Receipt::Refused(Fault::Changed { path: changed.path.clone() });
        }
        for change in &changes {
            if change.to.is_some() {
                self.files.remove(&change.path);
            }
            let place = change.to.as_ref().unwrap_or(&change.path);
            match &change.after {
                Some(digest) => self.files.insert(place.clone(), self.kept[digest].clone()),
                None => self.files.remove(place),
            };
        }
        Receipt::Made(changes)
    }

    fn restore(&mut self, changes: Vec<Change>) -> Receipt {
        let mut came = RestoreResult::default();
        for change in changes.into_iter().rev() {
            if self.digest(&change.path) != change.after {
                came.kept.push((change.path, NotRestored::ChangedSince));
                continue;
            }
            match &change.before {
                Some(digest) => self.files.insert(change.path.clone(), self.kept[digest].clone()),
                None => self.files.remove(&change.path),
            };
            came.restored.push(change.path);
        }
        Receipt::Restored(came)
    }

    /// Every line that a person reads, in their language.
    pub fn read(&self, lang: Lang) -> String {
        let lines = self.log.iter().filter_map(|entry| Companion::line(entry, &Reader::host(), lang));
        lines.map(|line| format!("{}\n", line.text)).collect()
    }

    pub fn gate(&self) -> Option<Gate> {
        Companion::open_gate(&self.state).cloned()
    }

    pub fn position(&self) -> (Step, Status) {
        self.state.position()
    }

    /// Every move that was made, as `FROM>TO`.
    pub fn moves(&self) -> Vec<String> {
        self.state.moves.iter().filter(|one| one.made).map(|one| format!("{}>{}", one.from, one.to)).collect()
    }

    /// Every move that was refused.
    pub fn refused(&self) -> Vec<String> {
        self.state.moves.iter().filter(|one| !one.made).map(|one| format!("{}>{}", one.from, one.to)).collect()
    }

    /// What the model was last told by the session.
    pub fn last_told(&self) -> String {
        let thread = self.state.front().unwrap().thread();
        let told = self.state.cast.threads[&thread].messages.iter().rev().find(|message| message.role == Role::Session);
        told.map(|message| message.text.to_string()).unwrap_or_default()
    }

    pub fn head(&self) -> Seq {
        Seq(self.log.len() as u64)
    }
}
