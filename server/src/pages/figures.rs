//! Figures as people read them: counts with thousands apart, money in US dollars.

/// A count: `12,345`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Millionths of a US dollar: `$0.00`, `$0.0042`, `$12.30`. What was spent is never shown as nothing.
pub fn money(millionths: u64) -> String {
    let dollars = millionths / 1_000_000;
    let rest = millionths % 1_000_000;
    match millionths {
        0 => "$0.00".to_owned(),
        1..100 => "< $0.0001".to_owned(),
        100..1_000_000 => format!("${dollars}.{:04}", rest / 100),
        1_000_000.. => format!("${}.{:02}", count(dollars), rest / 10_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn small_sums_are_not_shown_as_nothing() {
        let shown = [0, 42, 4_200, 999_999, 1_234_567, 1_234_567_890].map(money);
        assert_eq!(shown, ["$0.00", "< $0.0001", "$0.0042", "$0.9999", "$1.23", "$1,234.56"]);
    }
}
