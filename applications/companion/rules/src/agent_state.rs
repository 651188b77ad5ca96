//! What the companion holds in mind about a piece of work: the fixed five items, and what goes with them.
//!
//! Every field has its limit, enforced wherever a value comes in (DUCK-49 to DUCK-58, G39 to G42): what a model supplies
//! is cut to one line within the limit and the cut is told; what a person supplies is refused if it does not fit. Of the
//! plan the first three moves are kept, of the other lists the newest.

use crate::words::words;
use enza_kernel::limits::{self, Limit, TextRefusal};
use enza_kernel::text::Lang;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One line about the whole: `goal`, `why_now`, `last_delta`.
pub const LINE: Limit = Limit { name: "line", graphemes: 200, bytes: 4 * 1024 };
/// One item of a list.
pub const ITEM: Limit = Limit { name: "item", graphemes: 100, bytes: 2 * 1024 };
const MOST_CONSTRAINTS: usize = 2;
const MOST_MOVES: usize = 3;
const MOST_QUESTIONS: usize = 2;
const MOST_REFS: usize = 20;
const MOST_DECISIONS: usize = 50;

/// What is held in mind.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AgentState {
    /// What is to be reached, concrete and measurable.
    pub goal: String,
    pub why_now: String,
    /// What must be kept to.
    pub constraints: Vec<String>,
    /// The next moves, in order.
    pub plan_brief: Vec<String>,
    pub open_questions: Vec<String>,
    /// What it refers to: `file:…`, `conversation:…`, `plan:…`.
    pub context_refs: Vec<String>,
    /// What was settled, in the order of time.
    pub decision_log: Vec<String>,
    /// Whether a person is being asked. True exactly if the step is AWAITING_APPROVAL (G29).
    pub pending_gate: bool,
    /// The latest change, in one line.
    pub last_delta: String,
}

/// A change to what is held in mind: only what it names is changed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Delta {
    /// What is to be reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// Why now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_now: Option<String>,
    /// What must be kept to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constraints: Option<Vec<String>>,
    /// The next moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan_brief: Option<Vec<String>>,
    /// What is not settled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_questions: Option<Vec<String>>,
    /// What it refers to, added to the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_refs: Option<Vec<String>>,
    /// What was settled, added to the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision_log: Option<Vec<String>>,
    /// The change in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_delta: Option<String>,
}

/// Something about the five items that does not go together (DUCK-60, G43).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mismatch {
    /// There are moves but nothing to reach.
    PlanWithoutGoal,
    /// There is a reason for now but nothing to reach.
    ReasonWithoutGoal,
    /// A move does what a constraint forbids.
    MoveAgainstConstraint,
    /// A question has its answer among the decisions.
    QuestionAnswered,
    /// An operation does what a constraint forbids.
    ActionAgainstConstraint,
}

impl Delta {
    /// Nothing to reach, to plan or to ask any longer.
    pub(super) fn clear() -> Self {
        Self {
            goal: Some(String::new()),
            why_now: Some(String::new()),
            plan_brief: Some(Vec::new()),
            open_questions: Some(Vec::new()),
            ..Self::default()
        }
    }

    /// A plain line, which fills `last_delta` alone (G19).
    pub fn line(text: &str) -> Self {
        Self { last_delta: Some(text.to_owned()), ..Self::default() }
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The delta within its limits, for what a model supplied; and the names of what had to be cut.
    pub fn fitted(self) -> (Self, Vec<&'static str>) {
        let mut cut = Vec::new();
        let mut line = |name: &'static str, text: Option<String>, limit: Limit| {
            text.filter(|text| !is_nothing(text)).map(|text| {
                let fitted = limits::one_line(&text, limit.graphemes);
                if fitted.ends_with('…') && !text.trim_end().ends_with('…') {
                    cut.push(name);
                }
                fitted
            })
        };
        let goal = line("goal", self.goal, LINE);
        let why_now = line("why_now", self.why_now, LINE);
        let last_delta = line("last_delta", self.last_delta, LINE);
        let mut list = |name: &'static str, items: Option<Vec<String>>, most: usize, newest: bool| {
            let items = items?;
            let surplus = items.len().saturating_sub(most);
            if surplus > 0 {
                cut.push(name);
            }
            let kept: Vec<String> =
                if newest { items[surplus..].to_vec() } else { items.into_iter().take(most).collect() };
            let fitted: Vec<String> = kept.iter().map(|item| limits::one_line(item, ITEM.graphemes)).collect();
            if kept.iter().zip(&fitted).any(|(was, is)| is.ends_with('…') && !was.trim_end().ends_with('…')) {
                cut.push(name);
            }
            Some(fitted.into_iter().filter(|item| !item.is_empty() && !is_nothing(item)).collect::<Vec<_>>())
        };
        let fitted = Self {
            constraints: list("constraints", self.constraints, MOST_CONSTRAINTS, true),
            plan_brief: list("plan_brief", self.plan_brief, MOST_MOVES, false),
            open_questions: list("open_questions", self.open_questions, MOST_QUESTIONS, true),
            context_refs: list("context_refs", self.context_refs, MOST_REFS, true),
            decision_log: list("decision_log", self.decision_log, MOST_DECISIONS, true),
            goal,
            why_now,
            last_delta,
        };
        cut.dedup();
        (fitted, cut)
    }

    /// The delta as it is, for what a person supplied; refused where it does not fit.
    pub fn checked(self) -> Result<Self, TextRefusal> {
        let line = |text: Option<String>| text.map(|text| LINE.check_optional(&text)).transpose();
        let list = |items: Option<Vec<String>>, most: usize| -> Result<Option<Vec<String>>, TextRefusal> {
            let Some(items) = items else { return Ok(None) };
            if items.len() > most {
                return Err(TextRefusal::TooLong {
                    limit: Limit { name: "items", graphemes: most, bytes: most },
                    graphemes: items.len(),
                });
            }
            items.iter().map(|item| ITEM.check(item)).collect::<Result<Vec<_>, _>>().map(Some)
        };
        Ok(Self {
            goal: line(self.goal)?,
            why_now: line(self.why_now)?,
            constraints: list(self.constraints, MOST_CONSTRAINTS)?,
            plan_brief: list(self.plan_brief, MOST_MOVES)?,
            open_questions: list(self.open_questions, MOST_QUESTIONS)?,
            context_refs: list(self.context_refs, MOST_REFS)?,
            decision_log: list(self.decision_log, MOST_DECISIONS)?,
            last_delta: line(self.last_delta)?,
        })
    }
}

