//! What a debater's agents are to do, as data, and the stand-in that does it by rule where there is no model.
//!
//! It reads nothing from prose. Whoever shows its words must say that they are a stand-in's.

use enza_deliberation_cast::{
    Aim, Knowledge, Persona, Speaking, Subject, Utterance, check_chosen, growth, reflection, speak, strategy,
};
use enza_kernel::conversation::{Message, Reply, Request, Usage, estimate_tokens};
use enza_kernel::text::Lang;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::agents::{ThreadWork, work_of};
use super::event::TrialSide;
use super::state::DebaterState;
use crate::brief::OwnStatement;

/// What is to be done in a thread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum DebaterTask {
    Portrait { lang: Lang, values: Vec<String>, seed: String },
    Growth { lang: Lang, persona: Persona, feedbacks: Vec<String> },
    Reflection { lang: Lang, topic: String, own: Vec<Utterance>, seed: String },
    Strategy { lang: Lang, feedback: String, own: Vec<Utterance> },
    Speech(Box<Speaking>),
}

/// The task of a thread.
pub(super) fn task(state: &DebaterState, thread: &str) -> Option<DebaterTask> {
    let (profile, lang) = (state.profile.as_ref()?, state.lang());
    match work_of(thread)? {
        ThreadWork::Portrait => {
            let (values, seed) = (profile.values.to_vec(), profile.debater.clone());
            Some(DebaterTask::Portrait { lang, values, seed })
        }
        ThreadWork::Growth => {
            let used = state.growth.under_way.as_ref()?;
            let unapplied = state.unapplied().into_iter().filter(|feedback| used.contains(&feedback.id));
            let feedbacks = unapplied.map(|feedback| feedback.content.clone()).collect();
            Some(DebaterTask::Growth { lang, persona: state.persona.clone()?, feedbacks })
        }
        ThreadWork::Reflection(debate) => {
            let debate = state.debate(debate)?;
            let own = utterances(&debate.own, &profile.name);
            Some(DebaterTask::Reflection { lang, topic: debate.title.clone(), own, seed: debate.seat.debate.clone() })
        }
        ThreadWork::TrialStrategy => {
            let trial = state.trial.as_ref()?;
            let own = utterances(&state.debate(&trial.debate)?.own, &profile.name);
            Some(DebaterTask::Strategy { lang, feedback: trial.content.clone(), own })
        }
        ThreadWork::Trial(side) => speaking(state, side).map(|speaking| DebaterTask::Speech(Box::new(speaking))),
    }
}

/// The seat of a trial: alone at a table, before anybody has spoken.
fn speaking(state: &DebaterState, side: TrialSide) -> Option<Speaking> {
    let (profile, persona, trial) = (state.profile.as_ref()?, state.persona.clone()?, state.trial.as_ref()?);
    let knowledge =
        state.knowledge.iter().map(|known| Knowledge { title: known.title.clone(), content: known.content.clone() });
    let strategy = match side {
        TrialSide::With => trial.strategy.clone(),
        TrialSide::Without => None,
    };
    Some(Speaking {
        lang: profile.lang,
        topic: Subject { title: state.debate(&trial.debate)?.title.clone(), description: String::new() },
        aim: Aim::Open,
        length: profile.lang.pick((80, 200), (150, 400)),
        confidence: false,
        turn: 1,
        turns: 3,
        seat: 0,
        seats: 1,
        name: profile.name.clone(),
        persona,
        strategy,
        knowledge: knowledge.collect(),
        direction: None,
        heard: Vec::new(),
        own: Vec::new(),
        seed: trial.debate.clone(),
    })
}

/// What it said itself, as the voices by rule hear it.
pub(super) fn utterances(own: &[OwnStatement], speaker: &str) -> Vec<Utterance> {
    let numbered = (1..).zip(own);
    let heard = |(number, own): (u32, &OwnStatement)| Utterance {
        number,
        turn: own.turn,
        speaker: speaker.to_owned(),
        text: own.content.clone(),
    };
    numbered.map(heard).collect()
}

/// The reply to a prompt of a debater's agents.
pub(super) fn reply(request: &Request) -> Reply {
    let task = request.task.as_ref().and_then(|task| DebaterTask::deserialize(task).ok());
    // Without a task there is nothing to say: the loop will ask again, and end.
    let text = task.map(|task| words_of(&task)).unwrap_or_default();
    Reply { usage: usage(request, estimate_tokens(&text) + 1), text, ..Reply::default() }
}

fn words_of(task: &DebaterTask) -> String {
    match task {
        DebaterTask::Portrait { lang, values, seed } => {
            let chosen = check_chosen(values);
            chosen.map(|chosen| Persona::by_rule(*lang, &chosen, seed).raw().to_owned()).unwrap_or_default()
        }
        DebaterTask::Growth { lang, persona, feedbacks } => {
            let feedbacks: Vec<&str> = feedbacks.iter().map(String::as_str).collect();
            growth(*lang, persona, &feedbacks)
        }
        DebaterTask::Reflection { lang, topic, own, seed } => {
            let asked = reflection(*lang, topic, own, &[], seed);
            json!({ "question": asked.question, "context_summary": asked.context }).to_string()
        }
        DebaterTask::Strategy { lang, feedback, own } => strategy(*lang, feedback, own),
        DebaterTask::Speech(speaking) => speak(speaking).text,
    }
}

/// What a model would have counted: the whole prompt as input, and no more output than it may write.
fn usage(request: &Request, written: u64) -> Usage {
    let parts = request.stable.iter().chain(&request.fresh);
    let sections: u64 = parts.map(|part| estimate_tokens(&part.text)).sum();
    let thread: u64 = request.messages.iter().map(Message::tokens).sum();
    Usage { input: sections + thread, output: written.min(u64::from(request.max_output)), ..Usage::default() }
}
