//! The words about servers and their tools.

use std::path::Path;

use super::words;
use enza_kernel::text::{Lang, Said};
use enza_workshop::servers::{ServerStatus, SettingsError};

/// There are none.
pub fn none(lang: Lang) -> String {
    words(lang).say("servers.none").to_owned()
}

/// They are being started.
pub fn starting(lang: Lang, count: usize) -> String {
    words(lang).fill("servers.starting", &[("count", &count)])
}

/// What one offers.
pub fn offers(lang: Lang, name: &str, tools: usize) -> String {
    words(lang).fill("servers.offers", &[("name", &name), ("tools", &tools)])
}

/// One could not be started.
pub fn not_started(lang: Lang, name: &str, why: &str) -> String {
    words(lang).fill("servers.not_started", &[("name", &name), ("why", &why)])
}

/// The settings of one do not fit.
pub fn unfit(lang: Lang, path: &Path, name: &str, unfit: &SettingsError) -> Said {
    let message = format!("{} [servers.{name}]: {}", path.display(), unfit.say(lang));
    Said::new(message, words(lang).say("servers.unfit"))
}

/// How one is.
pub fn is(lang: Lang, name: &str, standing: ServerStatus) -> String {
    let how = match standing {
        ServerStatus::Running => words(lang).say("servers.is_running"),
        ServerStatus::Resting => words(lang).say("servers.is_resting"),
        ServerStatus::Fallen => words(lang).say("servers.is_fallen"),
    };
    format!("{name}  {how}")
}
