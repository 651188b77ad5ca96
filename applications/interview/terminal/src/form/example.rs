//! `enza form example`: a form to begin from.

use enza_kernel::text::Lang;
use enza_terminal::screen::Screen;
use enza_terminal::trouble::Trouble;
use serde_json::json;

use crate::arguments::{ExampleForm, FormExample};

/// A form that comes along.
pub struct Example {
    pub name: ExampleForm,
    pub lang: Lang,
    /// Its file name, without the ending.
    pub file: &'static str,
    pub text: &'static str,
}

macro_rules! example {
    ($name:ident, $lang:ident, $file:literal) => {
        Example {
            name: ExampleForm::$name,
            lang: Lang::$lang,
            file: $file,
            text: include_str!(concat!("../../../../../examples/forms/", $file, ".toml")),
        }
    };
}

/// All of them.
pub const EXAMPLES: [Example; 6] = [
    example!(VisitReport, En, "visit-report.en"),
    example!(VisitReport, Ja, "visit-report.ja"),
    example!(IncidentReport, En, "incident-report.en"),
    example!(IncidentReport, Ja, "incident-report.ja"),
    example!(EventSignUp, En, "event-sign-up.en"),
    example!(EventSignUp, Ja, "event-sign-up.ja"),
];

/// Prints one.
pub fn run(screen: &Screen, order: FormExample) -> Result<(), Trouble> {
    let is_wanted = |example: &&Example| example.name == order.name && example.lang == screen.lang;
    let example = EXAMPLES.iter().find(is_wanted).expect("every example is there in both languages; a test looks");
    if screen.json {
        return screen.value(&json!({"name": example.file, "form": example.text}));
    }
    screen.put(example.text)
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;
    use enza_interview::Form;

    use super::*;

    #[test]
    fn every_example_is_there_in_both_languages_and_can_be_asked() {
        let mut there: Vec<_> = EXAMPLES.iter().map(|one| (one.name as u8, one.lang == Lang::Ja)).collect();
        there.sort_unstable();
        let all = ExampleForm::value_variants().iter().flat_map(|name| [(*name as u8, false), (*name as u8, true)]);
        assert_eq!(there, all.collect::<Vec<_>>());
        for example in EXAMPLES {
            let form = Form::parse(example.text).unwrap();
            assert_eq!(form.language, example.lang, "{}", example.file);
        }
    }
}
