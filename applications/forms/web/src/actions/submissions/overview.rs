//! A form's answers in figures: how many, at what cost, on which days, and where people stop.
//!
//! A field counts as asked of a respondent who answered it, said that there is no answer, or was asked it last. Fields
//! inside a group count once for each respondent, whatever the number of items.

use std::collections::{BTreeMap, BTreeSet};

use enza_forms::State as FormState;
use enza_interview::{Absence, SubmittedAnswer};
use enza_kernel::conversation::Usage;
use jiff::civil::Date;

use super::filter::day_of;
use super::sheet::{Sheet, Status, base_of};

/// The figures.
#[derive(Debug, Clone, PartialEq)]
pub struct Overview {
    /// How many sheets were begun.
    pub started: u64,
    /// How many were submitted.
    pub submitted: u64,
    /// Model calls of all of them.
    pub calls: u64,
    pub spent: Usage,
    /// The days on which sheets were begun, from the first to the last, none left out.
    pub days: Vec<Day>,
    /// The fields, in the order of the form.
    pub stops: Vec<Stop>,
}

/// A day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Day {
    pub date: Date,
    /// Sheets that were begun on it and are submitted by now.
    pub submitted: u64,
    /// Sheets that were begun on it and are not.
    pub others: u64,
}

/// How people fare with a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    pub field_id: String,
    pub label: String,
    /// How many were asked.
    pub asked: u64,
    /// How many of them gave up here.
    pub left: u64,
    /// How many of them are still here.
    pub waiting: u64,
}

impl Stop {
    /// How many went on to another field, or to the end.
    pub fn went_on(&self) -> u64 {
        self.asked.saturating_sub(self.left + self.waiting)
    }
}

/// The figures of these sheets of a form; of its days at most the last `most_days`.
pub fn overview(state: &FormState, sheets: &[Sheet], most_days: usize) -> Overview {
    Overview {
        started: sheets.len() as u64,
        submitted: sheets.iter().filter(|sheet| sheet.status == Status::Submitted).count() as u64,
        calls: sheets.iter().map(|sheet| sheet.calls).sum(),
        spent: sheets.iter().fold(Usage::default(), |sum, sheet| sum.plus(sheet.spent)),
        days: days(sheets, most_days),
        stops: stops(state, sheets),
    }
}

fn days(sheets: &[Sheet], most: usize) -> Vec<Day> {
    let mut found: BTreeMap<Date, (u64, u64)> = BTreeMap::new();
    for sheet in sheets {
        let Some(date) = day_of(sheet.opened_at) else { continue };
        let (submitted, others) = found.entry(date).or_default();
        *if sheet.status == Status::Submitted { submitted } else { others } += 1;
    }
    let (Some(first), Some(last)) = (found.keys().next().copied(), found.keys().next_back().copied()) else {
        return Vec::new();
    };
    let mut days = Vec::new();
    let mut date = last;
    while date >= first && days.len() < most {
        let (submitted, others) = found.get(&date).copied().unwrap_or_default();
        days.push(Day { date, submitted, others });
        let Ok(before) = date.yesterday() else { break };
        date = before;
    }
    days.reverse();
    days
}

fn stops(state: &FormState, sheets: &[Sheet]) -> Vec<Stop> {
    let Some(form) = state.published().map(|published| &published.form) else { return Vec::new() };
    let name = |id: &str| base_of(form, id).map(|field| field.field_id.clone());
    let mut stops: Vec<Stop> = form
        .fields
        .iter()
        .filter(|field| !field.hidden)
        .map(|field| Stop {
            field_id: field.field_id.clone(),
            label: field.label.clone(),
            asked: 0,
            left: 0,
            waiting: 0,
        })
        .collect();
    for sheet in sheets {
        let closed: BTreeSet<String> = sheet
            .answers
            .iter()
            .filter(|answer| was_asked(answer))
            .filter_map(|answer| name(&answer.field_id))
            .collect();
        let is_closed = |id: &str| sheet.answers.iter().any(|answer| answer.field_id == id);
        let last = sheet.asked.as_deref().filter(|id| !is_closed(id)).and_then(name);
        for stop in &mut stops {
            let is_last = last.as_ref() == Some(&stop.field_id);
            stop.asked += u64::from(is_last || closed.contains(&stop.field_id));
            match sheet.status {
                Status::GivenUp => stop.left += u64::from(is_last),
                Status::InProgress => stop.waiting += u64::from(is_last),
                Status::Confirming | Status::Submitted => {}
            }
        }
    }
    stops
}

fn was_asked(answer: &SubmittedAnswer) -> bool {
    answer.value.is_some() || answer.absence.is_some_and(|absence| absence != Absence::NotApplicable)
}
