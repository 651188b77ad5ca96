//! Whether a pass counts now.

use enza_kernel::time::Timestamp;
use enza_runtime::seams::register::Pass;

/// How far ahead of ours the clock may have been that a pass was issued by, in milliseconds: a day, for servers whose
/// clocks differ.
const AHEAD: i64 = 24 * 60 * 60 * 1_000;

/// Whether a pass counts now: its time is not over, nor was it issued by a clock that ran far ahead. Such a pass would
/// count for as much longer than it was meant to as that clock was wrong by.
pub fn is_pass_valid(pass: &Pass, now: Timestamp) -> bool {
    let Some(end) = pass.expires_at else { return true };
    now < end && pass.issued_at.0.saturating_sub(now.0) <= AHEAD
}

#[cfg(test)]
mod tests {
    use enza_kernel::conversation::Digest;
    use enza_runtime::seams::register::PassKind;

    use super::*;

    #[test]
    fn a_link_that_was_made_while_the_clock_was_ten_years_ahead_does_not_count_for_ten_years() {
        const NOW: i64 = 1_800_000_000_000;
        const HOUR: i64 = 60 * 60 * 1_000;
        let made_at = |issued: i64, lasts: Option<i64>| Pass {
            digest: Digest::of(b"a link"),
            kind: PassKind::Link,
            person: None,
            label: String::new(),
            scopes: Vec::new(),
            issued_at: Timestamp(issued),
            expires_at: lasts.map(|lasts| Timestamp(issued + lasts)),
            used_at: None,
        };
        let cases = [
            (made_at(NOW - HOUR / 2, Some(HOUR)), true),
            (made_at(NOW - HOUR, Some(HOUR)), false),
            (made_at(NOW + HOUR, Some(HOUR)), true),
            (made_at(NOW + 10 * 365 * 24 * HOUR, Some(HOUR)), false),
            (made_at(NOW + 10 * 365 * 24 * HOUR, None), true),
        ];
        for (pass, is_good) in cases {
            assert_eq!(is_pass_valid(&pass, Timestamp(NOW)), is_good, "{pass:?}");
        }
    }
}
