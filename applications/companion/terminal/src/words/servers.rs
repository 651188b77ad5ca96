//! The words about servers and their tools.

use std::path::Path;

use enza_kernel::text::{Lang, Said};
use enza_workshop::servers::{ServerStatus, SettingsError};

/// There are none.
pub fn none(lang: Lang) -> String {
    lang.pick(
        "サーバーは設定されていません。companion.toml に [servers.名前] を書くと使えます(docs/guides/companion-servers.ja.md)。"
            .to_owned(),
        "No servers are set up. Write [servers.NAME] into companion.toml (docs/guides/companion-servers.md).".to_owned(),
    )
}

/// They are being started.
pub fn starting(lang: Lang, count: usize) -> String {
    lang.pick(format!("サーバーを起動しています({count}個)"), format!("Starting {count} servers"))
}

/// What one offers.
pub fn offers(lang: Lang, name: &str, tools: usize) -> String {
    lang.pick(format!("{name}  ツール{tools}個"), format!("{name}  {tools} tools"))
}

/// One could not be started.
pub fn not_started(lang: Lang, name: &str, why: &str) -> String {
    lang.pick(format!("サーバー{name}を使えません: {why}"), format!("The server {name} cannot be used: {why}"))
}

/// The settings of one do not fit.
pub fn unfit(lang: Lang, path: &Path, name: &str, unfit: &SettingsError) -> Said {
    let message = format!("{} [servers.{name}]: {}", path.display(), unfit.say(lang));
    Said::new(
        message,
        lang.pick(
            "書き方は docs/guides/companion-servers.ja.md にあります。",
            "See docs/guides/companion-servers.md for how it is written.",
        ),
    )
}

/// How one is.
pub fn is(lang: Lang, name: &str, standing: ServerStatus) -> String {
    let how = match standing {
        ServerStatus::Running => lang.pick("動作中", "running"),
        ServerStatus::Resting => lang.pick("必要なときに起動", "started when needed"),
        ServerStatus::Fallen => lang.pick("続けて終了したため停止", "fell again and again, left alone"),
    };
    format!("{name}  {how}")
}
