//! The agents of a debate, and what each is asked with.
//!
//! A prompt is rendered from state and reads only what was settled when its thread began: statements of earlier turns, the
//! frozen direction. What is taken of what an agent says is in `replies`.

use enza_deliberation_cast::{Knowledge, Mode, Persona, Speaking, Subject, Utterance, mode};
use enza_kernel::agent::Agent;
use enza_kernel::conversation::{Message, Part, Request, Role, Sampling, estimate_tokens};
use enza_kernel::effect::AskModel;
use enza_kernel::schema::schema_of;
use serde_json::Value;

use super::Debates;
use super::closing::{CandidatesReply, NextReply, RankingReply, VerdictReply};
use super::event::Redraw;
use super::state::{DebateState, Seat};
use super::understudy::{Facts, Task};
use super::work::{CHRONICLER, CLOSER, JUDGE, SCOUT, SPEAKER, STRATEGIST, Work};
use crate::prompts::outcome::WholeDebate;
use crate::prompts::statement::{self, Speaker, TurnAsked};
use crate::prompts::strategy;
use crate::words::words;
use crate::{STRATEGY_TOKENS, of_words};

/// Everyone who is asked.
pub(super) fn agents() -> Vec<Agent> {
    let agent = |name, max_output| Agent { max_output, window: 200_000, rounds: 4, ..Agent::new(name, Vec::new()) };
    vec![
        agent(SPEAKER, 3_000),
        agent(STRATEGIST, STRATEGY_TOKENS),
        agent(CHRONICLER, 1_500),
        agent(JUDGE, 3_000),
        agent(CLOSER, 2_000),
        agent(SCOUT, 1_000),
    ]
}

/// What a call is asked with: a system prompt, a user prompt, the same as data.
struct Asked {
    system: String,
    user: String,
    output: Option<Value>,
    task: Option<Task>,
}

pub(super) fn request(app: &Debates, state: &DebateState, ask: &AskModel) -> Request {
    use enza_kernel::agent::AgentApplication as _;
    let agent = app.agent(&ask.agent);
    let Some((work, asked)) = Work::of(&ask.thread).and_then(|work| Some((work.clone(), asked(state, &work)?))) else {
        return Request { agent: ask.agent.clone(), thread: ask.thread.clone(), ..Request::default() };
    };
    let later = state.cast.threads.get(&ask.thread).map_or(&[][..], |thread| &thread.messages);
    let mut messages = vec![Message::new(Role::Session, asked.user)];
    // The first message of the thread is its name; what comes after are replies that were sent back, and why.
    messages.extend(later.iter().skip(1).cloned());
    Request {
        agent: ask.agent.clone(),
        thread: ask.thread.clone(),
        stable: vec![Part { name: "system".to_owned(), text: asked.system.into() }],
        messages,
        output: asked.output,
        sampling: Sampling { seed: seed(state, &work), ..agent.sampling },
        max_output: agent.max_output,
        task: asked.task.map(|task| serde_json::json!(task)),
        ..Request::default()
    }
}

/// A statement that is drawn again starts from the same chance as the first time (DEL-C23).
fn seed(state: &DebateState, work: &Work) -> Option<u32> {
    let (Work::Speak { turn, seat } | Work::Redraw { turn, seat, .. }) = work else { return None };
    let words = of_words(&["seed", &state.settings.debate, &state.settings.seed, &turn.to_string(), seat]);
    u32::from_str_radix(words.get(..7)?, 16).ok()
}

pub(super) fn prompt_tokens(_app: &Debates, state: &DebateState, agent: &Agent, thread: &str) -> u64 {
    let asked = Work::of(thread).and_then(|work| asked(state, &work));
    asked.map_or(agent.layout_ceiling, |asked| {
        let schema = asked.output.as_ref().map_or(0, |schema| estimate_tokens(&schema.to_string()));
        estimate_tokens(&asked.system) + estimate_tokens(&asked.user) + schema + 16
    })
}

fn asked(state: &DebateState, work: &Work) -> Option<Asked> {
    let lang = state.lang();
    let said = state.all_said();
    let whole = WholeDebate { title: &state.topic.title, description: &state.topic.description, said: &said };
    let facts = || Facts { lang, topic: state.topic.title.clone(), said: said.clone() };
    let of_record = |user: String, task: Task| Asked {
        system: words(lang).say("prompt.outcome_system").to_owned(),
        user,
        output: None,
        task: Some(task),
    };
    Some(match work {
        Work::Strategy { seat } => strategy_asked(state, state.seat(seat)?)?,
        Work::Speak { turn, seat } => {
            let direction = state.direction(*turn, seat).map(|one| one.content.as_str());
            statement_asked(state, *turn, state.seat(seat)?, direction)?
        }
        Work::Redraw { way, turn, seat } => {
            let direction = match way {
                Redraw::Without => None,
                Redraw::Unchanged => state.direction(*turn, seat).map(|one| one.content.as_str()),
            };
            statement_asked(state, *turn, state.seat(seat)?, direction)?
        }
        Work::TurnSummary { turn } => {
            let said = state.said_before(turn + 1);
            let previous = previous_summary(state, *turn);
            let whole = WholeDebate { said: &said, ..whole };
            let user = whole.turn_summary(lang, *turn, previous);
            of_record(
                user,
                Task::TurnSummary {
                    turn: *turn,
                    previous: previous.map(str::to_owned),
                    facts: Facts { said: said.clone(), ..facts() },
                },
            )
        }
        Work::Summary => of_record(whole.summary(lang), Task::Summary { facts: facts() }),
        Work::Verdict => Asked {
            system: words(lang).say("prompt.judge_system").to_owned(),
            user: whole.verdict(lang),
            output: Some(schema_of::<VerdictReply>()),
            task: Some(Task::Verdict { facts: facts() }),
        },
        Work::Candidates => Asked {
            output: Some(schema_of::<CandidatesReply>()),
            ..of_record(whole.candidates(lang), Task::Candidates { facts: facts() })
        },
        Work::Next => Asked {
            output: Some(schema_of::<NextReply>()),
            ..of_record(whole.next_topic(lang), Task::Next { facts: facts() })
        },
        Work::Ranking { seat } => ranking_asked(state, state.seat(seat)?, &whole)?,
    })
}

