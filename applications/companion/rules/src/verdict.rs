//! What the companion's model answers with: one JSON object, whatever it is asked for.
//!
//! The fields are those of the document (DUCK-82), with what it forgot: the words for the person and the operations
//! wanted (G1), a confidence (G48), and where a procedure asks for one, a plan or a review. The object is read with
//! tolerance for fences and prose, checked, and obeyed only as far as the rules allow. Nothing is ever made up for it.

use enza_kernel::schema::Check;
use enza_kernel::text::Lang;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::action::Action;
use super::agent_state::Delta;
use super::steps::Step;
use crate::words::words;

/// Below this the model is not sure and may ask (G48).
pub(super) const SURE: f64 = 0.6;
/// The most actions in one reply.
const MOST_ACTIONS: usize = 20;

/// What the model decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verdict {
    /// The reason, in one line.
    pub rationale: String,
    /// Whether it fits the goal: yes or no, and why.
    pub goal_consistency: String,
    /// Whether it keeps to the constraints: yes or no, and why.
    pub constraint_check: String,
    /// How it goes on.
    pub next_step: NextStep,
    /// The step it proposes.
    pub step: Step,
    /// The prompt for the next call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_pattern: Option<Pattern>,
    /// What changed, as an object of fields or one line.
    #[serde(default, deserialize_with = "delta", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Delta>")]
    pub state_delta: Option<Delta>,
    /// What the person reads. Where it is missing, actions may stand for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub reply: Option<String>,
    /// What is to be done; empty if nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Action>,
    /// How sure it is, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Whether the person has begun something new.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub new_task: bool,
    /// The plan, where one is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// The review, where one is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<Review>,
}

/// How it goes on (G17).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NextStep {
    /// The task ends, or there was none.
    Done,
    /// The person has to say something.
    PendingUser,
    /// It goes on in the background.
    Defer,
    /// It goes on.
    Continue,
}

/// The prompt of a call (DUCK-98 to DUCK-101, DUCK-134).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// Light talk.
    #[default]
    BaseMain,
    /// Work that needs a procedure.
    BaseMainSpecialized,
    /// A further call inside a task. A model that asks for it gets the one before.
    BaseSpecialized,
}

/// A plan, with the labels of the procedure.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    /// What it is called.
    #[serde(alias = "プラン名")]
    pub name: String,
    /// What it is for.
    #[serde(alias = "目的")]
    pub purpose: String,
    /// At most three steps.
    #[serde(alias = "ステップ")]
    pub steps: Vec<String>,
    /// What could go wrong: low, medium or high, and why.
    #[serde(alias = "リスク")]
    pub risk: String,
    /// How one sees that it came off.
    #[serde(alias = "成功基準")]
    pub success: String,
}

/// A review, with the labels of the procedure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Review {
    /// How good it is.
    #[serde(alias = "評価")]
    pub rating: Rating,
    /// What is wrong.
    #[serde(alias = "問題点", default)]
    pub problems: Vec<String>,
    /// What would be better.
    #[serde(alias = "改善提案", default)]
    pub proposals: Vec<String>,
    /// Whether it may stand.
    #[serde(alias = "承認可否")]
    pub approval: Approval,
}

/// How good a result is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rating {
    /// It does what it should, safely and well.
    #[serde(alias = "良い")]
    Good,
    /// It does the least that it should.
    #[serde(alias = "普通")]
    Fair,
    /// Something must be mended.
    #[serde(alias = "要改善")]
    Poor,
}

/// Whether a result may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Approval {
    /// It may.
    #[serde(alias = "承認")]
    Approved,
    /// After something is mended.
    #[serde(alias = "要修正")]
    Mend,
    /// It may not.
    #[serde(alias = "拒否")]
    Rejected,
}

impl Verdict {
    /// Whether it says itself that it goes against the goal or a constraint (DUCK-85, G18): the words of the first no
    /// that says why.
    pub fn doubt(&self) -> Option<&str> {
        let said = [&self.goal_consistency, &self.constraint_check];
        said.into_iter().find(|said| is_no(said) && !is_bare_no(said)).map(String::as_str)
    }

