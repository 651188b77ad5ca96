//! Figures as people read them: count, shortened, as money, as a share, as a stretch of time.

use std::time::Duration;

use enza_kernel::text::Lang;

/// A whole number with its thousands apart: `12,345`.
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

/// A number in at most four characters or so: `950`, `1.2k`, `34k`, `5.6M`.
pub fn short(number: u64) -> String {
    const STEPS: [(u64, &str); 4] = [(1_000_000_000_000, "T"), (1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")];
    for (step, sign) in STEPS {
        if number >= step {
            let tenths = number / (step / 10);
            let whole = tenths / 10;
            let shown = if whole >= 10 || tenths.is_multiple_of(10) {
                whole.to_string()
            } else {
                format!("{whole}.{}", tenths % 10)
            };
            return format!("{shown}{sign}");
        }
    }
    number.to_string()
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

/// A part of a whole in percent; nothing where there is no whole.
pub fn percent(part: u64, whole: u64) -> Option<u64> {
    let hundredfold = u128::from(part) * 100;
    let share = (hundredfold + u128::from(whole) / 2).checked_div(u128::from(whole))?;
    u64::try_from(share).ok()
}

/// A stretch of time in its largest one or two units.
pub fn span(lang: Lang, length: Duration) -> String {
    let millis = length.as_millis();
    let seconds = length.as_secs();
    let (second, minute, hour, day) =
        (lang.pick("秒", " s"), lang.pick("分", " min"), lang.pick("時間", " h"), lang.pick("日", " d"));
    match seconds {
        0 if millis == 0 => format!("0{second}"),
        0 => format!("{millis}{}", lang.pick("ミリ秒", " ms")),
        1..10 => format!("{seconds}.{}{second}", millis / 100 % 10),
        10..60 => format!("{seconds}{second}"),
        60..3_600 => two(seconds / 60, minute, seconds % 60, second),
        3_600..86_400 => two(seconds / 3_600, hour, seconds % 3_600 / 60, minute),
        86_400.. => two(seconds / 86_400, day, seconds % 86_400 / 3_600, hour),
    }
}

fn two(large: u64, sign: &str, small: u64, small_sign: &str) -> String {
    let apart = if sign.starts_with(' ') { " " } else { "" };
    if small == 0 { format!("{large}{sign}") } else { format!("{large}{sign}{apart}{small}{small_sign}") }
}

#[cfg(test)]
mod tests {
    use super::{Duration, Lang, count, money, percent, short, span};

    #[test]
    fn figures_read_as_people_write_them() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0, 999, 1_000, 1_250, 34_900, 5_600_000].map(short), ["0", "999", "1k", "1.2k", "34k", "5.6M"]);
        let sums = [0, 42, 4_200, 999_999, 1_234_567, 1_234_567_890];
        assert_eq!(sums.map(money), ["$0.00", "< $0.0001", "$0.0042", "$0.9999", "$1.23", "$1,234.56"]);
        assert_eq!([percent(1, 3), percent(0, 5), percent(1, 0)], [Some(33), Some(0), None]);
        let lengths = [120, 5_432, 65_000, 7_200_000, 93_600_000].map(Duration::from_millis);
        assert_eq!(lengths.map(|length| span(Lang::En, length)), ["120 ms", "5.4 s", "1 min 5 s", "2 h", "1 d 2 h"]);
        assert_eq!(lengths.map(|length| span(Lang::Ja, length)), ["120ミリ秒", "5.4秒", "1分5秒", "2時間", "1日2時間"]);
    }
}
