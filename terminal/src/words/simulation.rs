//! What a simulation says.

use std::io::Write as _;

use enza_kernel::text::Lang;
use enza_runtime::simulation::{Fault, Report};

/// Shows on standard error how far it has come, on one line.
pub fn progress(lang: Lang, done: u64, of: u64) {
    let end = if done == of { "\n" } else { "" };
    let text = lang.pick(format!("種 {done}/{of}"), format!("seed {done} of {of}"));
    let mut err = std::io::stderr().lock();
    let _ = write!(err, "\r{text}{end}");
    let _ = err.flush();
}

/// Shows on standard error how long it has explored, on one line, or on a line of its own where nobody watches.
pub fn explored(lang: Lang, seeds: u64, broken: usize, seconds: u64, is_watched: bool) {
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    let text = lang.pick(
        format!("{minutes}分{seconds:02}秒: 種 {seeds}、違反 {broken}"),
        format!("{minutes}:{seconds:02}: {seeds} seeds, {broken} violations"),
    );
    let mut err = std::io::stderr().lock();
    let _ = if is_watched { write!(err, "\r{text}") } else { writeln!(err, "{text}") };
    let _ = err.flush();
}

/// Where an exploration begins.
pub fn begins(lang: Lang, first: u64) {
    let text = lang.pick(format!("種 {first} から始めます"), format!("from seed {first} on"));
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// What must not happen and did, as soon as it is known. A violation is told as the log has it.
pub fn broke(told: &str, replay: &str) {
    let _ = writeln!(std::io::stderr().lock(), "\n{told}\n  {replay}");
}

/// What is counted.
pub fn totals(lang: Lang, report: &Report) -> [(&'static str, u64); 5] {
    let faults = report.faults.values().sum();
    [
        (lang.pick("種", "seeds"), report.seeds),
        (lang.pick("セッション", "sessions"), report.sessions),
        (lang.pick("イベント", "events"), report.events),
        (lang.pick("受け付けたコマンド", "commands acknowledged"), report.acknowledged),
        (lang.pick("障害", "faults"), faults),
    ]
}

/// What must not happen and did.
pub fn violations(lang: Lang) -> &'static str {
    lang.pick("違反", "violations")
}

/// How long it took.
pub fn seconds(lang: Lang) -> &'static str {
    lang.pick("秒", "seconds")
}

/// A kind of fault.
pub fn fault(lang: Lang, fault: Fault) -> &'static str {
    let ja = match fault {
        Fault::Crash => "処理の途中での停止",
        Fault::AppendFailed => "書き込みの失敗",
        Fault::AppendUnanswered => "書けたのに失敗の返事",
        Fault::TornTail => "書き込みの途中での停止",
        Fault::StoreFailed => "ほかの保存処理の失敗",
        Fault::Duplicated => "二重の送信",
        Fault::Reordered => "順序の入れ替わりと競合",
        Fault::ClockJumped => "時計の飛び",
        Fault::ModelGarbage => "モデルの無意味な返事",
        Fault::ModelSilence => "モデルの沈黙",
        Fault::ModelFailed => "モデルの失敗",
        Fault::ToolFailed => "ツールの失敗",
        Fault::Paused => "担当の期限切れ",
    };
    lang.pick(ja, fault.words())
}
