//! Log lines of the server: for people or as JSON, on standard error, from a level on.
//!
//! A level is a word (`info`), or words by room (`info,enza_runtime=debug`): `--log-level`, else `ENZA_LOG`. Lines never
//! carry what people or models said, nor a secret. With the feature `otel` the same spans go to a collector too.

use std::io::{IsTerminal as _, stderr};

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::arguments::{LogForm, Serve};
use crate::surroundings::{self, Surroundings};
use crate::trouble::Trouble;

/// What is logged where nothing was said: what went wrong, and what someone should know.
const USUAL: &str = "warn";

/// Keeps the logs going; what is still to be sent is sent when it goes.
pub struct Logs {
    _traces: Option<super::traces::Traces>,
}

/// A level, or levels by room. A room without a level is most likely a level that was mistyped.
fn read(level: &str) -> Option<Targets> {
    let each_has_one = level.split(',').all(|part| {
        let word = part.rsplit('=').next().unwrap_or(part);
        word.trim().parse::<LevelFilter>().is_ok()
    });
    level.parse().ok().filter(|_| each_has_one)
}

/// Starts writing log lines.
pub fn start(order: &Serve, around: &Surroundings) -> Result<Logs, Trouble> {
    let level = order.log_level.clone();
    let level = level.or_else(|| surroundings::variable("ENZA_LOG")?.into_string().ok()).unwrap_or(USUAL.to_owned());
    let wanted = read(&level).ok_or(Trouble::LogLevel { level })?;
    let colour = around.colour && stderr().is_terminal();
    let lines = match order.log {
        LogForm::Human => tracing_subscriber::fmt::layer().with_ansi(colour).with_writer(stderr).boxed(),
        LogForm::Json => tracing_subscriber::fmt::layer().json().with_writer(stderr).boxed(),
    };
    let traces = super::traces::Traces::open(order)?;
    let registry = tracing_subscriber::registry().with(lines.with_filter(wanted));
    match &traces {
        Some(traces) => registry.with(traces.layer()).init(),
        None => registry.init(),
    }
    Ok(Logs { _traces: traces })
}
