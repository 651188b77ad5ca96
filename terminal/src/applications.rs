//! The applications of a build, as the terminal knows them: one list, filled in by whoever wires the program.
//!
//! Command line, help, server, simulation, crash tests and what is printed of sessions all read this list, so that an
//! application which is in it is in all of them. Nothing in this crate knows what is in the list.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use enza_kernel::about::About;
use enza_kernel::application::Application;
use enza_kernel::text::Lang;
use enza_kernel::words::Catalogue;
use enza_runtime::host::ApplicationRegistry;
use enza_runtime::seams::store::Store;
use enza_runtime::seams::tools::ToolRegistry;
use enza_runtime::simulation::Role;
use enza_server::part::{Parts, WebPart};
use enza_server::state::Mask;

use crate::environment::Environment;
use crate::part::{DrillScript, Serving, TerminalPart, ToolSet, TourScript};
use crate::trouble::Trouble;

/// Adds an application's rules to a registry: as they come, or with what a config folder says of them.
pub type AddRules = fn(ApplicationRegistry, Option<&Path>) -> Result<ApplicationRegistry, Trouble>;
/// Makes an application's tools, for the sessions of a store.
pub type MakeTools = fn(&Environment, &Arc<dyn Store>) -> Arc<dyn ToolSet>;

/// Makes an application's part of a server.
pub type MakeWeb = fn(Serving) -> Arc<dyn WebPart>;

/// One application, with everything that it brings along. What it has none of is left out.
pub struct Registered {
    /// Its word.
    pub name: &'static str,
    /// What it and its agents are called, and what it is for.
    pub about: About<'static>,
    pub rules: AddRules,
    /// The codes that its refusals have: a list from each of its crates that gives any.
    pub codes: Vec<&'static [&'static str]>,
    /// Masks secrets in what is printed and exported of its sessions; none where nothing is masked.
    pub mask: Option<Mask>,
    /// Whether its tools work on this machine, and so only for those who run the house.
    pub is_for_admins: bool,
    /// How a simulation plays it.
    pub roles: Vec<Arc<dyn Role>>,
    pub tools: Option<MakeTools>,
    /// Its part of a server.
    pub web: Option<MakeWeb>,
    pub terminal: Option<Arc<dyn TerminalPart>>,
    /// How crash tests play it.
    pub drill: Option<Arc<dyn DrillScript>>,
    pub tour: Option<Arc<dyn TourScript>>,
}

impl Registered {
    /// An application that brings its rules and nothing else.
    pub fn of<A: Application>(rules: AddRules) -> Self {
        Self {
            name: A::NAME,
            about: About::of::<A>(),
            rules,
            codes: Vec::new(),
            mask: None,
            is_for_admins: false,
            roles: Vec::new(),
            tools: None,
            web: None,
            terminal: None,
            drill: None,
            tour: None,
        }
    }
}

/// All of them, in the order in which they are listed.
#[derive(Clone, Default)]
pub struct Applications(Arc<[Registered]>);

impl Applications {
    /// These.
    pub fn new(all: Vec<Registered>) -> Self {
        Self(all.into())
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &Registered> {
        self.0.iter()
    }

    /// The one of this name.
    pub fn find(&self, name: &str) -> Option<&Registered> {
        self.iter().find(|one| one.name == name)
    }

    /// The rules, for whoever only looks: what may follow is not decided there.
    pub fn registry(&self) -> ApplicationRegistry {
        self.iter().fold(ApplicationRegistry::default(), |registry, one| {
            (one.rules)(registry, None).expect("without a config folder there is nothing to be wrong with")
        })
    }

    /// The rules, for whoever works, with what the config folder says of them.
    pub fn configured(&self, config: &Path) -> Result<ApplicationRegistry, Trouble> {
        self.iter().try_fold(ApplicationRegistry::default(), |registry, one| (one.rules)(registry, Some(config)))
    }

    /// Everything that they put behind an engine that works. It takes up whatever session was left unfinished, of
    /// whatever application, and so needs the tools of all of them.
    pub fn tool_sets(&self, around: &Environment, store: &Arc<dyn Store>) -> Vec<Arc<dyn ToolSet>> {
        self.iter().filter_map(|one| one.tools).map(|make| make(around, store)).collect()
    }

    /// The terminal parts.
    pub fn parts(&self) -> impl Iterator<Item = &Arc<dyn TerminalPart>> {
        self.iter().filter_map(|one| one.terminal.as_ref())
    }

    /// The terminal part that has an order.
    pub fn part_with(&self, order: &str) -> Option<&Arc<dyn TerminalPart>> {
        self.parts().find(|part| part.orders().iter().any(|command| command.get_name() == order))
    }

    /// What `--help` says of their orders.
    pub fn help(&self) -> impl Iterator<Item = &'static Catalogue> {
        self.parts().map(|part| part.help())
    }

    /// The command that begins a session, for whoever has none yet.
    pub fn begins(&self) -> &'static str {
        self.parts().find_map(|part| part.begins()).unwrap_or("enza serve")
    }

    /// The command that begins a session of one application, where it has one of its own.
    pub fn begins_of(&self, application: &str) -> Option<&'static str> {
        self.find(application)?.terminal.as_ref()?.begins()
    }

    /// The command that goes on with a session of an application, where there is one.
    pub fn resumes(&self, application: &str, session: &str) -> Option<String> {
        self.find(application)?.terminal.as_ref()?.resumes(session)
    }

    /// What masks secrets in what leaves of an application's sessions.
    pub fn mask_of(&self, application: &str) -> Option<Mask> {
        self.find(application)?.mask
    }

    /// The same for all of them, by their words.
    pub fn masks(&self) -> BTreeMap<&'static str, Mask> {
        self.iter().filter_map(|one| Some((one.name, one.mask?))).collect()
    }

    /// Their parts of a server.
    pub fn web_parts(&self, serving: Serving) -> Parts {
        self.iter().filter_map(|one| one.web).map(|make| make(serving)).collect()
    }

    /// What those are called whose secrets are masked.
    pub fn masked(&self, lang: Lang) -> String {
        self.called(lang, |one| one.mask.is_some())
    }

    /// What those are called that only administrators of a house may use.
    pub fn for_admins(&self, lang: Lang) -> String {
        self.called(lang, |one| one.is_for_admins)
    }

    fn called(&self, lang: Lang, which: impl Fn(&Registered) -> bool) -> String {
        let called = self.iter().filter(|one| which(one)).map(|one| one.about.called(lang));
        called.collect::<Vec<_>>().join(lang.pick("と", " and "))
    }
}

impl fmt::Debug for Applications {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.iter().map(|one| one.name)).finish()
    }
}

/// The tools of all these sets, by their names.
pub fn tools_of(sets: &[Arc<dyn ToolSet>]) -> ToolRegistry {
    sets.iter().fold(ToolRegistry::default(), |registry, set| set.add_to(registry))
}
