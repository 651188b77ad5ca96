//! What follows `enza companion`, as it was typed.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// How a session is to be held.
#[derive(Debug, Args)]
pub struct CompanionArgs {
    #[command(subcommand)]
    pub order: Option<CompanionCommand>,
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
    #[arg(short = 'p', long, value_name = "PROMPT")]
    pub prompt: Option<String>,
    #[arg(long, value_name = "RULE")]
    pub allow: Vec<String>,
    #[arg(long, conflicts_with = "accept_edits")]
    pub plan: bool,
    #[arg(long)]
    pub accept_edits: bool,
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u64).range(1..))]
    pub budget: Option<u64>,
    #[arg(long, requires = "prompt", conflicts_with_all = ["go_on", "resume", "fork"])]
    pub unattended: bool,
    #[arg(long = "continue", conflicts_with_all = ["resume", "fork"])]
    pub go_on: bool,
    #[arg(long, value_name = "ID", conflicts_with = "fork")]
    pub resume: Option<String>,
    #[arg(long, value_name = "ID@TURN")]
    pub fork: Option<String>,
    #[arg(long)]
    pub plain: bool,
    #[arg(long)]
    pub stream: bool,
    #[arg(long, conflicts_with_all = ["prompt", "go_on", "resume", "fork", "plain", "folder"])]
    pub acp: bool,
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    pub record: Option<PathBuf>,
    #[arg(long, value_name = "FILE")]
    pub replay: Option<PathBuf>,
}

/// What can be asked about sessions and folders instead.
#[derive(Debug, Subcommand)]
pub enum CompanionCommand {
    Audit(AuditArgs),
    Servers(ServersArgs),
}

/// The folder whose servers are to be tried.
#[derive(Debug, Args)]
pub struct ServersArgs {
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

/// The session whose operations are to be listed.
#[derive(Debug, Args)]
pub struct AuditArgs {
    #[arg(value_name = "ID")]
    pub id: String,
}
