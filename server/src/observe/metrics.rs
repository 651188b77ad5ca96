//! Figures in the text format that Prometheus reads.
//!
//! Requests are counted by method, route and status; how long they took goes into buckets by route. A route is the
//! pattern, never the address, so the number of lines is bounded by the number of routes.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use enza_runtime::engine::Engine;

/// The upper ends of the buckets, in seconds.
const BUCKETS: [f64; 9] = [0.001, 0.005, 0.01, 0.025, 0.1, 0.25, 1.0, 5.0, 30.0];

/// A request that was answered.
pub struct Served<'a> {
    pub method: &'a str,
    /// The pattern of its route.
    pub route: &'a str,
    /// The status of the answer.
    pub status: u16,
    /// How long it took to begin the answer.
    pub took: Duration,
}

/// What is counted.
#[derive(Debug, Default)]
pub struct Metrics {
    routes: Mutex<BTreeMap<String, Figures>>,
    streams: AtomicI64,
}

/// What is counted of one route.
#[derive(Debug, Default, Clone)]
struct Figures {
    /// How many answers, by method and status. There are few, so that looking through them is quickest.
    answers: Vec<(String, u16, u64)>,
    buckets: [u64; BUCKETS.len()],
    count: u64,
    seconds: f64,
}

impl Metrics {
    /// Counts a request.
    pub fn served(&self, served: &Served<'_>) {
        let mut routes = self.routes.lock().expect("routes");
        match routes.get_mut(served.route) {
            Some(figures) => figures.count(served),
            None => routes.entry(served.route.to_owned()).or_default().count(served),
        }
    }

    /// A live stream began (`1`) or ended (`-1`).
    pub fn stream(&self, change: i64) {
        self.streams.fetch_add(change, Ordering::Relaxed);
    }

    /// All of it.
    pub fn print(&self, engine: &Engine) -> String {
        let mut out = String::new();
        self.print_requests(&mut out);
        self.print_durations(&mut out);
        let tally = engine.metrics();
        let figures = [
            ("enza_live_streams", "gauge", "Live streams that are open.", self.streams.load(Ordering::Relaxed)),
            ("enza_sessions_in_memory", "gauge", "Sessions in memory.", engine.loaded() as i64),
            ("enza_commands_accepted_total", "counter", "Commands that were accepted.", whole(tally.commands)),
            ("enza_commands_declined_total", "counter", "Commands that were not accepted.", whole(tally.declined)),
            ("enza_events_appended_total", "counter", "Events that were appended.", whole(tally.events)),
            ("enza_model_replies_total", "counter", "Replies of models.", whole(tally.replies)),
            ("enza_model_failures_total", "counter", "Model calls that failed.", whole(tally.failed_calls)),
            ("enza_tokens_read_total", "counter", "Tokens that models read.", whole(tally.tokens_read)),
            ("enza_tokens_written_total", "counter", "Tokens that models wrote.", whole(tally.tokens_written)),
            ("enza_tool_runs_total", "counter", "Tool runs.", whole(tally.tool_runs)),
        ];
        for (name, kind, help, value) in figures {
            head(&mut out, name, kind, help);
            let _ = writeln!(out, "{name} {value}");
        }
        out
    }

    fn print_requests(&self, out: &mut String) {
        head(out, "enza_requests_total", "counter", "Requests that were answered.");
        for (route, figures) in &*self.routes.lock().expect("routes") {
            let route = escape(route);
            for (method, status, count) in &figures.answers {
                let _ = writeln!(
                    out,
                    "enza_requests_total{{method=\"{method}\",route=\"{route}\",status=\"{status}\"}} {count}"
                );
            }
        }
    }

    fn print_durations(&self, out: &mut String) {
        const NAME: &str = "enza_request_seconds";
        head(out, NAME, "histogram", "Seconds until an answer began.");
        for (route, figures) in &*self.routes.lock().expect("routes") {
            let route = escape(route);
            for (end, count) in BUCKETS.iter().zip(figures.buckets) {
                let _ = writeln!(out, "{NAME}_bucket{{route=\"{route}\",le=\"{end}\"}} {count}");
            }
            let _ = writeln!(out, "{NAME}_bucket{{route=\"{route}\",le=\"+Inf\"}} {}", figures.count);
            let _ = writeln!(out, "{NAME}_sum{{route=\"{route}\"}} {}", figures.seconds);
            let _ = writeln!(out, "{NAME}_count{{route=\"{route}\"}} {}", figures.count);
        }
    }
}

impl Figures {
    fn count(&mut self, served: &Served<'_>) {
        let known =
            self.answers.iter_mut().find(|(method, status, _)| method == served.method && *status == served.status);
        match known {
            Some((.., count)) => *count += 1,
            None => self.answers.push((served.method.to_owned(), served.status, 1)),
        }
        let seconds = served.took.as_secs_f64();
        for (count, end) in self.buckets.iter_mut().zip(BUCKETS) {
            *count += u64::from(seconds <= end);
        }
        self.count += 1;
        self.seconds += seconds;
    }
}

fn head(out: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

fn escape(label: &str) -> String {
    label.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
