//! The companion for those who come by the server or by the frame's own orders: what its sessions are opened with, and what
//! goes with their words.
//!
//! A session is put together as at the terminal (`session_builder.rs`). What is sent may name the folder and the language, add
//! rules, choose the mode and lower the budget, as `--allow` and `--plan` do; anything else is this machine's to say and
//! is refused, so that nobody takes a wish for a setting. What a project asks for counts only as far as it was trusted
//! at a terminal.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use enza_companion::{Command, Companion, Mode, Rule, State};
use enza_kernel::text::{Lang, Said};
use enza_runtime::engine::Engine;
use enza_runtime::seams::store::SessionId;
use enza_server::prepare::{Prepare, Prepared, Remark, RemarkKind, SentCommand, Unfit};
use enza_terminal::environment::Environment;
use enza_terminal::trouble::Trouble;
use enza_workshop::servers::Servers;
use serde::Deserialize;
use serde_json::{Value, json};

use super::folder_memory::{self, FolderMemory};
use super::known_instructions::KnownInstructions;
use super::mentions::{self, Mentions};
use super::open::{self, Presence, SessionOptions};
use super::resume::{self, Alignment};
use super::session_builder::{BuiltSession, SessionBuilder};
use super::session_servers::SessionServers;
use super::settings::{FolderSettings, NamedServers};
use crate::COMPANION;
use crate::tools::companion_folder;
use crate::trouble::CompanionTrouble;
use crate::words;
use crate::words::machine_folders as say;

/// The folders of this machine.
pub struct MachineFolders {
    /// Where settings and memory are.
    pub around: Environment,
    /// The engine whose sessions they are.
    pub engine: Engine,
    /// Servers of tools.
    pub servers: Arc<Servers>,
    /// Which of them a session may use.
    pub roster: Arc<SessionServers>,
}

/// What may be sent to open a session.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sent {
    open: OpenRequest,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OpenRequest {
    folder: String,
    language: Option<Lang>,
    #[serde(default)]
    settings: RequestedSettings,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct RequestedSettings {
    rules: Vec<Rule>,
    mode: Option<Mode>,
    budget: Option<u64>,
}

#[async_trait]
impl Prepare for MachineFolders {
    fn application(&self) -> &'static str {
        COMPANION
    }

    async fn prepare(&self, sent: SentCommand<'_>) -> Result<Prepared, Unfit> {
        let SentCommand { session, opens, command, lang } = sent;
        if opens { self.opening(session, command, lang).await } else { self.hearing(session, command, lang).await }
    }

    /// Keeps what the next session in the folder is to know.
    async fn accepted(&self, session: &SessionId) {
        let kept_in = companion_folder(&self.around);
        let kept = match self.state(session).await {
            Ok(state) => {
                folder_memory::save(&self.engine, &kept_in, session, &state).await.map_err(|why| why.to_string())
            }
            Err(trouble) => Err(to_said(&trouble, Lang::En).message),
        };
        if let Err(why) = kept {
            tracing::warn!(%session, why, "what the next session in the folder is to know was not kept");
        }
    }
}

impl MachineFolders {
    /// The whole command that opens a session, from the one that was sent.
    async fn opening(&self, session: &SessionId, sent: Value, lang: Lang) -> Result<Prepared, Unfit> {
        let Sent { open: OpenRequest { folder, language, settings } } =
            serde_json::from_value(sent).map_err(|why| Unfit::Command(why.to_string()))?;
        let RequestedSettings { rules, mode, budget } = settings;
        let wanted = SessionOptions { rules, mode, budget, presence: Presence::Later, lent: NamedServers::new() };
        let (around, roster, id) = (self.around.clone(), self.roster.clone(), session.clone());
        let in_lang = language.unwrap_or(lang);
        let folder = apart(move || folder_named(&folder, lang)).await?;
        let memory = self.carried(&folder.display().to_string()).await.memory;
        let (BuiltSession { mut open, terms }, mut remarks) = apart(move || {
            let found = FolderSettings::read(&around.config, &folder).map_err(|trouble| to_unfit(&trouble, lang))?;
            let wishes = found.wishes();
            let left_out = (!wishes.is_empty()).then(|| warning(words::untrusted(lang, &wishes)));
            let site =
                SessionBuilder { around: &around, roster: &roster, session: &id, folder: &folder, lang: in_lang };
            Ok((site.build(found, false, wanted, memory), left_out.into_iter().collect::<Vec<_>>()))
        })
        .await?;
        for (name, came) in self.servers.open(session, &terms).await {
            match came {
                Ok(tools) => open.tools.extend(tools),
                Err(trouble) => {
                    remarks.push(warning(words::servers::not_started(lang, &name, &trouble.say(lang))));
                }
            }
        }
        Ok(Prepared { first: Vec::new(), command: json!(Command::Open(Box::new(open))), remarks })
    }