/// The newest summary of an earlier turn.
pub(super) fn previous_summary(state: &DebateState, turn: u32) -> Option<&str> {
    let earlier = state.turns.iter().filter(|one| one.row.turn_number < turn);
    earlier.rev().find_map(|one| one.row.summary.as_deref())
}

fn strategy_asked(state: &DebateState, seat: &Seat) -> Option<Asked> {
    let feedback = seat.brief.feedback.as_ref()?;
    let lang = state.lang();
    let own = feedback.own.iter().zip(1..).map(|(one, number)| Utterance {
        number,
        turn: one.turn,
        speaker: seat.brief.name.clone(),
        text: one.content.clone(),
    });
    Some(Asked {
        system: strategy::system(lang).to_owned(),
        user: strategy::user(lang, &printed(&seat.brief.persona), &feedback.own, &feedback.content),
        output: None,
        task: Some(Task::Strategy { lang, feedback: feedback.content.clone(), own: own.collect() }),
    })
}

/// P1 of a seat in a turn, with this direction or none.
fn statement_asked(state: &DebateState, turn: u32, seat: &Seat, direction: Option<&str>) -> Option<Asked> {
    let lang = state.lang();
    let mode = mode(&state.card.mode)?;
    let said = state.said_before(turn);
    let brief = &seat.brief;
    let strategy = seat.strategy.as_ref().map(|strategy| strategy.text.as_str());
    let persona = printed(&brief.persona);
    let speaker = Speaker { name: &brief.name, persona: &persona, strategy, knowledge: &brief.knowledge, direction };
    let summary_of = state.turn(turn).and_then(|turn| turn.summary_of);
    let summary = summary_of.and_then(|turn| Some((turn, state.turn(turn)?.row.summary.as_deref()?)));
    let asked = TurnAsked {
        title: &state.topic.title,
        description: &state.topic.description,
        mode,
        turn,
        turns: state.card.max_turns,
        name: &brief.name,
        said: &said,
        summary,
    };
    Some(Asked {
        system: statement::system(lang, &speaker),
        user: statement::user(lang, &asked),
        output: None,
        task: speaking(state, turn, seat, direction, mode).map(|speaking| Task::Speak { speaking: Box::new(speaking) }),
    })
}

fn speaking(state: &DebateState, turn: u32, seat: &Seat, direction: Option<&str>, mode: &Mode) -> Option<Speaking> {
    let lang = state.lang();
    let turns = state.card.max_turns;
    let phase = mode.phase_of_turn_in(turn, turns);
    let brief = &seat.brief;
    let (own, heard) = state.said_before(turn).into_iter().partition(|one| one.speaker == brief.name);
    let known = |one: &crate::KnowledgeEntry| Knowledge { title: one.title.clone(), content: one.content.clone() };
    Some(Speaking {
        lang,
        topic: Subject { title: state.topic.title.clone(), description: state.topic.description.clone() },
        aim: phase.aim,
        length: phase.text(lang).length,
        confidence: mode.confidence,
        turn,
        turns,
        seat: state.place(&seat.word) as u32,
        seats: state.seats.len() as u32,
        name: brief.name.clone(),
        persona: Persona::read(&brief.persona).ok()?,
        strategy: seat.strategy.as_ref().map(|strategy| strategy.text.clone()),
        knowledge: brief.knowledge.iter().map(known).collect(),
        direction: direction.map(str::to_owned),
        heard,
        own,
        seed: state.settings.seed.clone(),
    })
}

fn ranking_asked(state: &DebateState, seat: &Seat, whole: &WholeDebate<'_>) -> Option<Asked> {
    let (lang, brief) = (state.lang(), &seat.brief);
    let candidates = state.outcome.candidates.as_deref()?;
    let persona = printed(&brief.persona);
    let speaker =
        Speaker { name: &brief.name, persona: &persona, strategy: None, knowledge: &brief.knowledge, direction: None };
    let own = whole.said.iter().filter(|one| one.speaker == brief.name).cloned().collect();
    Some(Asked {
        system: statement::system(lang, &speaker),
        user: whole.ranking(lang, candidates),
        output: Some(schema_of::<RankingReply>()),
        task: Persona::read(&brief.persona).ok().map(|persona| Task::Ranking {
            persona,
            own,
            candidates: candidates.to_vec(),
            seed: state.settings.seed.clone(),
        }),
    })
}

/// A persona as prompts print it (DEL-78).
fn printed(persona: &str) -> String {
    Persona::read(persona).map_or_else(|_| persona.to_owned(), |persona| persona.pretty())
}
