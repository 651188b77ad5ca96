//! The agents that work for a debater, the threads they work in, and what becomes of their answers.
//!
//! An answer is read with patience and sent back when it is of no use; where that does not help, or nobody answers in time,
//! a rule stands in for the persona and for the question, and growth and trials end without effect.

use enza_deliberation_cast::{Persona, check_chosen, reflection as asked_by_rule};
use enza_kernel::agent::{self, Agent, CallVerdict, ThreadFailure};
use enza_kernel::application::Draft;
use enza_kernel::limits::one_line;
use enza_kernel::prompt::{Layout, Section};
use serde::Deserialize;

use super::event::{AskedReflection, DebaterEvent, PersonaAuthor, TrialSide};
use super::state::{CompletedDebate, DebaterState};
use super::{Debater, decide, understudy};
use crate::limits::STRATEGY_TOKENS;
use crate::names::of_words;
use crate::prompts;

/// Writes the persona of a new debater, in a thread of that name.
pub(super) const PORTRAIT: &str = "portrait";
/// Lets the persona grow, in a thread of that name.
pub(super) const GROWTH: &str = "growth";
/// Asks the owner a question.
pub(super) const REFLECTION: &str = "reflection";
/// Makes the strategy of a trial.
pub(super) const STRATEGIST: &str = "strategist";
/// Says the first sentences of a trial.
pub(super) const SPEAKER: &str = "speaker";

/// The deadline of a whole trial.
pub(super) const TRIAL: &str = "trial";
pub(super) const TRIAL_STRATEGY: &str = "trial/strategy";
const TRIAL_WITH: &str = "trial/with";
const TRIAL_WITHOUT: &str = "trial/without";

const QUESTION: usize = 40;
const CONTEXT: usize = 80;
/// A strategy is never longer than this, whatever a model writes.
const LONGEST_STRATEGY: usize = 2_000;

/// Tokens that a thread may grow to: all feedback that waits is one message of it.
const WINDOW: u64 = 64_000;
/// Tokens of the rules, with ten pieces of knowledge as large as they may be.
const LARGEST: u64 = 64_000;

/// Every role.
#[derive(Debug, Clone)]
pub(super) struct DebaterAgents {
    portrait: Agent,
    growth: Agent,
    reflection: Agent,
    strategist: Agent,
    speaker: Agent,
}

impl DebaterAgents {
    pub(super) fn new() -> Self {
        let role = |name, max_output| Agent { max_output, rounds: 4, window: WINDOW, ..Agent::new(name, Vec::new()) };
        Self {
            portrait: Agent { output: Some(prompts::persona_shape()), ..role(PORTRAIT, 1_000) },
            growth: Agent { output: Some(prompts::persona_shape()), ..role(GROWTH, 2_000) },
            reflection: Agent { output: Some(prompts::reflection_shape()), ..role(REFLECTION, 500) },
            strategist: role(STRATEGIST, STRATEGY_TOKENS),
            speaker: role(SPEAKER, 500),
        }
    }

    pub(super) fn named(&self, name: &str) -> &Agent {
        match name {
            GROWTH => &self.growth,
            REFLECTION => &self.reflection,
            STRATEGIST => &self.strategist,
            SPEAKER => &self.speaker,
            _ => &self.portrait,
        }
    }
}

/// The thread in which the question about a debate is thought of.
pub(super) fn reflection_thread(debate: &str) -> String {
    format!("{REFLECTION}/{debate}")
}

/// The thread of a first sentence.
pub(super) fn trial_thread(side: TrialSide) -> &'static str {
    match side {
        TrialSide::With => TRIAL_WITH,
        TrialSide::Without => TRIAL_WITHOUT,
    }
}

/// What a thread is about.
pub(super) enum ThreadWork<'a> {
    Portrait,
    Growth,
    /// The debate that is asked about.
    Reflection(&'a str),
    TrialStrategy,
    Trial(TrialSide),
}

