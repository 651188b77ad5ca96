//! Lines of usage, added up: by day and application, by application, by model.

use std::collections::BTreeMap;

use enza_kernel::conversation::Usage;
use enza_runtime::seams::store::UsageRow;

use crate::drawing::chart::SERIES;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Millionths of a US dollar.
    Money,
    /// Input and output together.
    Tokens,
}

impl Unit {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Money, Self::Tokens];

    /// The word for it in addresses.
    pub fn word(self) -> &'static str {
        match self {
            Self::Money => "money",
            Self::Tokens => "tokens",
        }
    }

    /// How much of it this is.
    pub fn of(self, sum: &Sum) -> u64 {
        match self {
            Self::Money => sum.usage.cost,
            Self::Tokens => sum.usage.total(),
        }
    }
}

/// A sum of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sum {
    /// Model calls.
    pub calls: u64,
    /// Tokens and cost.
    pub usage: Usage,
}

/// Everything the page shows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sums {
    pub total: Sum,
    /// By application, the largest first.
    pub applications: Vec<(String, Sum)>,
    /// By model, the largest first.
    pub models: Vec<(String, Sum)>,
    /// By day, each day of the range, with a sum for each series.
    pub days: Vec<(i64, Sum, Vec<Sum>)>,
    /// What the series of the days are: applications. The last stands for all others where there are too many.
    pub series: Vec<Series>,
}

/// A series of the chart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Series {
    Application(String),
    /// All others together.
    Others,
}

impl Sum {
    fn add(&mut self, row: &UsageRow) {
        self.calls += row.calls;
        self.usage = self.usage.plus(row.usage);
    }
}

impl Sums {
    /// Adds up the lines of the days `from` to `to`, both included, and puts what is largest in this unit first.
    pub fn of(rows: &[UsageRow], from: i64, to: i64, unit: Unit) -> Self {
        let mut total = Sum::default();
        let mut applications: BTreeMap<&str, Sum> = BTreeMap::new();
        let mut models: BTreeMap<&str, Sum> = BTreeMap::new();
        for row in rows {
            total.add(row);
            applications.entry(&row.application).or_default().add(row);
            models.entry(&row.model).or_default().add(row);
        }
        let applications = ordered(applications, unit);
        let own = if applications.len() > SERIES { SERIES - 1 } else { applications.len() };
        let mut series: Vec<Series> =
            applications[..own].iter().map(|(name, _)| Series::Application(name.clone())).collect();
        if own < applications.len() {
            series.push(Series::Others);
        }
        let place = |name: &str| applications[..own].iter().position(|(one, _)| one == name).unwrap_or(own);
        let empty = |day| (day, Sum::default(), vec![Sum::default(); series.len()]);
        let mut days: Vec<(i64, Sum, Vec<Sum>)> = (from..=to).map(empty).collect();
        for row in rows {
            let Some((_, sum, parts)) = usize::try_from(row.day - from).ok().and_then(|nth| days.get_mut(nth)) else {
                continue;
            };
            sum.add(row);
            parts[place(&row.application)].add(row);
        }
        let models = ordered(models, unit);
        Self { total, applications, models, days, series }
    }
}

fn ordered(sums: BTreeMap<&str, Sum>, unit: Unit) -> Vec<(String, Sum)> {
    let mut list: Vec<(String, Sum)> = sums.into_iter().map(|(name, sum)| (name.to_owned(), sum)).collect();
    list.sort_by(|(a, one), (b, other)| unit.of(other).cmp(&unit.of(one)).then_with(|| a.cmp(b)));
    list
}

#[cfg(test)]
mod tests {
    use super::{Series, Sum, Sums, Unit, Usage, UsageRow};

    fn row(day: i64, application: &str, model: &str, input: u64) -> UsageRow {
        UsageRow {
            owner: "ada".to_owned(),
            day,
            application: application.to_owned(),
            model: model.to_owned(),
            session: None,
            calls: 1,
            usage: Usage { input, ..Usage::default() },
        }
    }

    fn sum(calls: u64, input: u64) -> Sum {
        Sum { calls, usage: Usage { input, ..Usage::default() } }
    }

    #[test]
    fn every_day_of_the_range_is_there_and_every_line_is_counted_once() {
        let rows = [row(10, "a", "m", 5), row(10, "b", "n", 7), row(12, "b", "m", 1)];
        let sums = Sums::of(&rows, 9, 12, Unit::Tokens);
        let days: Vec<(i64, u64)> = sums.days.iter().map(|(day, sum, _)| (*day, sum.usage.input)).collect();
        assert_eq!(days, [(9, 0), (10, 12), (11, 0), (12, 1)]);
        assert_eq!(sums.days[1].2, [sum(1, 7), sum(1, 5)]);
        assert_eq!(sums.total, sum(3, 13));
        assert_eq!(sums.applications, [("b".to_owned(), sum(2, 8)), ("a".to_owned(), sum(1, 5))]);
        assert_eq!(sums.models, [("n".to_owned(), sum(1, 7)), ("m".to_owned(), sum(2, 6))]);
    }

    #[test]
    fn more_applications_than_colours_share_the_last_one() {
        let rows: Vec<UsageRow> = (1..=8).map(|nth| row(1, &format!("app-{nth}"), "m", nth)).collect();
        let sums = Sums::of(&rows, 1, 1, Unit::Tokens);
        assert_eq!(sums.series.len(), 6);
        assert_eq!(sums.series.first(), Some(&Series::Application("app-8".to_owned())));
        assert_eq!(sums.series.last(), Some(&Series::Others));
        assert_eq!(sums.days[0].2.last(), Some(&sum(3, 6)));
    }
}
