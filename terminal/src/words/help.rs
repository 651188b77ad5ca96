//! What `--help` says; `with_help` puts it on the tree of commands. The texts are in the table `help` of a catalogue.
//!
//! A key is the path to a command, or that path and the name of an argument. Applications bring the lines of their own
//! orders; what stands in braces here is filled in with what they are called. A test walks the tree and the table and
//! insists that they name the same things.

use std::collections::BTreeSet;

use clap::Command;
use enza_kernel::text::Lang;
use enza_kernel::words::{Catalogue, fill};

use crate::applications::Applications;
use crate::arguments;
use crate::commands::simulate;
use crate::screen::fold;
use crate::words::{CATALOGUE, words};

/// Where the explanations of options begin; those of commands begin earlier.
const COLUMN: usize = 30;
/// Options that every command has come after its own.
const LAST: usize = 100;

/// Help in two columns needs some room.
const NARROWEST: usize = 60;

/// The tree of commands with its help in one language, for lines of this width.
pub fn with_help(command: Command, applications: &Applications, lang: Lang, width: usize) -> Command {
    let width = width.max(NARROWEST);
    let status = fold(words(lang).say("around.status"), width - 2).join("\n");
    let texts = HelpTexts { applications, lang, width };
    texts.add(command, "enza").after_help(status).term_width(width)
}

/// Everything that is explained, for the reader of one help.
struct HelpTexts<'a> {
    applications: &'a Applications,
    lang: Lang,
    width: usize,
}

impl HelpTexts<'_> {
    fn add(&self, command: Command, path: &str) -> Command {
        let (lang, width) = (self.lang, self.width);
        let usage = words(lang).say("around.usage");
        let arguments: Vec<_> =
            command.get_arguments().map(|argument| (argument.get_id().clone(), argument.is_positional())).collect();
        let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
        let mut command = command
            .about(self.text(path, width - 16))
            .help_template(format!("{{about-with-newline}}\n{usage}: {{usage}}\n\n{{all-args}}{{after-help}}"))
            .subcommand_help_heading(words(lang).say("around.commands"));
        for (place, (id, is_positional)) in arguments.into_iter().enumerate() {
            let heading = words(lang).say(if is_positional { "around.arguments" } else { "around.options" });
            let help = self.text(&format!("{path} {id}"), width - COLUMN - 2);
            command = command.mut_arg(id, |argument| {
                let argument = argument.help(help).help_heading(heading);
                argument.display_order(if path == "enza" { LAST + place } else { place })
            });
        }
        for name in names {
            let below = format!("{path} {name}");
            command = command.mut_subcommand(name, |sub| self.add(sub, &below));
        }
        command
    }

    /// The text behind a key. Japanese has no spaces to break a line at, so we break it ourselves.
    fn text(&self, path: &str, room: usize) -> String {
        let key = format!("help.{path}");
        let Some(sentence) = catalogues(self.applications).find_map(|catalogue| catalogue.find(&key)) else {
            return String::new();
        };
        let text = self.filled(sentence.say(self.lang));
        match self.lang {
            Lang::Ja => fold(&text, room).join("\n"),
            Lang::En => text,
        }
    }

    /// A text with what the applications are called.
    fn filled(&self, text: &str) -> String {
        let (all, lang) = (self.applications, self.lang);
        if !text.contains('{') {
            return text.to_owned();
        }
        let pieces = [
            ("masked", all.masked(lang)),
            ("for_admins", all.for_admins(lang)),
            ("applications", one_of(lang, &simulate::applications(all))),
            ("profiles", one_of(lang, &simulate::profiles(all))),
        ];
        fill(text, &pieces.each_ref().map(|(name, piece)| (*name, piece.as_str())))
    }
}

/// Words of which one is to be chosen.
fn one_of(lang: Lang, words: &[&str]) -> String {
    match (lang, words) {
        (Lang::En, [first @ .., last]) if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        (Lang::Ja | Lang::En, _) => lang.list(words),
    }
}

/// Where everything is explained: our own orders, and those of applications.
fn catalogues(applications: &Applications) -> impl Iterator<Item = &'static Catalogue> {
    std::iter::once(&*CATALOGUE).chain(applications.help())
}

/// What of the tree of commands is not explained, and what is explained and not in it.
pub fn faults(applications: &Applications) -> Vec<String> {
    let mut keys = BTreeSet::new();
    walk(&arguments::command(applications), "enza", &mut keys);
    let explained = catalogues(applications).flat_map(Catalogue::iter);
    let explained = explained.filter_map(|(key, _)| key.strip_prefix("help.").map(str::to_owned)).collect();
    keys.symmetric_difference(&explained).cloned().collect()
}

fn walk(command: &Command, path: &str, keys: &mut BTreeSet<String>) {
    keys.insert(path.to_owned());
    keys.extend(command.get_arguments().map(|argument| format!("{path} {}", argument.get_id())));
    for sub in command.get_subcommands() {
        walk(sub, &format!("{path} {}", sub.get_name()), keys);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_and_argument_is_explained_and_nothing_else_is() {
        assert_eq!(faults(&Applications::default()), Vec::<String>::new());
    }

    #[test]
    fn the_tree_is_sound_in_both_languages() {
        let none = Applications::default();
        for lang in [Lang::Ja, Lang::En] {
            with_help(arguments::command(&none), &none, lang, 80).debug_assert();
        }
    }

    #[test]
    fn of_several_words_one_is_to_be_chosen() {
        assert_eq!(one_of(Lang::En, &["till"]), "till");
        assert_eq!(one_of(Lang::En, &["a", "b", "c"]), "a, b or c");
        assert_eq!(one_of(Lang::Ja, &["a", "b", "c"]), "a、b、c");
    }
}
