//! What is said when the command line cannot be understood.

use clap::error::{ContextKind, ErrorKind};
use enza_kernel::text::{Lang, Said};

use super::words;

/// What was wrong with the command line.
pub fn say(error: &clap::Error, lang: Lang) -> Said {
    let named = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let (argument, value) = (named(ContextKind::InvalidArg), named(ContextKind::InvalidValue));
    let message = match error.kind() {
        ErrorKind::UnknownArgument => words(lang).fill("command_line.unknown_argument", &[("argument", &argument)]),
        ErrorKind::InvalidSubcommand => {
            let word = named(ContextKind::InvalidSubcommand);
            words(lang).fill("command_line.invalid_subcommand", &[("word", &word)])
        }
        ErrorKind::InvalidValue if value.is_empty() => {
            words(lang).fill("command_line.invalid_value", &[("argument", &argument)])
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            words(lang).fill("command_line.invalid_value_will_not_do", &[("value", &value), ("argument", &argument)])
        }
        ErrorKind::MissingRequiredArgument => {
            words(lang).fill("command_line.missing_required_argument", &[("argument", &argument)])
        }
        ErrorKind::ArgumentConflict => {
            let other = named(ContextKind::PriorArg);
            words(lang).fill("command_line.argument_conflict", &[("argument", &argument), ("other", &other)])
        }
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            words(lang).say("command_line.missing_subcommand").to_owned()
        }
        _ => error.kind().as_str().unwrap_or("?").to_owned(),
    };
    let close = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand].map(named);
    let close = close.iter().find(|text| !text.is_empty());
    let help = words(lang).say("command_line.many");
    let hint = match close {
        Some(close) => words(lang).fill("command_line.say", &[("close", &close), ("help", &help)]),
        None => help.to_owned(),
    };
    Said::new(message, hint)
}
