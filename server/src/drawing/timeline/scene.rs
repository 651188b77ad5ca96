//! Reads events into marks and lanes, whatever the application.
//!
//! What an agent did is known by its shape: a body that parses as a `Step` is one. What a person said is known by the
//! line that the application makes of the event, a gate by the `Gate` in it and its end by the `Answer`. Everything
//! else is a fact of the session. An event that cannot be read any further still has its mark.

use std::collections::BTreeMap;

use enza_kernel::agent::{CallEnd, Step, ThreadEvent};
use enza_kernel::floor::{Line, Tone, Who};
use enza_kernel::gate::{Answer, Gate};
use enza_kernel::time::Timestamp;
use enza_runtime::seams::store::Recorded;
use serde::Deserialize as _;
use serde_json::Value;

/// A session's events as marks on lanes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scene {
    /// The lanes, from the top.
    pub lanes: Vec<Lane>,
    /// A mark for each event, in order.
    pub marks: Vec<Mark>,
}

/// Whose lane it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lane {
    /// Everyone who is a person.
    People,
    /// The session itself.
    Session,
    /// An agent. Where several of its threads run at once, each further one has a lane of its own.
    Agent {
        name: String,
        /// How many lanes of the same agent stand above.
        nth: usize,
    },
}

/// What one event looks like.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    pub seq: u64,
    pub at: Timestamp,
    /// Which lane, counted from the top.
    pub lane: usize,
    pub sort: MarkKind,
    /// The event at which what it is about began; the event itself where it began and ended there.
    pub from: u64,
    /// The event at which it ended.
    pub to: u64,
    /// The event's kind.
    pub kind: String,
    /// What an agent did, as the kernel's word.
    pub step: Option<&'static str>,
    /// The tool, for a run.
    pub tool: Option<String>,
    /// The tokens of a reply.
    pub tokens: Option<u64>,
    pub text: Option<String>,
    /// Whether it went wrong.
    pub is_bad: bool,
}

/// What sort of thing a mark is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkKind {
    /// Any other event of the session.
    Fact,
    /// Any other step of an agent.
    Step,
    /// The end of a wait for a person or another thread.
    Wait,
    /// The end of a tool's run.
    Run,
    /// A model's reply.
    Reply,
    Person,
    /// A gate, from its opening to its answer.
    Gate,
}

impl Scene {
    /// Reads a whole log. `line` is what the application makes of an event.
    pub fn read(events: &[Recorded], line: &dyn Fn(&Recorded) -> Option<Line>) -> Self {
        let mut reader = SceneBuilder::new(events);
        for recorded in events {
            reader.take(recorded, line(recorded).as_ref());
        }
        let last = reader.scene.marks.last().map_or(0, |mark| mark.seq);
        for place in reader.gates {
            reader.scene.marks[place].to = last;
        }
        reader.scene
    }
}

/// The agent's step in an event, if it is one.
pub fn step_of(recorded: &Recorded) -> Option<Step> {
    serde_json::from_str(&recorded.stored.body).ok()
}

/// The word for a step.
pub fn step_word(what: &ThreadEvent) -> &'static str {
    match what {
        ThreadEvent::Began { .. } => "began",
        ThreadEvent::Heard { .. } => "heard",
        ThreadEvent::Replied { .. } => "replied",
        ThreadEvent::CallQueued { .. } => "call_queued",
        ThreadEvent::CallStarted { .. } => "call_started",
        ThreadEvent::CallAsks { .. } => "call_asks",
        ThreadEvent::CallGated { .. } => "call_gated",
        ThreadEvent::CallDelegated { .. } => "call_delegated",
        ThreadEvent::CallEnded { .. } => "call_ended",
        ThreadEvent::Nudged { .. } => "nudged",
        ThreadEvent::Rested => "rested",
        ThreadEvent::Closed => "closed",
        ThreadEvent::Lightened { .. } => "lightened",
        ThreadEvent::Compacted { .. } => "compacted",
        ThreadEvent::Overran { .. } => "overran",
        ThreadEvent::CallsLost { .. } => "calls_lost",
        ThreadEvent::Failed { .. } => "failed",
        ThreadEvent::Retried => "retried",
    }
}

/// Goes through a log once, with what it has to remember.
struct SceneBuilder {
    scene: Scene,
    /// The lane of each thread.
    threads: BTreeMap<String, usize>,
    /// Calls without an end: which tool, where they began, and whether they only wait.
    calls: BTreeMap<(String, String), (String, u64, MarkKind)>,
    /// Gates without an answer, as places among the marks.
    gates: Vec<usize>,
}

impl SceneBuilder {
    fn new(events: &[Recorded]) -> Self {
        let (agents, threads) = lanes_of(events);
        let mut lanes = vec![Lane::People, Lane::Session];
        let first = lanes.len();
        lanes.extend(agents);
        let threads = threads.into_iter().map(|(thread, lane)| (thread, lane + first)).collect();
        Self { scene: Scene { lanes, marks: Vec::new() }, threads, calls: BTreeMap::new(), gates: Vec::new() }
    }

