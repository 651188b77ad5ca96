//! `enza session show`: where a session stands, what it has so far, what it used, and its last events.

use std::collections::BTreeSet;

use enza_kernel::conversation::Usage;
use enza_kernel::time::Seq;
use enza_runtime::seams::store::{Recorded, SessionRow, Store, UsageQuery};
use serde_json::{Value, json};

use super::{SecretMasking, as_json, as_line, when};
use crate::commands::usage::model_name;
use crate::environment::Environment;
use crate::part::SessionDetails;
use crate::screen::figures::{decimals, dollars};
use crate::screen::{Columns, Screen};
use crate::setup::{self, short_id};
use crate::trouble::Trouble;
use crate::words::sessions as words;

/// How many of the last events are shown.
const LAST: u64 = 8;

/// Shows a session.
pub async fn run(around: &Environment, screen: &Screen, part: &str) -> Result<(), Trouble> {
    let engine = setup::read_only_engine(around).await?;
    let row = setup::find_session(&**engine.store(), part).await?;
    let live = engine.state_at(&row.id, None).await?;
    let reading = setup::read_session(&engine, &row).await?;
    let state = live.shows_state(&reading.reader).then(|| live.to_json());
    let after = Seq(row.head.0.saturating_sub(LAST));
    let last = engine.store().events(&row.id, after, usize::MAX).await?;
    let form = SecretMasking::of(&around.applications, &row, false);
    let last: Vec<Recorded> = last.into_iter().map(|recorded| form.event(reading.event(recorded).outline())).collect();
    let used = SessionUsage::read(&**engine.store(), &row).await?;
    let part = around.applications.find(&row.application).and_then(|one| one.terminal.as_ref());
    let details = part.and_then(|part| part.details(screen.lang, &*live));
    if screen.json {
        let last: Vec<Value> = last.iter().map(as_json).collect();
        let SessionUsage { calls, usage, models } = used;
        let progress = details.map(|details| details.progress);
        return screen.value(&form.value(json!({
            "session": row, "progress": progress, "calls": calls, "usage": usage, "models": models, "state": state,
            "last_events": last,
        })));
    }
    let application = engine.applications().about(&row.application).title(screen.lang);
    for line in about(screen, application, &row, &used).lines(screen.width()) {
        screen.say(&line)?;
    }
    if let Some(SessionDetails { head, rows, .. }) = details {
        screen.say(&format!("\n{}", screen.paint.strong(&head)))?;
        for line in rows.lines(screen.width()) {
            screen.say(&line)?;
        }
    }
    screen.say("")?;
    for recorded in &last {
        screen.say(&as_line(screen, recorded))?;
    }
    Ok(())
}

/// What a session used. What came from a fork's parent was not its own.
struct SessionUsage {
    /// Model calls.
    calls: u64,
    usage: Usage,
    /// Who replied, by name.
    models: BTreeSet<String>,
}

impl SessionUsage {
    async fn read(store: &dyn Store, row: &SessionRow) -> Result<Self, Trouble> {
        let query = UsageQuery { session: Some(row.id.clone()), ..UsageQuery::default() };
        let mut all = Self { calls: 0, usage: Usage::default(), models: BTreeSet::new() };
        for line in store.usage(&query).await? {
            all.calls += line.calls;
            all.usage = all.usage.plus(line.usage);
            all.models.extend(Some(line.model).filter(|model| !model.is_empty()));
        }
        Ok(all)
    }
}

fn about(screen: &Screen, application: &str, row: &SessionRow, used: &SessionUsage) -> Columns {
    let lang = screen.lang;
    let mut columns = Columns::bare();
    let mut line = |name: &str, text: String| columns.row([name.to_owned(), text]);
    line(words::about_session(lang), row.id.to_string());
    line(words::about_title(lang), format!("{} ({application})", row.standing.title));
    line(words::about_phase(lang), words::phase(lang, row.standing.phase).to_owned());
    if let Some(waiting_for) = &row.standing.waiting_for {
        line(words::about_waits_for(lang), waiting_for.clone());
    }
    line(words::about_opened(lang), when(row.opened_at));
    line(words::about_changed(lang), when(row.changed_at));
    line(words::about_events(lang), row.head.to_string());
    if let Some((parent, at)) = &row.parent {
        line(words::about_forked(lang), words::forked_from(lang, short_id(parent), at.0));
    }
    if let Some(of) = &row.of {
        line(words::about_belongs(lang), short_id(of).to_owned());
    }
    let SessionUsage { calls, usage: Usage { input, output, cost, .. }, models } = used;
    if *calls > 0 {
        let usage = words::usage(lang, *calls, *input, *output);
        line(
            words::about_usage(lang),
            match *cost {
                0 => usage,
                cost => words::at_cost(lang, &usage, &dollars(cost, decimals(cost))),
            },
        );
    }
    if !models.is_empty() {
        let names: Vec<String> = models.iter().map(|model| model_name(screen, model)).collect();
        line(words::about_models(lang), lang.list(&names));
    }
    columns
}
