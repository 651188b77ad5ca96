//! Times of day: 14:30, "2:30 pm", 午後2時半, "half past nine", noon.
//!
//! A time is kept as `14:30`. Without am, pm or a word for the part of the day, hours are read on the clock of 24; seconds
//! are read and not kept. Midnight is 00:00, and so is 24:00.

use enza_kernel::text::Lang;

use super::super::{Field, Kind};
use super::fault::ValueFault;
use super::number::word;
use super::politeness::bare;
use super::scan::{Scan, with_digits};

/// Reads a time and holds it to the field's bounds.
pub(super) fn read(field: &Field, text: &str) -> Result<String, ValueFault> {
    let (hour, minute) = bare(text).and_then(|text| time(&text)).ok_or(ValueFault::NotATime)?;
    let time = format!("{hour:02}:{minute:02}");
    if let Some(min) = field.min.as_ref().filter(|min| time < **min) {
        return Err(ValueFault::BelowMin { kind: Kind::Time, min: min.clone() });
    }
    if let Some(max) = field.max.as_ref().filter(|max| time > **max) {
        return Err(ValueFault::AboveMax { kind: Kind::Time, max: max.clone() });
    }
    Ok(time)
}

/// "2:30 pm" or 14:30.
pub(super) fn show(value: &str, lang: Lang) -> Option<String> {
    let (hour, minute) = value.split_once(':')?;
    let (hour, minute): (u8, u8) = (hour.parse().ok()?, minute.parse().ok()?);
    if hour >= 24 || minute >= 60 {
        return None;
    }
    let half = if hour < 12 { "am" } else { "pm" };
    let twelve = if hour.is_multiple_of(12) { 12 } else { hour % 12 };
    Some(lang.pick(format!("{hour}:{minute:02}"), format!("{twelve}:{minute:02} {half}")))
}

/// Hour and minute.
type TimeOfDay = (i16, i16);

fn time(text: &str) -> Option<TimeOfDay> {
    match text {
        "noon" | "midday" | "12 noon" | "正午" | "昼の12時" => return Some((12, 0)),
        "midnight" | "12 midnight" | "真夜中" => return Some((0, 0)),
        _ => {}
    }
    let text = with_digits(text).replace("a.m", "am").replace("p.m", "pm");
    let (text, half) = half_of_day(text.trim_end_matches('.'));
    let (hour, minute) = clock(text).or_else(|| spoken(text))?;
    let hour = match half {
        None if hour == 24 => 0,
        None => hour,
        Some(half) => half.hour(hour)?,
    };
    let is_time = (0..24).contains(&hour) && (0..60).contains(&minute);
    is_time.then_some((hour, minute))
}

#[derive(Clone, Copy)]
enum HalfOfDay {
    Morning,
    Afternoon,
    /// The night has hours of both: 夜8時 and 夜1時.
    Night,
}

impl HalfOfDay {
    fn hour(self, hour: i16) -> Option<i16> {
        match (self, hour) {
            (Self::Morning, 12) => Some(0),
            (Self::Morning, 0..12) | (Self::Afternoon | Self::Night, 13..24) => Some(hour),
            (Self::Afternoon, 12) => Some(12),
            (Self::Afternoon, 0..12) | (Self::Night, 5..12) => Some(hour + 12),
            (Self::Night, 0..5) => Some(hour),
            (Self::Night, 12) => Some(0),
            _ => None,
        }
    }
}

fn half_of_day(text: &str) -> (&str, Option<HalfOfDay>) {
    const BEFORE: [(&str, HalfOfDay); 9] = [
        ("午前", HalfOfDay::Morning),
        ("午後", HalfOfDay::Afternoon),
        ("早朝", HalfOfDay::Morning),
        ("朝", HalfOfDay::Morning),
        ("昼", HalfOfDay::Afternoon),
        ("夕方", HalfOfDay::Afternoon),
        ("深夜", HalfOfDay::Night),
        ("夜中", HalfOfDay::Night),
        ("夜", HalfOfDay::Night),
    ];
    const AFTER: [(&str, HalfOfDay); 8] = [
        ("am", HalfOfDay::Morning),
        ("pm", HalfOfDay::Afternoon),
        ("in the morning", HalfOfDay::Morning),
        ("in the afternoon", HalfOfDay::Afternoon),
        ("in the evening", HalfOfDay::Afternoon),
        ("this evening", HalfOfDay::Afternoon),
        ("at night", HalfOfDay::Night),
        ("tonight", HalfOfDay::Night),
    ];
    let before = BEFORE.iter().find_map(|(word, half)| text.strip_prefix(word).map(|rest| (rest, *half)));
    let after = || AFTER.iter().find_map(|(word, half)| text.strip_suffix(word).map(|rest| (rest, *half)));
    let Some((rest, half)) = before.or_else(after) else { return (text, None) };
    (rest.trim().trim_start_matches('の'), Some(half))
}

/// 14:30, 14.30, 14h30, 14時30分, 14時半, 1430, 9.
fn clock(text: &str) -> Option<TimeOfDay> {
    let mut scan = Scan::new(text);
    let (hour, digits) = scan.number()?;
    if scan.is_done() {
        return match digits {
            1 | 2 => Some((hour, 0)),
            3 | 4 => Some((hour / 100, hour % 100)),
            _ => None,
        };
    }
    if digits > 2 {
        return None;
    }
    scan.space();
    let separator = scan.word(&[":", ".", "h", "時", "o'clock", "oclock"])?;
    scan.space();
    if scan.is_done() {
        return (separator >= 2).then_some((hour, 0));
    }
    if separator == 3 && scan.word(&["半"]).is_some() {
        return scan.is_done().then_some((hour, 30));
    }
    let (minute, digits) = scan.number()?;
    scan.space();
    let ended = match separator {
        3 => scan.word(&["分"]).is_some(),
        _ => digits == 2,
    };
    if scan.word(&[":"]).is_some() {
        scan.number().filter(|(second, digits)| *digits == 2 && *second < 60)?;
    }
    (ended && scan.is_done()).then_some((hour, minute))
}

/// "half past nine", "quarter to 3", "nine o'clock", "nine".
fn spoken(text: &str) -> Option<TimeOfDay> {
    let hour = |text: &str| {
        let text = text.strip_suffix("o'clock").unwrap_or(text).trim();
        text.parse::<i16>().ok().or_else(|| word(text).map(i16::from))
    };
    let text = text.strip_prefix("a ").unwrap_or(text);
    if let Some(rest) = text.strip_prefix("half past ") {
        return Some((hour(rest)?, 30));
    }
    if let Some(rest) = text.strip_prefix("quarter past ") {
        return Some((hour(rest)?, 15));
    }
    if let Some(rest) = text.strip_prefix("quarter to ") {
        // Before one o'clock it is twelve on the clock of the one who says so.
        return Some((hour(rest).map(|hour| if hour <= 1 { 12 } else { hour - 1 })?, 45));
    }
    Some((hour(text)?, 0))
}
