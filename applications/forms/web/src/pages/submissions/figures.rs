//! A form's answers in figures and drawings: how many, at what cost, by day, and where people stop.

use enza_forms::State as FormState;
use enza_server::design::{facts, section, table};
use enza_server::drawing::chart::{Bar, Chart, bars, legend};
use enza_server::drawing::figures;
use enza_server::drawing::share::{SharePart, bar};
use enza_server::words::Words;
use maud::{Markup, html};

use crate::actions::submissions::{Day, Overview, Sheet, Stop, overview};

/// How many days are drawn at most.
const DAYS: usize = 60;

/// How many, and at what cost.
pub(super) fn totals(words: Words, state: &FormState, sheets: &[Sheet]) -> Markup {
    let Overview { started, submitted, spent, .. } = overview(state, sheets, DAYS);
    let share = figures::percent(submitted, started).map_or("—".to_owned(), |share| format!("{share} %"));
    let cost = if spent.cost == 0 { "—".to_owned() } else { figures::money(spent.cost) };
    let each = spent.total().checked_div(started).map_or("—".to_owned(), figures::short);
    let list = [
        ("started", figures::count(started)),
        ("submitted", figures::count(submitted)),
        ("completion", share),
        ("tokens", figures::short(spent.total())),
        ("each", each),
        ("cost", cost),
    ];
    let list: Vec<(&str, Markup)> = list
        .into_iter()
        .map(|(key, text)| (words.of("submission-total", key), html! { span.figure { (text) } }))
        .collect();
    html! { div.totals { (facts(&list)) } }
}

/// By day, and field by field.
pub(super) fn drawings(words: Words, state: &FormState, sheets: &[Sheet]) -> Markup {
    let Overview { days, stops, .. } = overview(state, sheets, DAYS);
    html! {
        @if !stops.is_empty() { (section(words.say("submissions.stops"), stops_table(words, &stops))) }
        @if days.len() > 1 { (section(words.say("submissions.by_day"), by_day(words, &days))) }
    }
}

fn by_day(words: Words, days: &[Day]) -> Markup {
    let names = [words.say("submissions.day_submitted").to_owned(), words.say("submissions.day_others").to_owned()];
    let list: Vec<Bar> = days
        .iter()
        .map(|day| Bar {
            name: day.date.to_string(),
            brief: day.date.strftime("%m-%d").to_string(),
            parts: vec![day.submitted, day.others],
        })
        .collect();
    let chart = Chart {
        title: words.say("submissions.by_day_what"),
        series: &names,
        bars: &list,
        exact: &figures::count,
        brief: &figures::short,
    };
    let heads = ["submissions.day", "submissions.day_submitted", "submissions.day_others"].map(|key| words.say(key));
    let used = days.iter().rev().filter(|day| day.submitted + day.others > 0);
    let rows = used
        .map(|day| {
            vec![
                html! { (day.date) },
                html! { (figures::count(day.submitted)) },
                html! { (figures::count(day.others)) },
            ]
        })
        .collect();
    html! {
        (bars(&chart))
        (legend(&names))
        details.exact-numbers { summary { (words.say("usage.exact")) } (table(&heads, rows)) }
    }
}

/// A bar for each field: who went on, who is still there, who left. The figures stand beside it.
fn stops_table(words: Words, stops: &[Stop]) -> Markup {
    let most = stops.iter().map(|stop| stop.asked).max().unwrap_or(0);
    let heads = ["field", "drawing", "asked", "went_on", "waiting", "left"].map(|head| words.of("stop-head", head));
    let rows = stops
        .iter()
        .map(|stop| {
            let numbers = [stop.asked, stop.went_on(), stop.waiting, stop.left].map(figures::count);
            let mut row = vec![
                html! { (stop.label) },
                html! { span.stop-bar { (bar(&told(words, stop), &parts(words, stop), most)) } },
            ];
            row.extend(numbers.into_iter().map(|number| html! { (number) }));
            row
        })
        .collect();
    html! {
        p.soft { (words.say("submissions.stops_what")) }
        div.stops { (table(&heads, rows)) }
    }
}

fn parts(words: Words, stop: &Stop) -> [SharePart<'static>; 3] {
    let part = |class, key: &str, amount| SharePart {
        class,
        title: format!("{}: {}", words.of("stop-head", key), figures::count(amount)),
        amount,
    };
    [
        part("went-on", "went_on", stop.went_on()),
        part("waiting", "waiting", stop.waiting),
        part("left", "left", stop.left),
    ]
}

fn told(words: Words, stop: &Stop) -> String {
    let share = figures::percent(stop.went_on(), stop.asked).map_or("—".to_owned(), |share| format!("{share} %"));
    words.fill("submissions.stop_told", &[("label", &stop.label), ("share", &share)])
}
