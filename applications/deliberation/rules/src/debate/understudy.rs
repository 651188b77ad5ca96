//! The stand-ins for every agent: by rule, from what is to be done as data.

use enza_deliberation_cast as cast;
use enza_deliberation_cast::{Candidate, Persona, Speaking, Utterance};
use enza_kernel::conversation::{Reply, Request};
use enza_kernel::text::Lang;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::closing::{CandidatesReply, NextReply, RankingReply, VerdictReply};

/// What an agent is asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Task {
    Strategy { lang: Lang, feedback: String, own: Vec<Utterance> },
    Speak { speaking: Box<Speaking> },
    TurnSummary { turn: u32, previous: Option<String>, facts: Facts },
    Summary { facts: Facts },
    Verdict { facts: Facts },
    Candidates { facts: Facts },
    Ranking { persona: Persona, own: Vec<Utterance>, candidates: Vec<Candidate>, seed: String },
    Next { facts: Facts },
}

/// A debate as far as outcomes need it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Facts {
    pub lang: Lang,
    pub topic: String,
    pub said: Vec<Utterance>,
}

pub(super) fn understudy(request: &Request) -> Option<Reply> {
    let task: Task = serde_json::from_value(request.task.clone()?).ok()?;
    Some(Reply { text: answer(&task), model: "understudy".to_owned(), ..Reply::default() })
}

fn answer(task: &Task) -> String {
    match task {
        Task::Strategy { lang, feedback, own } => cast::strategy(*lang, feedback, own),
        Task::Speak { speaking } => {
            let spoken = cast::speak(speaking);
            format!("<thinking>{}</thinking>\n{}", spoken.thinking, spoken.text)
        }
        Task::TurnSummary { turn, previous, facts } => {
            cast::turn_summary(facts.lang, *turn, &facts.said, previous.as_deref())
        }
        Task::Summary { facts } => cast::summary(facts.lang, &facts.topic, &facts.said),
        Task::Verdict { facts } => {
            json!(VerdictReply::of(&cast::verdict(facts.lang, &facts.topic, &facts.said))).to_string()
        }
        Task::Candidates { facts } => {
            let found = cast::closing_candidates(facts.lang, &facts.topic, &facts.said);
            json!(CandidatesReply { candidates: found.into_iter().map(|one| one.text).collect() }).to_string()
        }
        Task::Ranking { persona, own, candidates, seed } => {
            let order = cast::ranking(persona, own, candidates, seed);
            json!(RankingReply { order: order.into_iter().map(|place| place + 1).collect() }).to_string()
        }
        Task::Next { facts } => {
            let cast::NextTopic { title, description } = cast::next_topic(facts.lang, &facts.topic, &facts.said);
            json!(NextReply { title, description }).to_string()
        }
    }
}
