//! What follows `enza session`, as it was typed.

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum SessionCommand {
    List(SessionList),
    Open(SessionOpen),
    Talk(SessionTalk),
    Show(OneSession),
    Events(SessionEvents),
    Watch(SessionWatch),
    Export(SessionExport),
    Fork(SessionFork),
    Replay(OneSession),
    Delete(SessionDelete),
}

#[derive(Debug, Args)]
pub(crate) struct SessionList {
    #[arg(long, value_name = "NAME")]
    pub application: Option<String>,
    #[arg(long, value_name = "PHASE", value_parser = phase)]
    pub phase: Option<enza_kernel::application::Phase>,
    #[arg(long, value_name = "ID")]
    pub of: Option<String>,
    #[arg(long, value_name = "TEXT")]
    pub search: Option<String>,
    #[arg(long, value_name = "N", default_value_t = 20, hide_default_value = true)]
    pub limit: usize,
}

#[derive(Debug, Args)]
pub(crate) struct SessionOpen {
    #[arg(value_name = "APPLICATION")]
    pub application: String,
    #[arg(long, value_name = "NAME", conflicts_with = "command")]
    pub opening: Option<String>,
    #[arg(long, value_name = "JSON")]
    pub command: Option<String>,
    #[arg(long)]
    pub plain: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SessionTalk {
    #[arg(value_name = "ID")]
    pub id: String,
    #[arg(long)]
    pub plain: bool,
}

#[derive(Debug, Args)]
pub(crate) struct OneSession {
    #[arg(value_name = "ID")]
    pub id: String,
}

#[derive(Debug, Args)]
pub(crate) struct SessionEvents {
    #[arg(value_name = "ID")]
    pub id: String,
    #[arg(long, value_name = "SEQ", default_value_t = 0, hide_default_value = true)]
    pub after: u64,
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    #[arg(long)]
    pub raw: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SessionExport {
    #[arg(value_name = "ID")]
    pub id: String,
    #[arg(long)]
    pub raw: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SessionWatch {
    #[arg(value_name = "ID")]
    pub id: String,
    #[arg(long, value_name = "SEQ", default_value_t = 0, hide_default_value = true)]
    pub after: u64,
}

#[derive(Debug, Args)]
pub(crate) struct SessionFork {
    #[arg(value_name = "ID")]
    pub id: String,
    #[arg(long, value_name = "SEQ")]
    pub at: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct SessionDelete {
    #[arg(value_name = "ID")]
    pub id: String,
    #[arg(long)]
    pub yes: bool,
}

fn phase(word: &str) -> Result<enza_kernel::application::Phase, String> {
    enza_kernel::application::Phase::from_word(word).ok_or_else(|| "working, waiting, gate, stuck, ended".to_owned())
}
