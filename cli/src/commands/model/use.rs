//! `enza model use MODEL`: chooses a model for good.

use enza_models::troupe::config_file;
use serde_json::json;

use crate::arguments::ModelUse;
use crate::backstage;
use crate::screen::Screen;
use crate::settled;
use crate::surroundings::Surroundings;
use crate::trouble::Trouble;
use crate::words::models as words;

/// Chooses a model for good.
pub fn run(around: &Surroundings, screen: &Screen, order: &ModelUse) -> Result<(), Trouble> {
    let pick = settled::use_model(around, &backstage::troupe(around)?, &order.name)?;
    let path = config_file(&around.config);
    if screen.json {
        return screen.value(&json!({ "model": pick.to_string(), "config": path }));
    }
    screen.say(&words::in_use(screen.lang, &words::name(screen.lang, &pick), &path.display().to_string()))
}
