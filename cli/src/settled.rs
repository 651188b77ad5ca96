//! Writes what a person has settled into the config file, and leaves the rest of it as it is.

use std::path::Path;

use enza_models::choice::Pick;
use enza_models::config::{ConfigTrouble, with_model};
use enza_models::troupe::{ModelTrouble, Troupe, config_file};

use crate::surroundings::Surroundings;
use crate::trouble::Trouble;

/// Writes the model to use from now on.
pub fn use_model(around: &Surroundings, troupe: &Troupe, name: &str) -> Result<Pick, Trouble> {
    let pick = Pick::read(name, &troupe.providers).map_err(ModelTrouble::from)?;
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
    Ok(pick)
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