pub(super) fn work_of(thread: &str) -> Option<ThreadWork<'_>> {
    match thread {
        PORTRAIT => Some(ThreadWork::Portrait),
        GROWTH => Some(ThreadWork::Growth),
        TRIAL_STRATEGY => Some(ThreadWork::TrialStrategy),
        TRIAL_WITH => Some(ThreadWork::Trial(TrialSide::With)),
        TRIAL_WITHOUT => Some(ThreadWork::Trial(TrialSide::Without)),
        _ => thread.strip_prefix(REFLECTION)?.strip_prefix('/').map(ThreadWork::Reflection),
    }
}

/// The prompt of a thread beside its messages: the rules of its agent.
pub(super) fn layout(state: &DebaterState, thread: &str) -> Layout {
    let lang = state.lang();
    let rules = match work_of(thread) {
        Some(ThreadWork::Portrait) => prompts::portrait_rules(lang).to_owned(),
        Some(ThreadWork::Growth) => prompts::growth_rules(lang).to_owned(),
        Some(ThreadWork::Reflection(_)) => prompts::reflection_rules(lang).to_owned(),
        Some(ThreadWork::TrialStrategy) => prompts::strategy::system(lang).to_owned(),
        Some(ThreadWork::Trial(side)) => decide::trial_voice(state, side).unwrap_or_default(),
        None => String::new(),
    };
    Layout::new(LARGEST + WINDOW).layer("rules", LARGEST, [Section::new("rules", rules)])
}

/// No agent of a debater has a tool.
pub(super) fn call() -> CallVerdict {
    CallVerdict::Refuse("You have no tools. Answer in text.".to_owned())
}

/// Takes an answer, or says what is wrong with it.
pub(super) fn said(draft: &mut Draft<'_, Debater>, thread: &str, text: &str) -> Result<(), String> {
    match work_of(thread) {
        Some(ThreadWork::Portrait) => {
            let lang = draft.state.lang();
            let values = draft.state.profile.as_ref().map(|profile| profile.values.clone()).unwrap_or_default();
            let chosen = check_chosen(&values).map_err(|fault| fault.to_string())?;
            let named = chosen.map(|value| value.text(lang).name.as_str());
            let persona = Persona::read_born(text, &named, 1).map_err(|fault| format!("{fault}."))?;
            decide::be_born(draft, &persona, PersonaAuthor::Model);
            Ok(())
        }
        Some(ThreadWork::Growth) => {
            let old = draft.state.persona.clone().ok_or("there is no persona.")?;
            let grown = Persona::read_grown(text, &old).map_err(|fault| format!("{fault}."))?;
            decide::finish_growth(draft, &grown);
            Ok(())
        }
        Some(ThreadWork::Reflection(debate)) => {
            let answer = read_question(text)?;
            ask_owner(draft, debate, &answer);
            Ok(())
        }
        Some(ThreadWork::TrialStrategy) => {
            let strategy = text.rsplit_once("</thinking>").map_or(text, |(_, said)| said).trim();
            if strategy.is_empty() {
                return Err("it is empty.".to_owned());
            }
            let strategy: String = strategy.chars().take(LONGEST_STRATEGY).collect();
            decide::take_strategy(draft, strategy);
            Ok(())
        }
        Some(ThreadWork::Trial(side)) => {
            let sentence = prompts::first_sentence(text).ok_or("there is no sentence in it.")?;
            decide::say_in_trial(draft, side, sentence);
            Ok(())
        }
        None => Ok(()),
    }
}

/// A thread could not go on.
pub(super) fn failed(draft: &mut Draft<'_, Debater>, thread: &str, failure: &ThreadFailure) {
    give_up(draft, thread, &failure.to_string());
}

