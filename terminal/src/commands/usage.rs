//! `enza usage`: what models were asked, how much they read and wrote, and what it cost.
//!
//! The store keeps lines by day, model, application and session; here they are summed by one of these. People get a
//! table with rounded numbers and bars, `--json` exact ones: tokens, and cost in millionths of a US dollar. Days are
//! those of UTC, as the store counts them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use enza_kernel::conversation::Usage;
use enza_models::understudy::UNDERSTUDY;
use enza_runtime::seams::store::{SessionId, SessionRow, Store, UsageQuery, UsageRow};
use serde_json::{Value, json};

use crate::arguments::{UsageArgs, UsageBy};
use crate::environment::Environment;
use crate::screen::figures::{NOTHING, count, decimals, dollars, share};
use crate::screen::{Chart, Names, Screen, fold};
use crate::setup::{self, short_id};
use crate::trouble::Trouble;
use crate::words::usage_report as words;

/// How many lines are shown at most, unless they are days; the rest is one line.
const MOST: usize = 20;
/// How many days without use are shown among those with; more would only be in the way.
const GAPS: i64 = 10;

/// Shows what was used.
pub async fn run(around: &Environment, screen: &Screen, order: UsageArgs) -> Result<(), Trouble> {
    let store = setup::open_store(around).await?;
    let row = match &order.session {
        Some(part) => Some(setup::find_session(&*store, part).await?),
        None => None,
    };
    let session = row.as_ref().map(|row| row.id.clone());
    let today = jiff::Timestamp::now().as_second().div_euclid(24 * 60 * 60);
    let from = today - i64::from(order.days) + 1;
    let query = UsageQuery { session, from_day: Some(from), ..UsageQuery::default() };
    let rows = store.usage(&query).await?;
    let sums = summed(&rows, order.by);
    if screen.json {
        return screen.value(&json!({
            "by": order.by.word(),
            "from": date(from),
            "to": date(today),
            "rows": sums.iter().map(|(key, sum)| sum.as_json(Some(key))).collect::<Vec<_>>(),
            "total": total(&sums).as_json(None),
        }));
    }
    if rows.is_empty() {
        let last = last_use(&*store, &query).await?;
        return say_nothing(around, screen, row.as_ref(), last.map(|last| (last, today)), order.days);
    }
    screen.say(&screen.paint.strong(&words::title(screen.lang, order.days, order.by)))?;
    screen.note(&screen.paint.faint(&words::range(screen.lang, &date(from), &date(today))))?;
    screen.say("")?;
    for line in chart(screen, &*store, order.by, &sums).await?.lines(screen.width(), screen.paint) {
        screen.say(&line)?;
    }
    if total(&sums).usage.cost == 0 {
        screen.note(&format!("\n{}", screen.paint.faint(words::bars_show_tokens(screen.lang))))?;
    }
    Ok(())
}

/// What lines are summed by. Days in order; for the others the order is by cost.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum GroupKey {
    Day(i64),
    Model(String),
    Application(String),
    Session(Option<SessionId>),
}

#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    calls: u64,
    usage: Usage,
}

fn summed(rows: &[UsageRow], by: UsageBy) -> Vec<(GroupKey, Sum)> {
    let mut sums: BTreeMap<GroupKey, Sum> = BTreeMap::new();
    for row in rows {
        let sum = sums.entry(GroupKey::of(row, by)).or_default();
        *sum = sum.plus(Sum { calls: row.calls, usage: row.usage });
    }
    let mut sums: Vec<_> = sums.into_iter().collect();
    match by {
        UsageBy::Day => {}
        UsageBy::Model | UsageBy::Application | UsageBy::Session => {
            sums.sort_by_key(|(_, sum)| Reverse((sum.usage.cost, sum.usage.total(), sum.calls)));
        }
    }
    sums
}

fn total(sums: &[(GroupKey, Sum)]) -> Sum {
    sums.iter().fold(Sum::default(), |all, (_, sum)| all.plus(*sum))
}

async fn chart(screen: &Screen, store: &dyn Store, by: UsageBy, sums: &[(GroupKey, Sum)]) -> Result<Chart, Trouble> {
    let lang = screen.lang;
    let all = total(sums);
    let decimals = decimals(sums.iter().map(|(_, sum)| sum.usage.cost).max().unwrap_or(0));
    let weight = |sum: &Sum| if all.usage.cost > 0 { sum.usage.cost } else { sum.usage.total() };
    let (shown, rest) = match by {
        UsageBy::Day => (with_gaps(sums), Vec::new()),
        UsageBy::Model | UsageBy::Application | UsageBy::Session if sums.len() > MOST => {
            (sums[..MOST - 1].to_vec(), sums[MOST - 1..].to_vec())
        }
        UsageBy::Model | UsageBy::Application | UsageBy::Session => (sums.to_vec(), Vec::new()),
    };
    let names = if by == UsageBy::Session { Names::Cut } else { Names::Whole };
    let mut chart = Chart::new(names, words::head(lang, by));
    for (key, sum) in &shown {
        chart.line(name(screen, store, key).await?, sum.cells(decimals), weight(sum));
    }
    if !rest.is_empty() {
        chart.line(words::others(lang, rest.len()), total(&rest).cells(decimals), 0);
    }
    if shown.len() > 1 {
        chart.total(words::total(lang).to_owned(), all.cells(decimals));
    }
    Ok(chart)
}

