//! The strip of tabs above the pages of one form. They are links, so each page has an address of its own.

use enza_server::design;
use enza_server::words::Words;
use maud::Markup;

/// A page of a form's owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pages) enum Tab {
    /// What is asked.
    Form,
    /// Who may answer, and until when.
    Share,
    Answers,
}

impl Tab {
    const ALL: [Self; 3] = [Self::Form, Self::Share, Self::Answers];

    fn address(self, id: &str) -> String {
        match self {
            Self::Form => format!("/forms/{id}"),
            Self::Share => format!("/forms/{id}/share"),
            Self::Answers => format!("/forms/{id}/submissions"),
        }
    }

    fn label(self, words: Words) -> &'static str {
        match self {
            Self::Form => words.say("forms.tab_form"),
            Self::Share => words.say("forms.tab_share"),
            Self::Answers => words.say("forms.tab_answers"),
        }
    }
}

/// The strip, with the current page marked.
pub(super) fn tabs(words: Words, id: &str, current: Tab) -> Markup {
    let addresses = Tab::ALL.map(|tab| tab.address(id));
    let labelled: Vec<(&str, &str)> =
        addresses.iter().map(String::as_str).zip(Tab::ALL.map(|tab| tab.label(words))).collect();
    design::tabs(&labelled, &current.address(id))
}