/// Whether a text is only the word by which a prompt says that there is nothing: models hand it back as if it were a value.
fn is_nothing(text: &str) -> bool {
    matches!(text.trim().trim_end_matches(['.', '。']).to_lowercase().as_str(), "none" | "なし")
}

impl AgentState {
    /// Takes in a delta that is within its limits.
    pub(super) fn take(&mut self, delta: &Delta) {
        let Delta { goal, why_now, constraints, plan_brief, open_questions, context_refs, decision_log, last_delta } =
            delta;
        let set = |place: &mut String, value: &Option<String>| {
            if let Some(value) = value {
                place.clone_from(value);
            }
        };
        set(&mut self.goal, goal);
        set(&mut self.why_now, why_now);
        set(&mut self.last_delta, last_delta);
        let put = |place: &mut Vec<String>, value: &Option<Vec<String>>| {
            if let Some(value) = value {
                place.clone_from(value);
            }
        };
        put(&mut self.constraints, constraints);
        put(&mut self.plan_brief, plan_brief);
        put(&mut self.open_questions, open_questions);
        add(&mut self.context_refs, context_refs, MOST_REFS);
        add(&mut self.decision_log, decision_log, MOST_DECISIONS);
    }

    /// Whether there is anything to reach, to plan or to ask.
    pub(super) fn has_work(&self) -> bool {
        !(self.goal.is_empty()
            && self.why_now.is_empty()
            && self.plan_brief.is_empty()
            && self.open_questions.is_empty())
    }

    /// A question that was put to the person is open until they speak (G50).
    pub(super) fn ask(&mut self, question: &str) {
        add(&mut self.open_questions, &Some(vec![question.to_owned()]), MOST_QUESTIONS);
    }

    /// What does not go together. Cheap, and asked after every change.
    pub fn mismatches(&self) -> Vec<Mismatch> {
        let mut found = Vec::new();
        if self.goal.is_empty() && !self.plan_brief.is_empty() {
            found.push(Mismatch::PlanWithoutGoal);
        }
        if self.goal.is_empty() && !self.why_now.is_empty() {
            found.push(Mismatch::ReasonWithoutGoal);
        }
        let forbids = |text: &str| super::constraints::forbidden_paths(text);
        if self
            .constraints
            .iter()
            .flat_map(|one| forbids(one))
            .any(|path| self.plan_brief.iter().any(|planned| planned.contains(path.trim_end_matches('/'))))
        {
            found.push(Mismatch::MoveAgainstConstraint);
        }
        if self
            .open_questions
            .iter()
            .any(|question| self.decision_log.iter().any(|decided| decided.contains(question.as_str())))
        {
            found.push(Mismatch::QuestionAnswered);
        }
        found
    }
}

impl AgentState {
    /// Whether an operation on this path goes against a constraint that is held in mind.
    pub(super) fn forbids(&self, path: &str) -> bool {
        self.constraints.iter().filter_map(|one| super::constraints::Constraint::of(one)).any(|one| one.forbids(path))
    }
}

fn add(place: &mut Vec<String>, more: &Option<Vec<String>>, most: usize) {
    for item in more.iter().flatten() {
        place.retain(|known| known != item);
        place.push(item.clone());
    }
    let surplus = place.len().saturating_sub(most);
    place.drain(..surplus);
}

impl Mismatch {
    /// What a person and the next call are told.
    pub fn say(self, lang: Lang) -> &'static str {
        match self {
            Self::PlanWithoutGoal => words(lang).say("agent-state.plan_without_goal"),
            Self::ReasonWithoutGoal => words(lang).say("agent-state.reason_without_goal"),
            Self::MoveAgainstConstraint => words(lang).say("agent-state.move_against_constraint"),
            Self::ActionAgainstConstraint => words(lang).say("agent-state.action_against_constraint"),
            Self::QuestionAnswered => words(lang).say("agent-state.question_answered"),
        }
    }
}
