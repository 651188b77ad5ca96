//! Which servers a session may use: those of the settings as they are now, and those that an editor lent it.
//!
//! The log has a session's folder and its limits, never a command to start: whoever can write a log must not be able to
//! run a program by it. So the servers are looked up in the settings whenever one is needed, also when a session is gone
//! on with in another process. What an editor lends lasts as long as this process.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use enza_companion::{Companion, Event, Settings};
use enza_kernel::text::Lang;
use enza_kernel::time::Seq;
use enza_runtime::seams::store::{SessionId, Store};
use enza_workshop::servers::{Directory, ServerTerms};

use super::settings::{FolderSettings, NamedServers};

/// Where it is written down which servers a session has.
pub struct SessionServers {
    config: PathBuf,
    store: Arc<dyn Store>,
    lent: Mutex<HashMap<SessionId, NamedServers>>,
}

impl SessionServers {
    /// By the settings in a config folder, for the sessions of a store.
    pub fn new(config: PathBuf, store: Arc<dyn Store>) -> Self {
        Self { config, store, lent: Mutex::default() }
    }

    /// Lends a session servers that no settings have.
    pub fn lend(&self, session: &SessionId, servers: NamedServers) {
        self.lent.lock().expect("lent").insert(session.clone(), servers);
    }

    /// What a session in a folder lets these servers do, and those that it was lent.
    pub fn terms_of(
        &self,
        session: &SessionId,
        folder: &Path,
        settings: &Settings,
        lang: Lang,
        mut servers: NamedServers,
    ) -> ServerTerms {
        if let Some(lent) = self.lent.lock().expect("lent").get(session) {
            // What the user wrote down themselves counts before what an editor brings along.
            lent.iter().for_each(|(name, server)| {
                servers.entry(name.clone()).or_insert_with(|| server.clone());
            });
        }
        ServerTerms {
            folder: folder.to_owned(),
            servers,
            output: settings.output_bytes,
            patience: Duration::from_secs(settings.command_seconds.into()),
            lang,
        }
    }
}

#[async_trait]
impl Directory for SessionServers {
    async fn terms(&self, session: &SessionId) -> Result<ServerTerms, String> {
        let first = self.store.events(session, Seq::START, 1).await.map_err(|failure| failure.to_string())?;
        let Some(Event::Opened(opened)) = first.first().and_then(|first| first.event::<Companion>().ok()) else {
            return Err("This session does not say in which folder it works.".to_owned());
        };
        let folder = PathBuf::from(&opened.open.folder);
        let found = FolderSettings::read(&self.config, &folder).map_err(|trouble| {
            let said = enza_terminal::words::trouble::say(&trouble, opened.open.language);
            said.in_one()
        })?;
        let servers = found.servers(false);
        Ok(self.terms_of(session, &folder, &opened.open.settings, opened.open.language, servers))
    }
}