    /// Whether it says no without a reason, though there is something to say no to: what to tell the model. Where there is
    /// no goal yet, or no constraint, small models write a no that means nothing; but nothing is done upon one (G18).
    pub(super) fn unexplained(&self, has_goal: bool, has_constraints: bool) -> Option<String> {
        let acts = self.actions.iter().any(|action| !action.operation.only_looks());
        let said = [
            ("goal_consistency", &self.goal_consistency, has_goal || acts),
            ("constraint_check", &self.constraint_check, has_constraints || acts),
        ];
        let (name, ..) = said.into_iter().find(|(_, said, counts)| *counts && is_bare_no(said))?;
        Some(format!(
            "{name}: \"no\" alone means that it goes against the goal or a constraint, and does not say how. Write \"yes\" if \
             nothing speaks against it; else \"no: \" and what it goes against."
        ))
    }

    /// Whether it is sure enough of what the person wants.
    pub fn is_sure(&self) -> bool {
        self.confidence.is_none_or(|confidence| confidence >= SURE)
    }
}

/// What a no is about when it says that all is well: "no conflict", "no problem with it". Small models write that where they
/// are asked for yes or no.
const NOTHING_WRONG: &str = "conflict|conflicts|constraint|constraints|problem|problems|issue|issues|violation|\
    violations|contradiction|contradictions|objection|objections|doubts|risk|restriction|restrictions|rules";
/// What turns that round: "no rules allow it", "none of the constraints is kept".
const KEPT: &str = "allow|allows|allowed|permit|permits|permitted|kept|met|satisfied|respected|fulfilled";

/// Whether a "yes/no + reason" means no.
fn is_no(said: &str) -> bool {
    let is_one_of = |word: &str, list: &str| list.split('|').any(|known| known == word);
    let words = |rest: String| rest.split(|one: char| !one.is_alphabetic()).map(str::to_owned).collect::<Vec<_>>();
    let is_turned = |words: &[String]| words.iter().any(|word| is_one_of(word, KEPT));
    if let Some(rest) = behind(said, &["none", "なし"]) {
        return is_turned(&words(rest));
    }
    let Some(rest) = behind(said, &["no", "いいえ"]) else { return false };
    let is_reason = rest.starts_with(" reason against") || rest.starts_with(" reasons against");
    let is_about = |words: &[String]| words.get(1).is_some_and(|word| is_one_of(word, NOTHING_WRONG));
    let words = words(rest);
    !is_reason && (!is_about(&words) || is_turned(&words))
}

fn begins_with_no(said: &str) -> bool {
    behind(said, &["no", "none", "いいえ", "なし"]).is_some()
}

fn is_yes(said: &str) -> bool {
    behind(said, &["yes", "はい"]).is_some()
}

/// What stands behind the first word, if it is one of these.
fn behind(said: &str, words: &[&str]) -> Option<String> {
    let said = said.trim_start_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    let is_over = |rest: &&str| !rest.starts_with(|letter: char| letter.is_ascii_alphanumeric());
    words.iter().find_map(|word| said.strip_prefix(word).filter(is_over)).map(str::to_owned)
}

/// Whether it is a no and nothing else.
fn is_bare_no(said: &str) -> bool {
    matches!(said.trim().to_lowercase().trim_end_matches(['.', '。']), "no" | "いいえ")
}

impl Check for Verdict {
    fn check(&self) -> Result<(), String> {
        if self.rationale.trim().is_empty() {
            return Err("rationale: it is empty; say in one line why.".to_owned());
        }
        let says = self.reply.as_ref().is_some_and(|reply| !reply.trim().is_empty());
        let asks_for_procedure = self.prompt_pattern.is_some_and(|pattern| pattern != Pattern::BaseMain);
        if !says && self.actions.is_empty() && self.plan.is_none() && self.review.is_none() && !asks_for_procedure {
            return Err(
                "it has neither a reply nor actions; give one of them: \"reply\" with words for the person, or \"actions\" such \
                 as [{\"operation\": \"read\", \"path\": \"FILE\"}], or \"prompt_pattern\": \"base_main_specialized\" to plan it \
                 first."
                    .to_owned(),
            );
        }
        for (name, said) in [("goal_consistency", &self.goal_consistency), ("constraint_check", &self.constraint_check)]
        {
            if !is_yes(said) && !begins_with_no(said) {
                return Err(format!("{name}: begin with \"yes\" or \"no\", then say why."));
            }
        }
        if self.actions.len() > MOST_ACTIONS {
            return Err(format!("actions: {} of them, at most {MOST_ACTIONS} at a time.", self.actions.len()));
        }
        for (place, action) in self.actions.iter().enumerate() {
            action.parse().map_err(|lack| format!("actions[{place}]: {lack}"))?;
        }
        self.plan.as_ref().map_or(Ok(()), Plan::check)
    }
}

