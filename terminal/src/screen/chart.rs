//! A table of names, numbers and bars that fits any terminal: numbers line up on the right, bars show how they compare.
//!
//! A name that does not fit beside its numbers stands on a line of its own, or is cut; a bar for which there is no room
//! is left out. No line is wider than asked for, as long as the numbers leave room for a few letters.

use super::columns::{clip, pad, width};
use super::paint::Paint;

/// The shortest bar that still says something.
const SHORTEST: usize = 6;
/// How much of the line bars get where names can be cut, as long as these keep their first letters.
const FAIR: usize = 16;
const FIRST_LETTERS: usize = 10;
/// And the longest that still belongs to its line.
const LONGEST: usize = 32;
/// Between two columns.
const GAP: usize = 2;

/// A table with bars.
pub struct Chart {
    names: Names,
    head: ChartRow,
    lines: Vec<(ChartRow, u64)>,
    total: Option<ChartRow>,
}

/// What is done with names that are too long for a line with numbers and a bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// They keep their letters and stand on a line of their own.
    Whole,
    /// Their end is cut off; it matters least.
    Cut,
}

struct ChartRow {
    name: String,
    cells: Vec<String>,
}

/// Where everything goes at one width.
struct Layout {
    names: Names,
    /// How many cells names have before the numbers.
    beside: usize,
    numbers: Vec<usize>,
    bar: usize,
}

impl Chart {
    /// With the names of its columns.
    pub fn new<const N: usize>(names: Names, head: [&str; N]) -> Self {
        let mut head = head.into_iter().map(ToOwned::to_owned);
        let head = ChartRow { name: head.next().unwrap_or_default(), cells: head.collect() };
        Self { names, head, lines: Vec::new(), total: None }
    }

    /// Adds a line, and how long its bar is compared to the others.
    pub fn line<const N: usize>(&mut self, name: String, cells: [String; N], weight: u64) {
        self.lines.push((ChartRow { name, cells: cells.into() }, weight));
    }

    /// Sets the last line, which has no bar.
    pub fn total<const N: usize>(&mut self, name: String, cells: [String; N]) {
        self.total = Some(ChartRow { name, cells: cells.into() });
    }

    /// The lines, none wider than `most`.
    pub fn lines(&self, most: usize, paint: Paint) -> Vec<String> {
        let layout = self.layout(most);
        let largest = self.lines.iter().map(|(_, weight)| *weight).max().unwrap_or(0);
        let mut out: Vec<String> = layout.set(&self.head, most).iter().map(|line| paint.faint(line)).collect();
        for (line, weight) in &self.lines {
            let mut set = layout.set(line, most);
            if let Some(last) = set.last_mut() {
                *last = format!("{last}  {}", bar(*weight, largest, layout.bar)).trim_end().to_owned();
            }
            out.extend(set);
        }
        out.extend(self.total.iter().flat_map(|line| layout.set(line, most)).map(|line| paint.strong(&line)));
        out
    }

    fn layout(&self, most: usize) -> Layout {
        let all = || std::iter::once(&self.head).chain(self.lines.iter().map(|(line, _)| line)).chain(&self.total);
        let widest = |place: usize| all().filter_map(|line| line.cells.get(place)).map(|cell| width(cell)).max();
        let numbers: Vec<usize> = (0..self.head.cells.len()).map(|place| widest(place).unwrap_or(0)).collect();
        let taken: usize = numbers.iter().map(|width| width + GAP).sum();
        let names = all().map(|line| width(&line.name));
        let room = |bar: usize| most.saturating_sub(taken + GAP + bar);
        let beside = match self.names {
            Names::Whole => names.filter(|name| *name <= room(SHORTEST)).max(),
            Names::Cut => names.max().map(|widest| widest.min(room(FAIR).max(FIRST_LETTERS))),
        };
        let beside = beside.unwrap_or(0);
        let bar = most.saturating_sub(beside + taken + GAP);
        Layout { names: self.names, beside, numbers, bar: if bar < SHORTEST { 0 } else { bar.min(LONGEST) } }
    }
}

