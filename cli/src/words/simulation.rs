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