impl Plan {
    /// The most steps on one level (DUCK-27, G47).
    pub const MOST_STEPS: usize = 3;

    fn check(&self) -> Result<(), String> {
        for (name, text) in [("name", &self.name), ("purpose", &self.purpose), ("success", &self.success)] {
            if text.trim().is_empty() {
                return Err(format!("plan.{name}: it is empty; say {}.", Self::asks(name)));
            }
        }
        if self.steps.is_empty() || self.steps.iter().any(|step| step.trim().is_empty()) {
            return Err("plan.steps: say for each step what is done, and leave out empty ones.".to_owned());
        }
        if self.steps.len() > Self::MOST_STEPS {
            let most = Self::MOST_STEPS;
            return Err(format!(
                "plan.steps: {} of them, at most {most}. Put what belongs together into one step; a step may have a plan of \
                 its own when it is carried out.",
                self.steps.len()
            ));
        }
        let risk = self.risk.to_lowercase();
        if !["low", "medium", "high", "critical", "低", "中", "高", "重大"].iter().any(|word| risk.contains(word))
        {
            return Err("plan.risk: say low, medium or high, and why.".to_owned());
        }
        Ok(())
    }

    /// What a field is for, to whoever left it empty.
    fn asks(field: &str) -> &'static str {
        match field {
            "name" => "what the plan is called",
            "purpose" => "what it is for",
            _ => "how one sees that it came off",
        }
    }

    /// The plan as a person reads it, with the document's labels.
    pub fn say(&self, lang: Lang) -> String {
        let steps = self.steps.iter().enumerate().map(|(place, step)| format!("  {}. {step}\n", place + 1));
        let steps: String = steps.collect();
        words(lang).fill(
            "verdict.plan",
            &[
                ("name", &self.name),
                ("purpose", &self.purpose),
                ("steps", &steps),
                ("risk", &self.risk),
                ("success", &self.success),
            ],
        )
    }
}

impl Review {
    /// The review as a person reads it, with the document's labels.
    pub fn say(&self, lang: Lang) -> String {
        let list = |items: &[String]| match items {
            [] => words(lang).say("verdict.none").to_owned(),
            items => items.join(lang.pick("、", "; ")),
        };
        let rating = match self.rating {
            Rating::Good => words(lang).say("verdict.rating_good"),
            Rating::Fair => words(lang).say("verdict.rating_fair"),
            Rating::Poor => words(lang).say("verdict.rating_poor"),
        };
        let approval = match self.approval {
            Approval::Approved => words(lang).say("verdict.approval_approved"),
            Approval::Mend => words(lang).say("verdict.approval_mend"),
            Approval::Rejected => words(lang).say("verdict.approval_rejected"),
        };
        let (problems, proposals) = (list(&self.problems), list(&self.proposals));
        words(lang).fill(
            "verdict.review",
            &[("rating", &rating), ("problems", &problems), ("proposals", &proposals), ("approval", &approval)],
        )
    }
}

/// An object of fields, one line, or nothing.
fn delta<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Delta>, D::Error> {
    match Option::<Value>::deserialize(from)? {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(line)) if line.trim().is_empty() => Ok(None),
        Some(Value::String(line)) => Ok(Some(Delta::line(&line))),
        Some(value) => Delta::deserialize(value).map(Some).map_err(serde::de::Error::custom),
    }
}
