//! The agents of a debate: what each is asked with, and what is taken of what it says.
//!
//! A prompt is rendered from state and reads only what was settled when its thread began: statements of earlier turns, the
//! frozen direction. What a model thinks stands in a block of its own and is kept apart from what it says (DEL-C11).

use enza_deliberation_cast::{Knowledge, Mode, Persona, Speaking, Subject, Utterance, mode};
use enza_kernel::agent::{Agent, ThreadFailure};
use enza_kernel::application::Draft;
use enza_kernel::conversation::{Message, Part, Request, Role, Sampling, estimate_tokens};
use enza_kernel::effect::AskModel;
use enza_kernel::limits::Limit;
use enza_kernel::schema::schema_of;
use serde_json::Value;

use super::closing::{self, CandidatesReply, NextReply, RankingReply, VerdictReply};
use super::event::{Author, Event, Redraw, Statement, Strategy, TurnRow};
use super::state::{Seat, State};
use super::understudy::{Facts, Task};
use super::work::{CHRONICLER, CLOSER, JUDGE, SCOUT, SPEAKER, STRATEGIST, Work};
use super::{Debates, redraw};
use crate::prompts::outcome::WholeDebate;
use crate::prompts::statement::{self, Speaker, TurnAsked};
use crate::prompts::strategy;
use crate::words::words;
use crate::{STRATEGY_TOKENS, of_words};

/// What a model may say at most; longer ones are sent back.
pub(super) const STATEMENT: Limit = Limit { name: "statement", graphemes: 2_000, bytes: 32 * 1024 };
const STRATEGY: Limit = Limit { name: "strategy", graphemes: 2_000, bytes: 32 * 1024 };
const SUMMARY: Limit = Limit { name: "summary", graphemes: 4_000, bytes: 64 * 1024 };

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

