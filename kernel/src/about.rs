//! What an application and its agents are called, and what it is for: for whoever lists it, shows it or begins with it.
//!
//! An application brings one file of sentences, `words/about.toml`, and `Application::about` hands it over. Every screen,
//! page and terminal reads names from there and nowhere else, agents' by the application whose session it is: two
//! applications may each have a reviewer. Where a name is missing, the word for machines stands in, so that nobody looks
//! at a gap. `testing::words::check_about` holds a file to this.

use std::sync::LazyLock;

use crate::application::Application;
use crate::text::Lang;
use crate::words::{Catalogue, Sentence};

/// What is known of an application that says nothing about itself.
static NOTHING: LazyLock<Catalogue> = LazyLock::new(Catalogue::default);

/// The sentences an application has about itself, all of the table `application`.
pub const ABOUT: [&str; 4] = ["title", "called", "sentence", "begin"];

/// What an application says about itself.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// The application's word.
    name: &'a str,
    catalogue: &'static Catalogue,
}

impl About<'static> {
    /// An application's own.
    pub fn of<A: Application>() -> Self {
        Self { name: A::NAME, catalogue: A::about() }
    }
}

impl<'a> About<'a> {
    /// Of an application that this build does not have: its word is all there is.
    pub fn unknown(name: &'a str) -> Self {
        Self { name, catalogue: &NOTHING }
    }

    /// The application's word.
    pub fn name(self) -> &'a str {
        self.name
    }

    /// What it is called by itself, as in a menu.
    pub fn title(self, lang: Lang) -> &'a str {
        self.find("application.title", lang).unwrap_or(self.name)
    }

    /// What it is called in the middle of a sentence.
    pub fn called(self, lang: Lang) -> &'a str {
        self.find("application.called", lang).unwrap_or(self.name)
    }

    /// What a person does with it, in a sentence.
    pub fn sentence(self, lang: Lang) -> Option<&'a str> {
        self.find("application.sentence", lang)
    }

    /// What stands on the button that begins.
    pub fn begin(self, lang: Lang) -> Option<&'a str> {
        self.find("application.begin", lang)
    }

    /// What one of its agents is called.
    pub fn agent(self, agent: &str, lang: Lang) -> &str {
        self.find(&format!("agent.{agent}"), lang).unwrap_or(agent)
    }

    /// What one of its tools is called, while it is at work.
    pub fn tool(self, tool: &str, lang: Lang) -> &str {
        self.find(&format!("tool.{tool}"), lang).unwrap_or(tool)
    }

    fn find(self, key: &str, lang: Lang) -> Option<&'static str> {
        let Self { catalogue, .. } = self;
        catalogue.find(key).map(|sentence: &'static Sentence| sentence.say(lang))
    }
}

/// Of an application that says nothing about itself.
pub(crate) fn nothing() -> &'static Catalogue {
    &NOTHING
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::till::{AUDITOR, CLERK, Till};
    use crate::testing::words::check_about;

    #[test]
    fn the_till_says_what_it_and_its_agents_are_called() {
        check_about::<Till>(&[CLERK, AUDITOR], &[]);
        let about = About::of::<Till>();
        assert_eq!((about.title(Lang::En), about.title(Lang::Ja)), ("Till", "レジ"));
        assert_eq!(about.agent(CLERK, Lang::Ja), "店員");
    }

    #[test]
    fn what_has_no_name_is_shown_by_its_word() {
        let about = About::unknown("loom");
        assert_eq!((about.title(Lang::Ja), about.called(Lang::En)), ("loom", "loom"));
        assert_eq!((about.sentence(Lang::Ja), about.begin(Lang::En)), (None, None));
        assert_eq!((about.agent("weaver", Lang::En), about.tool("shuttle", Lang::En)), ("weaver", "shuttle"));
    }
}
