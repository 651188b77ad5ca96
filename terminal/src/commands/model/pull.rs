//! `enza model pull`: brings weights, and the server where there is none.
//!
//! A pull can be interrupted at any moment and goes on where it was. A bar shows how far it is; where nobody watches,
//! a line for every tenth says so.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use enza_models::local::folder::{ModelFolder, find_server};
use enza_models::local::pull::{Eta, Progress, Pulled, Sources, Step, pull};
use enza_models::local::pullable::{self, Pullable};
use serde_json::{Value, json};

use crate::arguments::ModelPull;
use crate::environment::{Environment, variable};
use crate::screen::Screen;
use crate::trouble::Trouble;
use crate::words::models as words;

/// How often the bar is drawn.
const FRAME: Duration = Duration::from_millis(200);

/// Brings what was named.
pub async fn run(around: &Environment, screen: &Screen, order: &ModelPull) -> Result<(), Trouble> {
    let what = Pullable::named(&order.what).map_err(|unknown| Trouble::NothingToPull { name: unknown.name })?;
    let pulled = bring_with_server(around, screen, &what).await?;
    if screen.json {
        return screen.value(&json!({ "pulled": pulled }));
    }
    match what {
        Pullable::Weights(weights) => screen.note(&words::then(screen.lang, &weights.name)),
        Pullable::Server(_) => Ok(()),
    }
}

/// Brings one thing, and the server before it where there is none. What came, for JSON.
pub async fn bring_with_server(around: &Environment, screen: &Screen, what: &Pullable) -> Result<Vec<Value>, Trouble> {
    let model_folder = ModelFolder::new(&around.models);
    let mut pulled = Vec::new();
    if matches!(what, Pullable::Weights(_)) && find_server(&model_folder, variable("PATH").as_deref()).is_none() {
        pulled.push(bring(screen, &model_folder, &Pullable::Server(pullable::server())).await?);
    }
    pulled.push(bring(screen, &model_folder, what).await?);
    Ok(pulled)
}

async fn bring(screen: &Screen, model_folder: &ModelFolder, what: &Pullable) -> Result<Value, Trouble> {
    let show = PullProgress { screen, state: Mutex::default() };
    let Pulled { path, bytes, source } = pull(model_folder, what, &sources(), &|progress| show.take(&progress)).await?;
    let line = words::pulled(screen.lang, what.name(), bytes, &path.display().to_string(), source.is_none());
    screen.note(&line)?;
    Ok(json!({ "name": what.name(), "path": path, "bytes": bytes, "was_there": source.is_none() }))
}

/// Where things come from: the hub, or another that keeps to its rules, and the person's own pip.
fn sources() -> Sources {
    let usual = Sources::default();
    match variable("HF_ENDPOINT").and_then(|address| address.into_string().ok()).filter(|text| !text.is_empty()) {
        Some(hub) => Sources { hub: Some(hub), ..usual },
        None => usual,
    }
}

/// Shows progress.
struct PullProgress<'a> {
    screen: &'a Screen,
    state: Mutex<Shown>,
}

#[derive(Default)]
struct Shown {
    eta: Eta,
    drawn: Option<Instant>,
    tenth: Option<u64>,
}

impl PullProgress<'_> {
    /// Takes note. That nobody reads is found out at the next line that matters.
    fn take(&self, progress: &Progress) {
        let now = Instant::now();
        let mut shown = self.state.lock().expect("progress");
        shown.eta.note(now, progress.done_bytes);
        if self.screen.is_lively() {
            let is_due = shown.drawn.is_none_or(|drawn| now - drawn >= FRAME);
            if is_due || progress.step != Step::Fetching {
                shown.drawn = Some(now);
                let (rate, left) = (shown.eta.rate(), shown.eta.left(progress.total_bytes));
                let _ = self.screen.status(&words::progress(self.screen, progress, rate, left));
            }
            return;
        }
        let tenth = (progress.done_bytes * 10).checked_div(progress.total_bytes).unwrap_or(0);
        if shown.tenth.is_none() {
            let _ = self.screen.note(&words::begins(self.screen.lang, progress));
        } else if shown.tenth.is_some_and(|before| tenth > before) {
            let (rate, left) = (shown.eta.rate(), shown.eta.left(progress.total_bytes));
            let _ = self.screen.note(&words::progress(self.screen, progress, rate, left));
        }
        shown.tenth = Some(tenth);
    }
}
