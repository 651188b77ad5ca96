//! Writes what a person has settled into the config file, and leaves the rest of it as it is.

use std::path::Path;

use enza_models::catalog::{ModelCatalog, ModelError, config_file};
use enza_models::choice::ModelRef;
use enza_models::config::{ConfigError, with_model};

use crate::environment::Environment;
use crate::trouble::Trouble;

/// Writes the model to use from now on.
pub fn use_model(around: &Environment, catalog: &ModelCatalog, name: &str) -> Result<ModelRef, Trouble> {
    let pick = ModelRef::read(name, &catalog.providers).map_err(ModelError::from)?;
    // A model that cannot be had is better found out now than in the middle of a session.
    catalog.model(&pick)?;
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
    ModelError::from(ConfigError { path: path.to_owned(), why }).into()
}
