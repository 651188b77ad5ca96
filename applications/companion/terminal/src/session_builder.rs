//! What a session in a folder is opened with, put together without a screen: settings, instructions, a map, memory.
//!
//! The terminal, editors and the server all open sessions with what is made here, so that a denial in the settings holds
//! wherever one is begun. Whether the project is trusted, and starting its servers, is for whoever asks.

use std::path::Path;

use enza_companion::{self as companion, Decision, Memory, Mode, Open, Operation, Settings, Subject};
use enza_kernel::gate::Risk;
use enza_kernel::text::Lang;
use enza_runtime::seams::store::SessionId;
use enza_terminal::environment::Environment;
use enza_terminal::setup;
use enza_workshop::servers::ServerTerms;

use super::open::{Presence, SessionOptions};
use super::session_servers::SessionServers;
use super::settings::FolderSettings;
use super::{folder_preview, instructions};

/// Where a session is to be opened.
pub struct SessionBuilder<'a> {
    pub around: &'a Environment,
    /// Which servers it may use.
    pub roster: &'a SessionServers,
    pub session: &'a SessionId,
    /// The folder, as it is really called.
    pub folder: &'a Path,
    pub lang: Lang,
}

/// A session that is ready to be opened, but for the tools of servers.
pub struct BuiltSession {
    pub open: Open,
    /// The servers that are to be asked for their tools.
    pub terms: ServerTerms,
}

impl SessionBuilder<'_> {
    /// Puts it together with what is carried over. `trusted` where the person has just said so of what the project asks for.
    /// Of two budgets the smaller counts.
    pub fn build(&self, found: FolderSettings, trusted: bool, wanted: SessionOptions, memory: Memory) -> BuiltSession {
        let &Self { around, roster, session, folder, lang } = self;
        let named = found.servers(trusted);
        let mut settings = found.settings(trusted);
        settings.rules.extend(wanted.rules);
        settings.mode = wanted.mode.unwrap_or(settings.mode);
        // What a gate says about commands holds for this machine.
        settings.unsealed |= !enza_workshop::run::seals(Path::new(enza_workshop::run::OURSELVES));
        settings.budget = [settings.budget, wanted.budget].into_iter().flatten().min();
        roster.lend(session, wanted.lent);
        let mut terms = roster.terms_of(session, folder, &settings, lang, named);
        terms.servers.retain(|name, _| !is_denied(name, &settings));
        let open = Open {
            folder: folder.display().to_string(),
            language: lang,
            map: folder_preview::map(folder, &settings.bounds_under(&settings.rules)),
            settings,
            instructions: instructions::of(&around.config, folder, lang),
            memory,
            name: setup::short_id(session).to_owned(),
            tools: Vec::new(),
            attended: wanted.presence != Presence::Nobody,
        };
        BuiltSession { open, terms }
    }
}

/// Whether a rule denies all tools of a server: it is not even started then.
fn is_denied(server: &str, settings: &Settings) -> bool {
    let target = format!("{server}/");
    let subject = Subject { operation: Operation::Tool, target: &target, risk: Risk::Medium, always_asked: false };
    matches!(companion::may(&subject, &settings.rules, Mode::Ask), Decision::Denied(_))
}