impl Layout {
    fn set(&self, line: &ChartRow, most: usize) -> Vec<String> {
        let cell =
            |(cell, to): (&String, &usize)| format!("{}{cell}", " ".repeat(GAP + to.saturating_sub(width(cell))));
        let numbers: String = line.cells.iter().zip(&self.numbers).map(cell).collect();
        let with = |name: &str| format!("{}{numbers}", pad(name, self.beside));
        match self.names {
            Names::Whole if width(&line.name) > self.beside => vec![clip(&line.name, most), with("")],
            Names::Whole | Names::Cut => vec![with(&clip(&line.name, self.beside))],
        }
    }
}

/// A bar of exactly so many cells that fills; what is missing is dotted.
pub fn gauge(done: u64, total: u64, cells: usize) -> String {
    let filled = bar(done, total, cells);
    let empty = cells.saturating_sub(width(&filled));
    format!("{filled}{}", "·".repeat(empty))
}

/// A bar of at most so many cells; what is not nothing has at least a sliver.
fn bar(part: u64, largest: u64, cells: usize) -> String {
    const SLIVERS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    if part == 0 || largest == 0 {
        return String::new();
    }
    let eighths = (u128::from(part.min(largest)) * cells as u128 * 8 / u128::from(largest)).max(1);
    let eighths = usize::try_from(eighths).unwrap_or(cells * 8);
    format!("{}{}", "█".repeat(eighths / 8), SLIVERS[eighths % 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(names: Names) -> Chart {
        let mut chart = Chart::new(names, ["モデル", "calls", "費用"]);
        chart.line("local/default".to_owned(), ["9".to_owned(), "—".to_owned()], 0);
        chart.line("代役".to_owned(), ["1,234".to_owned(), "$1.50".to_owned()], 10);
        chart.total("total".to_owned(), ["1,243".to_owned(), "$1.50".to_owned()]);
        chart
    }

    #[test]
    fn numbers_line_up_on_the_right_and_bars_take_the_rest() {
        let expected = [
            "モデル         calls   費用",
            "local/default      9      —",
            "代役           1,234  $1.50  ███████",
            "total          1,243  $1.50",
        ];
        assert_eq!(chart(Names::Whole).lines(36, Paint::new(false)), expected);
    }

    #[test]
    fn names_that_do_not_fit_get_lines_of_their_own_or_are_cut() {
        let expected = [
            "モデル  calls   費用",
            "local/default",
            "            9      —",
            "代役    1,234  $1.50  ██████",
            "total   1,243  $1.50",
        ];
        assert_eq!(chart(Names::Whole).lines(28, Paint::new(false)), expected);
        let expected = [
            "モデル      calls   費用",
            "local/def…      9      —",
            "代役        1,234  $1.50  ██████",
            "total       1,243  $1.50",
        ];
        assert_eq!(chart(Names::Cut).lines(32, Paint::new(false)), expected);
    }

    #[test]
    fn a_gauge_is_as_wide_as_it_is_told_whatever_is_done() {
        assert_eq!([0, 1, 8, 9, 16].map(|done| gauge(done, 16, 2)), ["··", "▏·", "█·", "█▏", "██"]);
        assert_eq!([gauge(5, 0, 2), gauge(99, 16, 2)], ["··", "██"]);
    }

    #[test]
    fn a_bar_grows_by_eighths_and_shows_the_least_amount() {
        let bars = [(0, 8), (1, 800), (1, 8), (5, 8), (8, 8), (9, 8)].map(|(part, largest)| bar(part, largest, 2));
        assert_eq!(bars, ["", "▏", "▎", "█▎", "██", "██"]);
        assert_eq!(bar(3, 0, 2), "");
    }
}
