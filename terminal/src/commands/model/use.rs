//! `enza model use MODEL`: chooses a model for good.

use enza_models::catalog::config_file;
use serde_json::json;

use crate::arguments::ModelUse;
use crate::config_file;
use crate::environment::Environment;
use crate::screen::Screen;
use crate::setup;
use crate::trouble::Trouble;
use crate::words::models as words;

/// Chooses a model for good.
pub fn run(around: &Environment, screen: &Screen, order: &ModelUse) -> Result<(), Trouble> {
    let pick = config_file::use_model(around, &setup::model_catalog(around)?, &order.name)?;
    let path = config_file(&around.config);
    if screen.json {
        return screen.value(&json!({ "model": pick.to_string(), "config": path }));
    }
    screen.say(&words::in_use(screen.lang, &words::name(screen.lang, &pick), &path.display().to_string()))
}
