//! What is said when the command line cannot be understood.

use clap::error::{ContextKind, ErrorKind};
use enza_kernel::text::{Lang, Said};

/// What was wrong with the command line.
pub fn say(error: &clap::Error, lang: Lang) -> Said {
    let named = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let (argument, value) = (named(ContextKind::InvalidArg), named(ContextKind::InvalidValue));
    let message = match error.kind() {
        ErrorKind::UnknownArgument => lang
            .pick(format!("「{argument}」という引数はありません。"), format!("There is no argument \"{argument}\".")),
        ErrorKind::InvalidSubcommand => {
            let word = named(ContextKind::InvalidSubcommand);
            lang.pick(format!("「{word}」というコマンドはありません。"), format!("There is no command \"{word}\"."))
        }
        ErrorKind::InvalidValue if value.is_empty() => {
            lang.pick(format!("「{argument}」に値がありません。"), format!("{argument} needs a value."))
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => lang.pick(
            format!("「{value}」は {argument} の値として使えません。"),
            format!("\"{value}\" will not do for {argument}."),
        ),
        ErrorKind::MissingRequiredArgument => {
            lang.pick(format!("足りない引数があります: {argument}"), format!("An argument is missing: {argument}."))
        }
        ErrorKind::ArgumentConflict => {
            let other = named(ContextKind::PriorArg);
            lang.pick(
                format!("{argument} と {other} は一緒に使えません。"),
                format!("{argument} and {other} do not go together."),
            )
        }
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            lang.pick("コマンドの続きが足りません。".to_owned(), "The command is not complete.".to_owned())
        }
        _ => error.kind().as_str().unwrap_or("?").to_owned(),
    };
    let close = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand].map(named);
    let close = close.iter().find(|text| !text.is_empty());
    let help = lang.pick(
        "使い方は enza --help、または enza コマンド --help で確かめられます。",
        "See enza --help, or enza COMMAND --help.",
    );
    let hint = match close {
        Some(close) => lang.pick(format!("「{close}」のことですか? {help}"), format!("Did you mean {close}? {help}")),
        None => help.to_owned(),
    };
    Said::new(message, hint)
}