pub(super) fn request(app: &Debates, state: &State, ask: &AskModel) -> Request {
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
fn seed(state: &State, work: &Work) -> Option<u32> {
    let (Work::Speak { turn, seat } | Work::Redraw { turn, seat, .. }) = work else { return None };
    let words = of_words(&["seed", &state.settings.debate, &state.settings.seed, &turn.to_string(), seat]);
    u32::from_str_radix(words.get(..7)?, 16).ok()
}

pub(super) fn prompt_tokens(_app: &Debates, state: &State, agent: &Agent, thread: &str) -> u64 {
    let asked = Work::of(thread).and_then(|work| asked(state, &work));
    asked.map_or(agent.layout_ceiling, |asked| {
        let schema = asked.output.as_ref().map_or(0, |schema| estimate_tokens(&schema.to_string()));
        estimate_tokens(&asked.system) + estimate_tokens(&asked.user) + schema + 16
    })
}

fn asked(state: &State, work: &Work) -> Option<Asked> {
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
pub(super) fn previous_summary(state: &State, turn: u32) -> Option<&str> {
    let earlier = state.turns.iter().filter(|one| one.row.turn_number < turn);
    earlier.rev().find_map(|one| one.row.summary.as_deref())
}

fn strategy_asked(state: &State, seat: &Seat) -> Option<Asked> {
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
fn statement_asked(state: &State, turn: u32, seat: &Seat, direction: Option<&str>) -> Option<Asked> {
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

fn speaking(state: &State, turn: u32, seat: &Seat, direction: Option<&str>, mode: &Mode) -> Option<Speaking> {
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

fn ranking_asked(state: &State, seat: &Seat, whole: &WholeDebate<'_>) -> Option<Asked> {
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

/// Takes what an agent said, or says what is wrong with it.
pub(super) fn said(draft: &mut Draft<'_, Debates>, thread: &str, text: &str) -> Result<(), String> {
    let Some(work) = Work::of(thread) else { return Ok(()) };
    match &work {
        Work::Strategy { seat } => strategy_said(draft, seat, text),
        Work::Speak { turn, seat } => {
            let spoken = spoken(&draft.state, seat, text)?;
            speak(draft, *turn, seat, spoken);
            Ok(())
        }
        Work::Redraw { way, turn, seat } => {
            let spoken = spoken(&draft.state, seat, text)?;
            redraw::drawn(draft, *way, *turn, seat, Some(spoken.content));
            Ok(())
        }
        Work::TurnSummary { turn } => {
            let text = SUMMARY.check(without_thinking(text).1.as_str()).map_err(|unfit| format!("{unfit}."))?;
            turn_summed(draft, *turn, text, Author::Model);
            Ok(())
        }
        Work::Summary | Work::Verdict | Work::Candidates | Work::Ranking { .. } | Work::Next => {
            closing::said(draft, &work, &without_thinking(text).1)
        }
    }
}

/// An agent could not go on: something else takes the place of what it was asked for.
pub(super) fn failed(draft: &mut Draft<'_, Debates>, thread: &str, failure: &ThreadFailure) {
    let Some(work) = Work::of(thread) else { return };
    match &work {
        Work::Strategy { .. } => strategy_failed(draft, &work, &failure.to_string()),
        Work::Speak { turn, seat } => {
            if let Some(statement) = statement_of(&draft.state, *turn, seat, String::new(), draft.now().time.0) {
                draft.record(Event::SpeakerFailed { statement });
            }
        }
        Work::Redraw { way, turn, seat } => redraw::drawn(draft, *way, *turn, seat, None),
        Work::TurnSummary { turn } => {
            let state = &draft.state;
            let said = state.said_before(turn + 1);
            let previous = previous_summary(state, *turn);
            let text = enza_deliberation_cast::turn_summary(state.lang(), *turn, &said, previous);
            turn_summed(draft, *turn, text, Author::Rule);
        }
        Work::Summary | Work::Verdict | Work::Candidates | Work::Ranking { .. } | Work::Next => {
            closing::fall_back(draft, &work);
        }
    }
}

fn strategy_said(draft: &mut Draft<'_, Debates>, word: &str, text: &str) -> Result<(), String> {
    let text = STRATEGY.check(&without_thinking(text).1).map_err(|unfit| format!("{unfit}."))?;
    let Some(seat) = draft.state.seat(word) else { return Ok(()) };
    let strategy = Strategy {
        id: of_words(&["strategy", &draft.state.settings.debate, word]),
        seat: word.to_owned(),
        debater: seat.brief.debater.clone(),
        feedback_id: seat.brief.feedback.as_ref().map(|feedback| feedback.id.clone()),
        text,
        created_at: draft.now().time.0,
    };
    draft.record(Event::StrategyMade { strategy });
    Ok(())
}

/// It is recorded with the debater's id, and nobody waits for it (DEL-70).
pub(super) fn strategy_failed(draft: &mut Draft<'_, Debates>, work: &Work, why: &str) {
    let Some(seat) = work.seat().and_then(|seat| draft.state.seat(seat)) else { return };
    let (seat, debater) = (seat.word.clone(), seat.brief.debater.clone());
    draft.record(Event::StrategyFailed { seat, debater, why: why.to_owned() });
}

fn turn_summed(draft: &mut Draft<'_, Debates>, turn: u32, text: String, by: Author) {
    let Some(turn) = draft.state.turn(turn) else { return };
    let row = TurnRow { summary: Some(text), ..turn.row.clone() };
    draft.record(Event::TurnSummed { turn: row, by });
}

/// A statement, and what was thought with it.
struct Spoken {
    content: String,
    thinking: String,
}

fn speak(draft: &mut Draft<'_, Debates>, turn: u32, seat: &str, spoken: Spoken) {
    // One statement per turn and seat, held by the log.
    if draft.state.statement(turn, seat).is_some() {
        return;
    }
    let Some(statement) = statement_of(&draft.state, turn, seat, spoken.content, draft.now().time.0) else { return };
    draft.record(Event::Spoke { statement: statement.clone() });
    if !spoken.thinking.is_empty() {
        draft.record(Event::Thought { statement, thinking: spoken.thinking });
    }
}

fn statement_of(state: &State, turn: u32, word: &str, content: String, at: i64) -> Option<Statement> {
    let seat = state.seat(word)?;
    Some(Statement {
        id: of_words(&["statement", &state.settings.debate, &turn.to_string(), word]),
        // By turn and seat, so that it does not depend on who was quicker.
        number: (turn - 1) * state.seats.len() as u32 + state.place(word) as u32 + 1,
        turn_id: state.turn(turn)?.row.id.clone(),
        turn,
        seat: word.to_owned(),
        debater: seat.brief.debater.clone(),
        name: seat.brief.name.clone(),
        content,
        created_at: at,
    })
}

/// What a speaker said, apart from what it thought; or what is wrong with it.
fn spoken(state: &State, word: &str, text: &str) -> Result<Spoken, String> {
    let own = state.seat(word).map(|seat| seat.brief.name.as_str()).unwrap_or_default();
    let (thinking, mut content) = without_thinking(text);
    let others = state.seats.iter().map(|seat| seat.brief.name.as_str()).filter(|name| *name != own);
    if let Some(other) = others.into_iter().find(|name| after_name(&content, name).is_some()) {
        return Err(format!("it speaks as {other}, and you are {own}. Speak as yourself, without a name in front."));
    }
    if let Some(rest) = after_name(&content, own) {
        content = rest.to_owned();
    }
    let content =
        STATEMENT.check(&content).map_err(|unfit| format!("{unfit}. Say your statement after </thinking>."))?;
    Ok(Spoken { content, thinking })
}

/// What follows a name and a colon at the beginning of a text.
fn after_name<'a>(content: &'a str, name: &str) -> Option<&'a str> {
    if name.is_empty() {
        return None;
    }
    let rest = content.trim_start_matches(['「', '*', '[', '【']).strip_prefix(name)?;
    rest.trim_start_matches(['」', '*', ']', '】', ' ']).strip_prefix([':', '：']).map(str::trim_start)
}

/// A reply as its thinking block and the rest. A block that is never closed takes everything with it.
fn without_thinking(text: &str) -> (String, String) {
    let (mut thinking, mut rest) = (Vec::new(), text.to_owned());
    for (open, close) in [("<thinking>", "</thinking>"), ("<think>", "</think>")] {
        while let Some(start) = rest.find(open) {
            let inside = start + open.len();
            let (end, after) = match rest[inside..].find(close) {
                Some(length) => (inside + length, inside + length + close.len()),
                None => (rest.len(), rest.len()),
            };
            thinking.push(rest[inside..end].trim().to_owned());
            rest.replace_range(start..after, "");
        }
    }
    (thinking.join("\n"), rest.trim().to_owned())
}
