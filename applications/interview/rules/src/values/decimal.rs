//! Decimal numbers as they are kept: `-1234.5`, exact, whatever their size.
//!
//! A number is kept without separators, without zeros that say nothing, and with a point. One spelling would be read
//! differently where the point separates thousands: `1.234`. Such a number is kept with one zero more, `1.2340`, which
//! nobody takes for thousands, so that a kept value reads as itself in every locale.

use std::cmp::Ordering;

/// The most digits on either side of the point. Longer ones are numbers of things, not quantities: text.
const MOST_DIGITS: usize = 18;

/// A decimal number: digits without needless zeros.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decimal {
    negative: bool,
    whole: String,
    fraction: String,
}

impl Decimal {
    /// From the digits before and after the point.
    pub(super) fn new(whole: &str, fraction: &str) -> Option<Self> {
        let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
        let fits = are_digits(whole) && are_digits(fraction) && whole.len().max(fraction.len()) <= MOST_DIGITS;
        fits.then(|| Self {
            negative: false,
            whole: if whole.is_empty() { "0".to_owned() } else { whole.to_owned() },
            fraction: fraction.to_owned(),
        })
    }

    /// From a whole number.
    pub(super) fn of(number: u128) -> Option<Self> {
        Self::new(&number.to_string(), "")
    }

    /// From the spelling in which numbers are kept.
    pub(super) fn kept(text: &str) -> Option<Self> {
        let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        if whole.is_empty() || fraction.is_empty() {
            return None;
        }
        Some(Self::new(whole, fraction)?.signed(negative))
    }

    /// The same number below zero. Nothing below zero is zero.
    pub(super) fn signed(self, negative: bool) -> Self {
        let is_zero = self.whole == "0" && self.fraction.is_empty();
        Self { negative: negative && !is_zero, ..self }
    }

    /// Whether nothing stands behind the point.
    pub(super) fn is_whole(&self) -> bool {
        self.fraction.is_empty()
    }

    /// The number times ten so many times.
    pub(super) fn shifted(&self, zeros: usize) -> Option<Self> {
        let padded = format!("{:0<zeros$}", self.fraction);
        let (more, fraction) = padded.split_at(zeros);
        Some(Self::new(&format!("{}{more}", self.whole), fraction)?.signed(self.negative))
    }

    /// The sum of two numbers that are not below zero.
    pub(super) fn plus(&self, other: &Self) -> Option<Self> {
        let scale = self.fraction.len().max(other.fraction.len());
        let units = |one: &Self| one.shifted(scale)?.whole.parse::<u128>().ok();
        let sum = units(self)?.checked_add(units(other)?)?.to_string();
        let sum = format!("{sum:0>width$}", width = scale + 1);
        let (whole, fraction) = sum.split_at(sum.len() - scale);
        Self::new(whole, fraction)
    }

    /// How it is kept.
    pub(super) fn keep(&self) -> String {
        let looks_like_thousands = self.fraction.len() == 3 && self.whole.len() <= 3 && self.whole != "0";
        let zero = if looks_like_thousands { "0" } else { "" };
        format!("{}{}", self.written(&self.whole), zero)
    }

    /// How it is shown, with commas between the thousands.
    pub(super) fn show(&self) -> String {
        let mut grouped = String::new();
        for (place, digit) in self.whole.chars().enumerate() {
            if place > 0 && (self.whole.len() - place).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        self.written(&grouped)
    }

    fn written(&self, whole: &str) -> String {
        let sign = if self.negative { "-" } else { "" };
        let point = if self.fraction.is_empty() { "" } else { "." };
        format!("{sign}{whole}{point}{}", self.fraction)
    }

    fn size(&self, other: &Self) -> Ordering {
        let whole = self.whole.len().cmp(&other.whole.len()).then_with(|| self.whole.cmp(&other.whole));
        whole.then_with(|| self.fraction.cmp(&other.fraction))
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.size(other),
            (true, true) => other.size(self),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}
