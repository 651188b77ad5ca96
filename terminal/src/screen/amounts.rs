//! Amounts as people read them: bytes and spans of time.

use std::time::Duration;

/// Bytes, in units of a thousand as disks and downloads count.
pub fn bytes(amount: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if amount < 1_000 {
        return format!("{amount} B");
    }
    let mut value = amount as f64 / 1e3;
    let mut unit = UNITS[0];
    for next in &UNITS[1..] {
        if value < 999.5 {
            break;
        }
        value /= 1e3;
        unit = next;
    }
    if value < 9.95 { format!("{value:.1} {unit}") } else { format!("{value:.0} {unit}") }
}

/// A span: `8 s`, `3 min 20 s`, `2 h 5 min`.
pub fn span(span: Duration) -> String {
    let seconds = span.as_secs();
    match (seconds / 3_600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, 0) => format!("{minutes} min"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_rounded_as_people_say_them() {
        let said = [0, 999, 1_000, 9_940, 98_362_432, 999_600, 1_117_320_768].map(bytes);
        assert_eq!(said, ["0 B", "999 B", "1.0 kB", "9.9 kB", "98 MB", "1.0 MB", "1.1 GB"]);
    }

    #[test]
    fn spans_have_at_most_two_units() {
        let said = [0, 59, 60, 200, 7_500].map(|seconds| span(Duration::from_secs(seconds)));
        assert_eq!(said, ["0 s", "59 s", "1 min", "3 min 20 s", "2 h 5 min"]);
    }
}
