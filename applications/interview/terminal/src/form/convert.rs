//! `enza form convert`: a form in another format.
//!
//! Standard output has the form and nothing else, so that it can be put into a file. What could not be kept is told on
//! standard error.

use std::path::Path;

use enza_interview::{Form, Remark, apply_ui_schema, to_json_schema};
use enza_terminal::files;
use enza_terminal::screen::Screen;
use enza_terminal::trouble::Trouble;
use serde_json::{Value, json};

use super::read;
use crate::arguments::{FormConvert, FormFormat};
use crate::trouble::InterviewTrouble;

/// Converts a form.
pub fn run(screen: &Screen, order: &FormConvert) -> Result<(), Trouble> {
    let (mut form, mut remarks) = read(&order.file)?;
    if let Some(path) = &order.ui {
        remarks.extend(apply(&mut form, path)?);
    }
    let text = match order.to {
        FormFormat::Toml => form.to_toml(),
        FormFormat::Json => form.to_json(),
        FormFormat::Schema => format!("{:#}\n", to_json_schema(&form)),
    };
    if screen.json {
        return screen.value(&json!({"form": text, "remarks": remarks}));
    }
    for remark in &remarks {
        screen.aside(&remark.say(screen.lang))?;
    }
    screen.put(&text)
}

/// Applies a UI schema. The form is checked again: an order that it cannot have is a fault of the two together.
fn apply(form: &mut Form, path: &Path) -> Result<Vec<Remark>, Trouble> {
    let ui: Value =
        serde_json::from_str(&files::text_of(path)?).map_err(|why| files::unreadable(path, &why.to_string()))?;
    let remarks = apply_ui_schema(form, &ui);
    *form = form.clone().checked().map_err(InterviewTrouble::Form)?;
    Ok(remarks)
}