/// The days with use, and those without between them if they are few.
fn with_gaps(sums: &[(GroupKey, Sum)]) -> Vec<(GroupKey, Sum)> {
    let known: BTreeMap<i64, Sum> = sums
        .iter()
        .filter_map(|(key, sum)| if let GroupKey::Day(day) = key { Some((*day, *sum)) } else { None })
        .collect();
    let (Some((first, _)), Some((last, _))) = (known.first_key_value(), known.last_key_value()) else {
        return Vec::new();
    };
    if last - first + 1 - known.len() as i64 > GAPS {
        return sums.to_vec();
    }
    (*first..=*last).map(|day| (GroupKey::Day(day), known.get(&day).copied().unwrap_or_default())).collect()
}

async fn name(screen: &Screen, store: &dyn Store, key: &GroupKey) -> Result<String, Trouble> {
    Ok(match key {
        GroupKey::Day(day) => date(*day),
        GroupKey::Model(model) => model_name(screen, model),
        GroupKey::Application(application) if application.is_empty() => NOTHING.to_owned(),
        GroupKey::Application(application) => application.clone(),
        GroupKey::Session(None) => words::deleted(screen.lang).to_owned(),
        GroupKey::Session(Some(id)) => {
            let title = store.find(id).await?.map(|row| row.standing.title).unwrap_or_default();
            format!("{} {title}", short_id(id)).trim_end().to_owned()
        }
    })
}

/// A model as people are told of it: the stand-in is not passed off as one.
pub fn model_name(screen: &Screen, model: &str) -> String {
    match model {
        "" => NOTHING.to_owned(),
        UNDERSTUDY => words::understudy(screen.lang).to_owned(),
        model => model.to_owned(),
    }
}

/// The last day on which something was used, whenever that was.
async fn last_use(store: &dyn Store, query: &UsageQuery) -> Result<Option<i64>, Trouble> {
    let ever = store.usage(&UsageQuery { from_day: None, ..query.clone() }).await?;
    Ok(ever.iter().map(|row| row.day).max())
}

fn say_nothing(
    around: &Environment,
    screen: &Screen,
    session: Option<&SessionRow>,
    last_and_today: Option<(i64, i64)>,
    days: u32,
) -> Result<(), Trouble> {
    let text = match (last_and_today, session) {
        (Some((last, today)), session) => {
            let of_session = session.map(|row| format!(" --session {}", short_id(&row.id))).unwrap_or_default();
            let further_back = format!("enza usage --days {}{of_session}", today - last + 1);
            words::nothing_lately(screen.lang, days, &date(last), &further_back)
        }
        (None, Some(row)) => {
            let session = short_id(&row.id);
            let resume = around.applications.resumes(&row.application, session);
            words::nothing_by(screen.lang, session, resume.as_deref())
        }
        (None, None) => words::nothing_yet(screen.lang, around.applications.begins()),
    };
    for line in fold(&text, screen.width()) {
        screen.say(&line)?;
    }
    Ok(())
}

/// A day of UTC.
fn date(day: i64) -> String {
    let instant = jiff::Timestamp::from_second(day.saturating_mul(24 * 60 * 60));
    instant.map_or_else(|_| "?".to_owned(), |instant| instant.strftime("%Y-%m-%d").to_string())
}

impl GroupKey {
    fn of(row: &UsageRow, by: UsageBy) -> Self {
        match by {
            UsageBy::Day => Self::Day(row.day),
            UsageBy::Model => Self::Model(row.model.clone()),
            UsageBy::Application => Self::Application(row.application.clone()),
            UsageBy::Session => Self::Session(row.session.clone()),
        }
    }

    fn as_json(&self) -> (&'static str, Value) {
        match self {
            Self::Day(day) => (UsageBy::Day.word(), json!(date(*day))),
            Self::Model(model) => (UsageBy::Model.word(), json!(model)),
            Self::Application(application) => (UsageBy::Application.word(), json!(application)),
            Self::Session(session) => (UsageBy::Session.word(), json!(session)),
        }
    }
}

impl Sum {
    fn plus(self, other: Self) -> Self {
        Self { calls: self.calls + other.calls, usage: self.usage.plus(other.usage) }
    }

    fn cells(&self, decimals: u32) -> [String; 5] {
        let Usage { input, output, cache_read, cost, .. } = self.usage;
        [count(self.calls), count(input), count(output), share(cache_read, input), dollars(cost, decimals)]
    }

    fn as_json(&self, key: Option<&GroupKey>) -> Value {
        let Usage { input, output, cache_read, cache_write, cost } = self.usage;
        let mut value = json!({
            "calls": self.calls, "input": input, "output": output,
            "cache_read": cache_read, "cache_write": cache_write, "cost": cost,
        });
        if let Some((name, key)) = key.map(GroupKey::as_json) {
            value[name] = key;
        }
        value
    }
}
