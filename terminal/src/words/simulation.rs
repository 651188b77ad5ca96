//! What a simulation says.

use std::io::Write as _;

use enza_kernel::text::Lang;
use enza_runtime::simulation::{Fault, Report};

use super::words;

/// Shows on standard error how far it has come, on one line.
pub fn progress(lang: Lang, done: u64, of: u64) {
    let end = if done == of { "\n" } else { "" };
    let text = words(lang).fill("simulation.progress", &[("done", &done), ("of", &of)]);
    let mut err = std::io::stderr().lock();
    let _ = write!(err, "\r{text}{end}");
    let _ = err.flush();
}

/// Shows on standard error how long it has explored, on one line, or on a line of its own where nobody watches.
pub fn explored(lang: Lang, seeds: u64, broken: usize, seconds: u64, is_watched: bool) {
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    let text = words(lang).fill(
        "simulation.explored",
        &[("minutes", &minutes), ("seconds", &format_args!("{seconds:02}")), ("seeds", &seeds), ("broken", &broken)],
    );
    let mut err = std::io::stderr().lock();
    let _ = if is_watched { write!(err, "\r{text}") } else { writeln!(err, "{text}") };
    let _ = err.flush();
}

/// Where an exploration begins.
pub fn begins(lang: Lang, first: u64) {
    let text = words(lang).fill("simulation.begins", &[("first", &first)]);
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
        (words(lang).say("simulation.totals"), report.seeds),
        (words(lang).say("simulation.totals_sessions"), report.sessions),
        (words(lang).say("simulation.totals_events"), report.events),
        (words(lang).say("simulation.totals_commands_acknowledged"), report.acknowledged),
        (words(lang).say("simulation.totals_faults"), faults),
    ]
}

/// What must not happen and did.
pub fn violations(lang: Lang) -> &'static str {
    words(lang).say("simulation.violations")
}

/// How long it took.
pub fn seconds(lang: Lang) -> &'static str {
    words(lang).say("simulation.seconds")
}

/// A kind of fault.
pub fn fault(lang: Lang, fault: Fault) -> &'static str {
    match fault {
        Fault::Crash => words(lang).say("simulation.fault_crash"),
        Fault::AppendFailed => words(lang).say("simulation.fault_append_failed"),
        Fault::AppendUnanswered => words(lang).say("simulation.fault_append_unanswered"),
        Fault::TornTail => words(lang).say("simulation.fault_torn_tail"),
        Fault::StoreFailed => words(lang).say("simulation.fault_store_failed"),
        Fault::Duplicated => words(lang).say("simulation.fault_duplicated"),
        Fault::Reordered => words(lang).say("simulation.fault_reordered"),
        Fault::ClockJumped => words(lang).say("simulation.fault_clock_jumped"),
        Fault::ModelGarbage => words(lang).say("simulation.fault_model_garbage"),
        Fault::ModelSilence => words(lang).say("simulation.fault_model_silence"),
        Fault::ModelFailed => words(lang).say("simulation.fault_model_failed"),
        Fault::ToolFailed => words(lang).say("simulation.fault_tool_failed"),
        Fault::Paused => words(lang).say("simulation.fault_paused"),
    }
}