    fn take(&mut self, recorded: &Recorded, line: Option<&Line>) {
        let seq = recorded.seq.0;
        let body: Value = serde_json::from_str(&recorded.stored.body).unwrap_or_default();
        let mut mark = Mark {
            seq,
            at: recorded.at,
            lane: self.lane_of_line(line),
            sort: MarkKind::Fact,
            from: seq,
            to: seq,
            kind: recorded.stored.kind.clone(),
            step: None,
            tool: None,
            tokens: None,
            text: line.map(|line| line.text.clone()),
            is_bad: line.is_some_and(|line| line.tone == Tone::Trouble),
        };
        if let Ok(step) = Step::deserialize(&body) {
            mark.lane = self.threads.get(&step.thread).copied().unwrap_or(SESSION);
            mark.step = Some(step_word(&step.what));
            mark.sort = MarkKind::Step;
            self.step(&mut mark, &step);
        } else if line.is_some_and(|line| line.gate.is_some()) || part::<Gate>(&body, "gate").is_some() {
            mark.sort = MarkKind::Gate;
            self.gates.push(self.scene.marks.len());
        } else if part::<Answer>(&body, "answer").is_some() {
            mark.sort = MarkKind::Person;
            mark.lane = PEOPLE;
            if let Some(place) = self.gates.pop() {
                self.scene.marks[place].to = seq;
            }
        } else if line.is_some_and(|line| matches!(line.who, Who::Person(_))) {
            mark.sort = MarkKind::Person;
        }
        self.scene.marks.push(mark);
    }

    fn step(&mut self, mark: &mut Mark, step: &Step) {
        let key = |call: &str| (step.thread.clone(), call.to_owned());
        match &step.what {
            ThreadEvent::Replied { usage, asked_at, calls, .. } => {
                mark.sort = MarkKind::Reply;
                mark.from = asked_at.0.min(mark.seq);
                mark.tokens = Some(usage.total());
                for call in calls {
                    self.calls.insert(key(&call.id), (call.tool.clone(), mark.seq, MarkKind::Run));
                }
            }
            ThreadEvent::CallQueued { call, .. } => self.began(&key(call), mark.seq, MarkKind::Run),
            ThreadEvent::CallAsks { call, .. }
            | ThreadEvent::CallGated { call }
            | ThreadEvent::CallDelegated { call } => {
                self.began(&key(call), mark.seq, MarkKind::Wait);
            }
            ThreadEvent::CallEnded { call, end, .. } => {
                let (tool, from, sort) =
                    self.calls.remove(&key(call)).unwrap_or((call.clone(), mark.seq, MarkKind::Run));
                (mark.tool, mark.from, mark.sort) = (Some(tool), from, sort);
                mark.is_bad = match end {
                    CallEnd::Done => false,
                    CallEnd::Error | CallEnd::Unknown => true,
                };
            }
            ThreadEvent::Failed { .. } | ThreadEvent::CallsLost { .. } | ThreadEvent::Overran { .. } => {
                mark.is_bad = true;
            }
            ThreadEvent::Nudged { strike, .. } => mark.is_bad = *strike,
            ThreadEvent::Began { .. }
            | ThreadEvent::Heard { .. }
            | ThreadEvent::CallStarted { .. }
            | ThreadEvent::Rested
            | ThreadEvent::Closed
            | ThreadEvent::Lightened { .. }
            | ThreadEvent::Compacted { .. }
            | ThreadEvent::Retried => {}
        }
    }

    fn began(&mut self, call: &(String, String), seq: u64, sort: MarkKind) {
        if let Some((_, from, kind)) = self.calls.get_mut(call) {
            (*from, *kind) = (seq, sort);
        }
    }

    /// A line of an agent that is no step of its thread, such as what a review found, stands in the agent's first lane.
    fn lane_of_line(&self, line: Option<&Line>) -> usize {
        match line.map(|line| &line.who) {
            Some(Who::Person(_)) => PEOPLE,
            Some(Who::Agent(name)) => {
                let first = Lane::Agent { name: name.clone(), nth: 0 };
                self.scene.lanes.iter().position(|lane| *lane == first).unwrap_or(SESSION)
            }
            Some(Who::Session) | None => SESSION,
        }
    }
}

const PEOPLE: usize = 0;
const SESSION: usize = 1;

/// The lanes of agents, and which of them each thread is in. An agent's threads share a lane unless they overlap.
fn lanes_of(events: &[Recorded]) -> (Vec<Lane>, BTreeMap<String, usize>) {
    let mut lives: Vec<(String, String, u64, u64)> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for recorded in events {
        let Some(step) = step_of(recorded) else { continue };
        let seq = recorded.seq.0;
        if let Some(place) = known.get(&step.thread) {
            lives[*place].3 = seq;
            continue;
        }
        let agent = if let ThreadEvent::Began { agent, .. } = step.what { agent } else { step.thread.clone() };
        known.insert(step.thread.clone(), lives.len());
        lives.push((step.thread, agent, seq, seq));
    }
    let mut lanes: Vec<(String, usize, u64)> = Vec::new();
    let mut threads = BTreeMap::new();
    for (thread, agent, first, last) in lives {
        let free = lanes.iter().position(|(name, _, until)| *name == agent && *until < first);
        let lane = free.unwrap_or_else(|| {
            let nth = lanes.iter().filter(|(name, ..)| *name == agent).count();
            lanes.push((agent.clone(), nth, 0));
            lanes.len() - 1
        });
        lanes[lane].2 = last;
        threads.insert(thread, lane);
    }
    (lanes.into_iter().map(|(name, nth, _)| Lane::Agent { name, nth }).collect(), threads)
}

fn part<T: serde::de::DeserializeOwned>(body: &Value, name: &str) -> Option<T> {
    T::deserialize(body.get(name)?).ok()
}
