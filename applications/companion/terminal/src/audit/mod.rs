//! `enza companion audit`: what happened in a session, a line each, from its log and nothing else.
//!
//! Time, turn, who, what and why: what was said, how the model judged, moves made and refused, what was wanted, how much was
//! at stake and by which rule it was decided, answers at gates, what was done with the digests of files before and after,
//! tokens; and at the end how often people said yes and no. The log is folded along, so that what only refers to something
//! earlier, such as the end of an order, is told in full. Secrets are masked.

mod approvals;
mod describe;
mod operations;

use enza_companion::{Companion, Event, State};
use enza_kernel::application::{Application as _, Entry};
use enza_kernel::text::Lang;
use enza_kernel::time::Seq;
use enza_runtime::seams::store::{Recorded, SessionId};
use enza_terminal::commands::session::when;
use enza_terminal::environment::Environment;
use enza_terminal::screen::{Columns, Screen};
use enza_terminal::setup;
use enza_terminal::trouble::Trouble;
use enza_work::hazard;
use serde_json::{Value, json};

use approvals::Approvals;

/// Prints what happened.
pub async fn run(around: &Environment, screen: &Screen, part: &str) -> Result<(), Trouble> {
    let engine = setup::read_only_engine(around).await?;
    let session = super::open::find_companion_session(&engine, part).await?;
    let events = engine.store().events(&session, Seq::START, usize::MAX).await?;
    let (records, approvals) = collect_records(&session, &events, screen.lang);
    if screen.json {
        return records.iter().try_for_each(|record| screen.value(record));
    }
    let mut columns = Columns::bare();
    for record in records.iter().filter(|record| record["kind"] != approvals::KIND) {
        let text = |name: &str| record[name].as_str().unwrap_or_default().to_owned();
        let at = text("time");
        let at = at.split(' ').next_back().unwrap_or_default().to_owned();
        let told = [text("what"), text("why")].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
        columns.row([at, record["turn"].to_string(), text("who"), text("kind"), told.join("  ← ")]);
    }
    columns.lines(usize::from(u16::MAX)).iter().try_for_each(|line| screen.say(line))?;
    approvals.table(screen).iter().try_for_each(|line| screen.say(line))
}

/// What happened, as JSON values with the same names each; the last is the count of answers.
pub fn records(session: &SessionId, events: &[Recorded], lang: Lang) -> Vec<Value> {
    collect_records(session, events, lang).0
}

fn collect_records(session: &SessionId, events: &[Recorded], lang: Lang) -> (Vec<Value>, Approvals) {
    let mut state = State::default();
    let mut approvals = Approvals::default();
    let (mut turn, mut last) = (0, None);
    let mut records = Vec::new();
    for entry in events.iter().flat_map(Recorded::entry::<Companion>) {
        if let Event::Heard { .. } = entry.event {
            turn += 1;
        }
        approvals.count(&state, &entry.event);
        let told = describe::describe(&state, &entry.event, lang);
        let desk = operations::task_of(&state, &entry.event);
        let step = |state: &State| desk.and_then(|desk| state.task(desk)).map(|desk| desk.step().word());
        let before = step(&state);
        Companion::evolve(&mut state, &entry);
        if let Some(told) = told {
            let mut record = record(session, &entry, turn, told);
            if let (Some(before), Some(after)) = (before, step(&state)) {
                record["step"] = json!({ "before": before, "after": after });
            }
            hazard::mask_value(&mut record);
            records.push(record);
        }
        last = Some(entry);
    }
    records.extend(last.map(|entry| record(session, &entry, turn, approvals.told())));
    (records, approvals)
}

fn record(session: &SessionId, entry: &Entry<Event>, turn: u32, told: AuditLine) -> Value {
    let mut record = json!({
        "seq": entry.seq, "session": session.as_str(), "time": when(entry.at), "at": entry.at, "turn": turn,
        "who": told.who, "kind": told.kind, "what": told.what, "why": told.why,
    });
    if let Some(more) = told.more {
        record["more"] = more;
    }
    record
}

/// What is told of an event.
struct AuditLine {
    who: String,
    kind: &'static str,
    what: String,
    why: String,
    more: Option<Value>,
}