/// Its time is over.
pub(super) fn ring(draft: &mut Draft<'_, Debater>, timer: &str) {
    let is_over = |at| draft.now().time >= at;
    let Some(thread) = timer.strip_prefix(super::DEADLINE) else { return };
    if draft.state.deadlines.get(thread).copied().is_some_and(is_over) {
        give_up(draft, thread, "there was no answer in time");
    }
}

fn give_up(draft: &mut Draft<'_, Debater>, thread: &str, why: &str) {
    let why = why.to_owned();
    match work_of(thread) {
        Some(ThreadWork::Portrait) => {
            if let Some(persona) = portrait_by_rule(&draft.state) {
                decide::be_born(draft, &persona, PersonaAuthor::Rule);
            }
        }
        Some(ThreadWork::Growth) if draft.state.growth.under_way.is_some() => {
            draft.record(DebaterEvent::GrowthFailed { why });
        }
        Some(ThreadWork::Reflection(debate)) => {
            let known = draft.state.debate(debate).cloned();
            if let Some(answer) = known.map(|known| question_by_rule(&draft.state, &known)) {
                ask_owner(draft, debate, &answer);
            }
        }
        Some(ThreadWork::TrialStrategy | ThreadWork::Trial(_)) => fail_trial(draft, why),
        None if thread == TRIAL => fail_trial(draft, why),
        Some(ThreadWork::Growth) | None => {}
    }
}

fn fail_trial(draft: &mut Draft<'_, Debater>, why: String) {
    if let Some(trial) = draft.state.trial.as_ref().filter(|trial| !trial.is_over()) {
        let trial = trial.number;
        draft.record(DebaterEvent::TrialFailed { trial, why });
    }
}

fn portrait_by_rule(state: &DebaterState) -> Option<Persona> {
    let profile = state.profile.as_ref()?;
    let chosen = check_chosen(&profile.values).ok()?;
    Some(Persona::by_rule(profile.lang, &chosen, &profile.debater))
}

/// A question with what it is about, as a model writes it.
#[derive(Debug, Deserialize)]
struct QuestionAnswer {
    question: String,
    #[serde(default)]
    context_summary: String,
}

fn read_question(text: &str) -> Result<QuestionAnswer, String> {
    let json = text.find('{').zip(text.rfind('}')).and_then(|(first, last)| text.get(first..=last));
    let json = json.ok_or("there is no JSON object in it.")?;
    let answer: QuestionAnswer = serde_json::from_str(json).map_err(|why| format!("{why}."))?;
    if answer.question.trim().is_empty() {
        return Err("question is empty.".to_owned());
    }
    Ok(answer)
}

fn question_by_rule(state: &DebaterState, debate: &CompletedDebate) -> QuestionAnswer {
    let own = understudy::utterances(&debate.own, "");
    let asked = asked_by_rule(state.lang(), &debate.title, &own, &[], &debate.seat.debate);
    QuestionAnswer { question: asked.question, context_summary: asked.context }
}

fn ask_owner(draft: &mut Draft<'_, Debater>, debate: &str, answer: &QuestionAnswer) {
    let (Some(profile), Some(known)) = (&draft.state.profile, draft.state.debate(debate)) else { return };
    let reflection = AskedReflection {
        number: draft.state.counts.reflections + 1,
        id: of_words(&["reflection", &profile.debater, debate]),
        debate: debate.to_owned(),
        title: known.title.clone(),
        question: one_line(&answer.question, QUESTION),
        context: one_line(&answer.context_summary, CONTEXT),
        completed_at: known.completed_at,
        created_at: draft.now().time,
        // Whoever was quicker than the question has answered it.
        is_answered: known.feedback.is_some(),
    };
    draft.record(DebaterEvent::Reflected { reflection });
}

/// Takes an outcome of a model call.
pub(super) fn settle(
    draft: &mut Draft<'_, Debater>,
    effect: &enza_kernel::effect::Effect,
    outcome: enza_kernel::effect::Outcome,
) {
    agent::settle(draft, effect, outcome);
    decide::go_on_growing(draft);
}
