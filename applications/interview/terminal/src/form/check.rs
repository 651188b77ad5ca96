//! `enza form check`: every fault of every file, and what of a schema a form could not keep.
//!
//! All files are looked at, whatever is wrong with the first. A form that can be read but not asked is told all of its
//! faults at once.

use std::path::Path;

use enza_forms::problems;
use enza_interview::{Form, FormFault, Remark};
use enza_kernel::application::Reason as _;
use enza_kernel::text::{Lang, Said};
use enza_terminal::files;
use enza_terminal::screen::{Screen, fold};
use enza_terminal::trouble::Trouble;
use enza_terminal::words::trouble;
use serde_json::{Value, json};

use crate::arguments::FormCheck;
use crate::trouble::InterviewTrouble;
use crate::words::forms as words;

/// What came of a file.
enum CheckOutcome {
    Sound(Box<Form>, Vec<Remark>),
    Faulty(Vec<FormFault>),
    Unreadable(Trouble),
}

/// Checks files.
pub fn run(screen: &Screen, order: &FormCheck) -> Result<(), Trouble> {
    let found: Vec<(&Path, CheckOutcome)> = order.files.iter().map(|path| (path.as_path(), look(path))).collect();
    let unsound = found.iter().filter(|(_, found)| !matches!(found, CheckOutcome::Sound(..))).count();
    if screen.json {
        let all: Vec<Value> = found.iter().map(|(path, found)| as_json(screen.lang, path, found)).collect();
        screen.value(&json!(all))?;
    } else {
        for (path, found) in &found {
            show(screen, path, found)?;
        }
    }
    if unsound == 0 { Ok(()) } else { Err(InterviewTrouble::UnsoundForms { count: unsound }.into()) }
}

fn look(path: &Path) -> CheckOutcome {
    let text = match files::text_of(path) {
        Ok(text) => text,
        Err(trouble) => return CheckOutcome::Unreadable(trouble),
    };
    match Form::read(&text) {
        Ok((form, remarks)) => CheckOutcome::Sound(Box::new(form), remarks),
        Err(first) => CheckOutcome::Faulty(all_faults(&text, first)),
    }
}

/// Every fault of a form whose text could be read; else what is wrong with the text.
fn all_faults(text: &str, first: FormFault) -> Vec<FormFault> {
    let form: Option<Form> = serde_json::from_str(text).ok().or_else(|| toml::from_str(text).ok());
    match form.map(|form| problems(&form)) {
        Some(faults) if !faults.is_empty() => faults,
        Some(_) | None => vec![first],
    }
}

fn faults_of(found: &CheckOutcome, lang: Lang) -> Vec<Said> {
    match found {
        CheckOutcome::Sound(..) => Vec::new(),
        CheckOutcome::Faulty(faults) => faults.iter().map(|fault| fault.say(lang)).collect(),
        CheckOutcome::Unreadable(trouble) => vec![trouble::say(trouble, lang)],
    }
}

fn as_json(lang: Lang, path: &Path, found: &CheckOutcome) -> Value {
    let faults: Vec<Value> =
        faults_of(found, lang).iter().map(|said| json!({"message": said.message, "hint": said.hint})).collect();
    match found {
        CheckOutcome::Sound(form, remarks) => json!({
            "file": path, "sound": true, "title": form.title, "language": form.language, "fields": form.fields.len(),
            "faults": [], "remarks": remarks,
        }),
        CheckOutcome::Faulty(_) | CheckOutcome::Unreadable(_) => {
            json!({"file": path, "sound": false, "faults": faults, "remarks": []})
        }
    }
}

fn show(screen: &Screen, path: &Path, found: &CheckOutcome) -> Result<(), Trouble> {
    let lang = screen.lang;
    let name = path.display().to_string();
    let indented = |text: &str| fold(text, screen.width().saturating_sub(4)).join("\n    ");
    match found {
        CheckOutcome::Sound(form, remarks) => {
            screen.say(&format!("{} {name}: {}", screen.paint.good("✓"), words::sound(lang, form)))?;
            for remark in remarks {
                screen.say(&format!("  {} {}", screen.paint.warn("·"), indented(&remark.say(lang))))?;
            }
        }
        CheckOutcome::Faulty(_) | CheckOutcome::Unreadable(_) => {
            screen.say(&format!("{} {name}", screen.paint.bad("✗")))?;
            for said in faults_of(found, lang) {
                screen.say(&format!("  {} {}", screen.paint.bad("·"), indented(&said.message)))?;
                screen.say(&format!("    {}", screen.paint.faint(&indented(&said.hint))))?;
            }
        }
    }
    Ok(())
}
