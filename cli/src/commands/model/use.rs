//! `enza model use MODEL`: writes the model into the config file, and leaves the rest of it as it is.

use std::path::Path;

use enza_models::choice::Pick;
use enza_models::config::{ConfigTrouble, with_model};
use enza_models::troupe::{ModelTrouble, config_file};
use serde_json::json;

use crate::arguments::ModelUse;
use crate::backstage;
use crate::screen::Screen;
use crate::surroundings::Surroundings;
use crate::trouble::Trouble;
use crate::words::models as words;

/// Chooses a model for good.
pub fn run(around: &Surroundings, screen: &Screen, order: &ModelUse) -> Result<(), Trouble> {
    let troupe = backstage::troupe(around)?;
    let pick = Pick::read(&order.name, &troupe.providers).map_err(ModelTrouble::from)?;
    // A model that cannot be had is better found out now than in the middle of a session.
    troupe.play(&pick)?;
    let path = config_file(&around.config);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(why) => return Err(unusable(&path, why.to_string())),
    };
    let text = with_model(&text, &pick.to_string()).map_err(|why| unusable(&path, why))?;
    replace(&path, &text).map_err(|why| unusable(&path, why.to_string()))?;
    if screen.json {
        return screen.value(&json!({ "model": pick.to_string(), "config": path }));
    }
    screen.say(&words::in_use(screen.lang, &words::name(screen.lang, &pick), &path.display().to_string()))
}

/// Writes a file beside it and puts that in its place, so that a full disk takes nothing away.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let beside = path.with_extension(format!("toml.{}", std::process::id()));
    std::fs::write(&beside, text)?;
    std::fs::rename(&beside, path)
}

fn unusable(path: &Path, why: String) -> Trouble {
    ModelTrouble::from(ConfigTrouble { path: path.to_owned(), why }).into()
}
