//! What was used, in figures for people: tokens, money and shares in few letters.
//!
//! Rounded for the eye. Whoever counts on exact numbers asks for `--json`.

/// A number in at most five letters or so: `9,999`, `12.3k`, `4.56M`.
pub fn count(number: u64) -> String {
    if number < 10_000 {
        return grouped(number.into());
    }
    let number = u128::from(number);
    let step = 10_u128.pow(number.ilog10() - 2);
    let rounded = (number + step / 2) / step * step;
    let units = [(10_u128.pow(3), "k"), (10_u128.pow(6), "M"), (10_u128.pow(9), "G"), (10_u128.pow(12), "T")];
    let (unit, letter) = units.into_iter().rfind(|(unit, _)| rounded >= *unit).unwrap_or((1, ""));
    let whole = rounded / unit;
    let decimals = 2_u32.saturating_sub(whole.ilog10());
    format!("{}{letter}", with_decimals(rounded * 10_u128.pow(decimals) / unit, decimals))
}

/// Millionths of a dollar as dollars. One that would round to nothing is shown as less than the least.
pub fn dollars(millionths: u64, decimals: u32) -> String {
    let step = 10_u128.pow(6 - decimals.min(6));
    let rounded = (u128::from(millionths) + step / 2) / step;
    match (millionths, rounded) {
        (0, _) => NOTHING.to_owned(),
        (_, 0) => format!("<${}", with_decimals(1, decimals)),
        (_, _) => format!("${}", with_decimals(rounded, decimals)),
    }
}

/// How many decimals tell amounts apart of which this is the largest: none beside thousands of dollars, more below one.
pub fn decimals(largest: u64) -> u32 {
    match largest {
        1_000_000_000.. => 0,
        1_000_000.. => 2,
        0.. => 4,
    }
}

/// A part of a whole, in percent.
pub fn share(part: u64, whole: u64) -> String {
    if whole == 0 {
        return NOTHING.to_owned();
    }
    let (part, whole) = (u128::from(part), u128::from(whole));
    format!("{}%", (part * 100 + whole / 2) / whole)
}

/// What stands where there is no amount, or nobody knows it.
pub const NOTHING: &str = "—";

fn with_decimals(number: u128, decimals: u32) -> String {
    let one = 10_u128.pow(decimals);
    let whole = grouped(number / one);
    if decimals == 0 { whole } else { format!("{whole}.{:0width$}", number % one, width = decimals as usize) }
}

fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_keep_three_digits_once_they_are_long() {
        let numbers =
            [0, 999, 1_000, 9_999, 10_000, 12_345, 123_456, 999_499, 999_500, 1_234_567, 12_345_678, u64::MAX];
        let shown =
            ["0", "999", "1,000", "9,999", "10.0k", "12.3k", "123k", "999k", "1.00M", "1.23M", "12.3M", "18,400,000T"];
        assert_eq!(numbers.map(count), shown);
    }

    #[test]
    fn money_that_is_not_nothing_never_looks_like_nothing() {
        assert_eq!(
            [0, 4_999, 5_000, 1_234_567_890].map(|cost| dollars(cost, 2)),
            ["—", "<$0.01", "$0.01", "$1,234.57"]
        );
        assert_eq!([49, 50, 450, 999_999].map(|cost| dollars(cost, 4)), ["<$0.0001", "$0.0001", "$0.0005", "$1.0000"]);
        assert_eq!([499_999, 1_234_567_890].map(|cost| dollars(cost, 0)), ["<$1", "$1,235"]);
        assert_eq!([999_999, 1_000_000, 999_999_999, 1_000_000_000].map(decimals), [4, 2, 2, 0]);
    }

    #[test]
    fn shares_are_whole_percents() {
        assert_eq!(
            [(0, 0), (0, 7), (1, 3), (2, 3), (7, 7)].map(|(part, whole)| share(part, whole)),
            ["—", "0%", "33%", "67%", "100%"]
        );
    }
}
