//! What is measured besides time: processor time, memory, and order statistics.

use std::time::Duration;

/// Processor time of this process so far, all threads.
pub fn cpu() -> Duration {
    let tasks = std::fs::read_dir("/proc/self/task").expect("a Linux process");
    let nanoseconds = tasks
        .flatten()
        .filter_map(|task| std::fs::read_to_string(task.path().join("schedstat")).ok())
        .filter_map(|line| line.split(' ').next()?.parse::<u64>().ok())
        .sum();
    Duration::from_nanos(nanoseconds)
}

/// Resident memory of this process in bytes.
pub fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) * 1_024
}

/// The value at a share of the way through, in milliseconds.
pub fn percentile(times: &mut [Duration], share: f64) -> f64 {
    times.sort();
    let place = ((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1));
    milliseconds(times[place])
}

/// To a thousandth of a millisecond.
pub fn milliseconds(time: Duration) -> f64 {
    round(time.as_secs_f64() * 1e3)
}

/// To three places.
pub fn round(number: f64) -> f64 {
    (number * 1e3).round() / 1e3
}