    /// A command to a session as it is to be submitted, and what has to come before it.
    async fn hearing(&self, session: &SessionId, sent: Value, lang: Lang) -> Result<Prepared, Unfit> {
        let command: Command = serde_json::from_value(sent).map_err(|why| Unfit::Command(why.to_string()))?;
        let state = self.state(session).await.map_err(|trouble| to_unfit(&trouble, lang))?;
        let folder = PathBuf::from(&state.folder);
        let denials =
            FolderSettings::read(&self.around.config, &folder).map_err(|trouble| to_unfit(&trouble, lang))?.denials();
        let Alignment { commands, left_out } = Alignment::of(&state, &self.carried(&state.folder).await);
        let first = resume::not_yet_known(&state, denials).into_iter().chain(commands);
        let first = first.map(|command| json!(command)).collect();
        let left_out = left_out.iter().map(|text| warning(words::not_taken_over(lang, text)));
        let mut remarks: Vec<Remark> = left_out.collect();
        let Command::Say { text, when, files } = command else {
            return Ok(Prepared { first, command: json!(command), remarks });
        };
        // In the session's own language, as they stand in its log.
        let news =
            KnownInstructions::default().news(&self.around.config, &self.engine, session, &state, state.lang()).await;
        let news = news.map_err(|trouble| to_unfit(&trouble, lang))?;
        let bounds = state.bounds();
        let (files, text, told) = apart(move || {
            let Mentions { mut files, missing } = mentions::along_with(&text, files, &folder, &bounds);
            files.extend(news);
            let names: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
            let with_it = (!names.is_empty()).then(|| say::attached(lang, &names));
            let with_it = with_it.map(|text| Remark { kind: RemarkKind::Note, text });
            let missing = missing.iter().map(|one| warning(words::talk::not_attached(lang, one)));
            let told: Vec<Remark> = with_it.into_iter().chain(missing).collect();
            Ok((files, text, told))
        })
        .await?;
        remarks.extend(told);
        Ok(Prepared { first, command: json!(Command::Say { text, when, files }), remarks })
    }

    /// What is carried in a folder. Where it cannot be brought up to date, as far as it was written down.
    async fn carried(&self, folder: &str) -> FolderMemory {
        let kept_in = companion_folder(&self.around);
        match folder_memory::caught_up(&self.engine, &kept_in, folder).await {
            Ok(carried) => carried,
            Err(why) => {
                tracing::warn!(folder, %why, "what other sessions in the folder said last is not known");
                folder_memory::read(&kept_in, folder)
            }
        }
    }

    async fn state(&self, session: &SessionId) -> Result<State, Trouble> {
        Ok(self.engine.state::<Companion>(session).await?.1)
    }
}

/// A folder of this machine that can be worked in, as it is really called.
fn folder_named(typed: &str, lang: Lang) -> Result<PathBuf, Unfit> {
    let path = Path::new(typed);
    let unfit = |why: &str| CompanionTrouble::Folder(say::unfit_folder(lang, typed, why)).to_unfit(lang);
    if !path.is_absolute() {
        return Err(unfit(say::not_absolute(lang)));
    }
    let unread = |why: std::io::Error| unfit(&say::unread(lang, &why));
    path.metadata().map_err(unread)?;
    let folder = open::work_folder(lang, Some(path)).map_err(|trouble| match trouble {
        Trouble::File { why, .. } => unfit(&why),
        other => to_unfit(&other, lang),
    })?;
    std::fs::read_dir(&folder).map_err(unread)?;
    Ok(folder)
}

/// Runs what reads a disk beside the requests, which must not wait for it.
async fn apart<T: Send + 'static>(work: impl FnOnce() -> Result<T, Unfit> + Send + 'static) -> Result<T, Unfit> {
    tokio::task::spawn_blocking(work).await.expect("reading a folder does not panic")
}

fn warning(text: String) -> Remark {
    Remark { kind: RemarkKind::Warning, text }
}

fn to_unfit(trouble: &Trouble, lang: Lang) -> Unfit {
    CompanionTrouble::Folder(to_said(trouble, lang)).to_unfit(lang)
}

fn to_said(trouble: &Trouble, lang: Lang) -> Said {
    enza_terminal::words::trouble::say(trouble, lang)
}
