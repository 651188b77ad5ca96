//! A moment, for people and for machines.
//!
//! The server writes it in its own time zone; `enza.js` rewrites it in the reader's.

use enza_kernel::time::Timestamp;
use jiff::tz::TimeZone;
use maud::{Markup, html};

use crate::words::Words;

/// A moment: day and time to the minute.
pub fn time(words: Words, at: Timestamp) -> Markup {
    let Ok(moment) = jiff::Timestamp::from_millisecond(at.0) else { return html! { "—" } };
    let local = moment.to_zoned(TimeZone::system());
    let shown = local.strftime(words.0.pick("%Y年%-m月%-d日 %H:%M", "%-d %b %Y, %H:%M")).to_string();
    html! { time datetime=(moment.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()) { (shown) } }
}
