//! The end of an interview: what was submitted, the sentences it came from, and where it is.

use enza_interview::{Bootstrap, Event, FieldRecord, Interview, Source, Stage, State, SubmittedAnswer};
use enza_runtime::engine::Engine;
use enza_runtime::seams::store::SessionId;
use enza_terminal::screen::{Screen, fold, pad, width};
use enza_terminal::setup;
use enza_terminal::trouble::Trouble;
use serde_json::{Map, Value, json};

use super::conversation::Ending;
use crate::delivery::Outbox;
use crate::words::interview as words;
use crate::words::question;

/// Tells how it ended.
pub async fn conclude(
    screen: &Screen,
    engine: &Engine,
    outbox: &Outbox,
    session: &SessionId,
    ending: Ending,
) -> Result<(), Trouble> {
    let state = match ending {
        Ending::Over(state) => *state,
        Ending::Left => {
            screen.say(&words::left(screen.lang, setup::short_id(session)))?;
            return if screen.json { screen.value(&json!({"session": session, "left": true})) } else { Ok(()) };
        }
    };
    let delivered = state.stage() == Stage::Delivered;
    let file = Some(outbox.file_of(session)).filter(|file| delivered && file.exists());
    if screen.json {
        let mut whole = report(&state, turns(engine, session).await?);
        whole["session"] = json!(session);
        whole["delivered"] = json!(delivered);
        whole["file"] = json!(file);
        return screen.value(&whole);
    }
    if delivered {
        screen.note(&format!("\n{}", receipt(screen, &state)))?;
    }
    screen.say("")?;
    screen.say(&words::over(screen.lang, state.stage(), file.as_deref()))?;
    screen.note(&screen.paint.faint(&words::look_again(screen.lang, setup::short_id(session))))
}

/// How far an interview has come.
pub fn progress(state: &State) -> Value {
    let (done, of) = state.progress();
    json!({"done": done, "of": of})
}

/// Everything that came of an interview, by field id.
fn report(state: &State, turns: usize) -> Value {
    let answers = state.submission().answers;
    let by_id = |pick: &dyn Fn(&SubmittedAnswer) -> Option<Value>| -> Map<String, Value> {
        answers.iter().filter_map(|answer| Some((answer.field_id.clone(), pick(answer)?))).collect()
    };
    let incomplete: Vec<&str> =
        answers.iter().filter(|answer| answer.incomplete).map(|answer| answer.field_id.as_str()).collect();
    let Bootstrap { language, country, .. } = state.bootstrap();
    let used = state.threads().usage;
    json!({
        "stage": state.stage(),
        "language": language,
        "country": country,
        "progress": progress(state),
        "values": by_id(&|answer| answer.value.as_ref().map(|value| json!(value))),
        "absences": by_id(&|answer| answer.absence.filter(|_| answer.value.is_none()).map(|absence| json!(absence))),
        "incomplete": incomplete,
        "sentences": by_id(&|answer| answer.sentence.as_ref().map(|sentence| json!(sentence))),
        "turns": turns,
        "calls": state.threads().replies,
        "tokens": {"input": used.input, "output": used.output},
    })
}

/// How often the respondent said something, or went on without an answer.
pub async fn turns(engine: &Engine, session: &SessionId) -> Result<usize, Trouble> {
    let entries = engine.entries::<Interview>(session).await?;
    Ok(entries.iter().filter(|entry| is_turn(&entry.event)).count())
}

fn is_turn(event: &Event) -> bool {
    matches!(
        event,
        Event::AnswerGiven { source: Source::Question, .. } | Event::Greeted { .. } | Event::FieldDeclined { .. }
    )
}

/// Whether it only asks for another item of its group: such a field has the record's own name, `guests.1.more`.
fn is_about_more(state: &State, record: &FieldRecord) -> bool {
    record.id().contains('.') && state.field_of(record).field_id == record.id()
}

/// The values as people read them, each with the sentence that it came from where that says more.
fn receipt(screen: &Screen, state: &State) -> String {
    let lang = screen.lang;
    let rows: Vec<(String, String, Option<&str>)> = super::parse::listed(state)
        .filter(|record| !is_about_more(state, record))
        .map(|record| {
            let shown = question::value(lang, state, record);
            let says_more = |sentence: &&str| {
                let known = [record.value().unwrap_or_default(), shown.as_str()];
                known.iter().all(|known| known.trim() != sentence.trim())
            };
            let sentence = record.sentence().filter(says_more);
            (state.label(record), shown, sentence)
        })
        .collect();
    let widest = rows.iter().map(|(label, ..)| width(label)).max().unwrap_or(0);
    let column = widest.min(screen.width() / 3) + 2;
    let room = screen.width().saturating_sub(column);
    let mut lines = Vec::new();
    for (label, value, sentence) in rows {
        let labels = fold(&label, column - 2);
        let from = sentence
            .map(|one| crate::words::words(lang).fill("interview.receipt_from", &[("sentence", &one)]))
            .unwrap_or_default();
        let from = fold(&from, room).into_iter().map(|line| screen.paint.faint(&line));
        let values: Vec<String> = fold(&value, room).into_iter().chain(from).collect();
        for place in 0..labels.len().max(values.len()) {
            let cell = |cells: &[String]| cells.get(place).cloned().unwrap_or_default();
            let label = screen.paint.faint(&pad(&cell(&labels), column));
            lines.push(format!("{label}{}", cell(&values)).trim_end().to_owned());
        }
    }
    lines.join("\n")
}
