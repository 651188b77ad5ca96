//! `enza model remove NAME`: takes weights off this machine.

use enza_models::catalog::ModelError;
use enza_models::local::folder::ModelFolder;
use serde_json::json;

use crate::arguments::ModelRemove;
use crate::environment::Environment;
use crate::screen::Screen;
use crate::trouble::Trouble;
use crate::words::models as words;

/// Removes weights, after a yes.
pub async fn run(around: &Environment, screen: &Screen, order: &ModelRemove) -> Result<(), Trouble> {
    let name = order.name.strip_prefix("local/").unwrap_or(&order.name);
    if !order.yes {
        if !around.attended {
            return Err(Trouble::NeedsYes);
        }
        if !screen.asks(&words::really_remove(screen.lang, name)).await? {
            return screen.say(words::kept(screen.lang));
        }
    }
    let freed = ModelFolder::new(&around.models).remove(name).map_err(ModelError::from)?;
    if screen.json {
        return screen.value(&json!({ "removed": name, "bytes": freed }));
    }
    screen.say(&words::removed(screen.lang, name, freed))
}
