//! What was typed, as it was typed: plain values, nothing looked up.
//!
//! What each word means to a person stands in `words/help.rs`, in both languages; a test there walks this tree and
//! insists that nothing is missing. Turning these values into folders and stores belongs to `environment`; what follows
//! an application's own orders, to that application.

mod session;

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args, CommandFactory as _, Parser, Subcommand, ValueEnum};
use enza_kernel::text::Lang;

use crate::applications::Applications;

pub(crate) use session::{
    SessionCommand, SessionDelete, SessionEvents, SessionExport, SessionFork, SessionList, SessionOpen, SessionTalk,
    SessionWatch,
};

#[derive(Debug, Parser)]
#[command(
    name = "enza",
    version,
    disable_help_subcommand = true,
    disable_help_flag = true,
    disable_version_flag = true
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub everywhere: GlobalArgs,
    #[command(subcommand)]
    pub order: Option<CliCommand>,
}

/// Where the orders of applications stand among ours in a list: after those that begin something.
const FIRST_OF_APPLICATIONS: usize = 10;
/// And where the rest of ours stands.
const AFTER_APPLICATIONS: usize = 100;

/// The tree of commands, with the orders of these applications.
pub(crate) fn command(applications: &Applications) -> clap::Command {
    let ours = Arguments::command();
    let names: Vec<String> = ours.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    let first = names.iter().position(|name| name == "account").map_or(0, |place| place + 1);
    let ours = names.into_iter().enumerate().fold(ours, |command, (place, name)| {
        let order = if place < first { place } else { AFTER_APPLICATIONS + place };
        command.mut_subcommand(name, |sub| sub.display_order(order))
    });
    let theirs = applications.parts().flat_map(|part| part.orders());
    theirs
        .enumerate()
        .fold(ours, |command, (place, order)| command.subcommand(order.display_order(FIRST_OF_APPLICATIONS + place)))
}

#[derive(Debug, Default, Args)]
pub(crate) struct GlobalArgs {
    #[arg(long, global = true, value_name = "DIR")]
    pub data: Option<PathBuf>,
    #[arg(long, global = true, value_name = "URL")]
    pub database: Option<String>,
    #[arg(long, global = true, value_name = "HOW", hide_possible_values = true)]
    pub durability: Option<Durability>,
    #[arg(long = "model", global = true, value_name = "MODEL")]
    pub model_wanted: Option<String>,
    #[arg(long, global = true, value_name = "LANG")]
    pub lang: Option<Lang>,
    #[arg(long, global = true)]
    pub json: bool,
    #[arg(long, global = true)]
    pub quiet: bool,
    #[arg(long, global = true)]
    pub no_color: bool,
    #[arg(short, long, global = true, action = ArgAction::Help)]
    pub help: Option<bool>,
    #[arg(short = 'V', long, action = ArgAction::Version)]
    pub version: Option<bool>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Durability {
    Full,
    Normal,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CliCommand {
    Serve(Serve),
    Tour,
    #[command(subcommand)]
    Account(AccountCommand),
    #[command(subcommand)]
    Session(SessionCommand),
    #[command(subcommand)]
    Model(ModelCommand),
    Prompt(PromptArgs),
    Moves(MovesArgs),
    Usage(UsageArgs),
    Doctor(Doctor),
    Backup(BackupArgs),
    Restore(RestoreArgs),
    Simulate(Simulate),
    Drill(Drill),
}

impl CliCommand {
    /// Whether it minds the signal to stop itself, and ends in order.
    pub fn stops_by_itself(&self) -> bool {
        matches!(self, Self::Serve(_) | Self::Session(SessionCommand::Open(_) | SessionCommand::Talk(_)))
    }
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    #[arg(long, value_name = "ADDRESS", default_value = DEFAULT_LISTEN, hide_default_value = true)]
    pub listen: String,
    #[arg(long)]
    pub accounts: bool,
    #[arg(long, value_name = "URL")]
    pub public: Option<String>,
    #[arg(long, value_name = "FORM", default_value = "human", hide_default_value = true, hide_possible_values = true)]
    pub log: LogForm,
    #[arg(long, value_name = "LEVEL")]
    pub log_level: Option<String>,
    #[arg(long, value_name = "URL")]
    pub traces: Option<String>,
    #[arg(long)]
    pub webhooks_to_private: bool,
    #[arg(long, value_name = "ADDRESS")]
    pub proxy: Vec<String>,
    #[arg(long, value_name = "NUMBER")]
    pub connections: Option<usize>,
    #[arg(long, value_name = "NUMBER")]
    pub connections_per_address: Option<usize>,
}

/// Where the server listens where nothing else was said.
pub(crate) const DEFAULT_LISTEN: &str = "127.0.0.1:7878";

impl Default for Serve {
    /// As if nothing had been typed after `serve`.
    fn default() -> Self {
        Self {
            listen: DEFAULT_LISTEN.to_owned(),
            accounts: false,
            public: None,
            log: LogForm::Human,
            log_level: None,
            traces: None,
            webhooks_to_private: false,
            proxy: Vec::new(),
            connections: None,
            connections_per_address: None,
        }
    }
}

/// How log lines are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogForm {
    Human,
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AccountCommand {
    Link(AccountLink),
}

#[derive(Debug, Args)]
pub(crate) struct AccountLink {
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    #[arg(long, value_name = "URL")]
    pub public: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelCommand {
    List,
    Use(ModelUse),
    Pull(ModelPull),
    Test(ModelTest),
    Remove(ModelRemove),
}

#[derive(Debug, Args)]
pub(crate) struct ModelUse {
    #[arg(value_name = "MODEL")]
    pub name: String,
}

#[derive(Debug, Args)]
pub(crate) struct ModelPull {
    #[arg(value_name = "small|default|OWNER/REPO/FILE", default_value = "default", hide_default_value = true)]
    pub what: String,
}

#[derive(Debug, Args)]
pub(crate) struct ModelTest {
    #[arg(value_name = "MODEL")]
    pub name: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ModelRemove {
    #[arg(value_name = "NAME")]
    pub name: String,
    #[arg(long)]
    pub yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PromptArgs {
    #[arg(value_name = "ID")]
    pub id: String,
    #[arg(value_name = "SEQ")]
    pub seq: u64,
    #[arg(long)]
    pub raw: bool,
}

#[derive(Debug, Args)]
pub(crate) struct MovesArgs {
    #[arg(value_name = "APPLICATION")]
    pub application: String,
}

#[derive(Debug, Args)]
pub(crate) struct Doctor {
    #[arg(long)]
    pub deep: bool,
    #[arg(long)]
    pub accept_log_loss: bool,
    #[arg(long)]
    pub begin_anew: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BackupArgs {
    #[arg(value_name = "FILE")]
    pub to: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct RestoreArgs {
    #[arg(value_name = "FILE")]
    pub from: PathBuf,
    #[arg(long)]
    pub replace: bool,
}

#[derive(Debug, Args)]
pub(crate) struct UsageArgs {
    #[arg(long, value_name = "WHAT", default_value = "day", hide_default_value = true, hide_possible_values = true)]
    pub by: UsageBy,
    #[arg(long, value_name = "N", default_value_t = 30, hide_default_value = true,
          value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub days: u32,
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
}

/// What usage is summed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum UsageBy {
    Day,
    Model,
    Application,
    Session,
}

impl UsageBy {
    /// As it is typed, and named in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Model => "model",
            Self::Application => "application",
            Self::Session => "session",
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Simulate {
    #[arg(long, value_name = "N", conflicts_with = "seed", value_parser = clap::value_parser!(u64).range(1..))]
    pub seeds: Option<u64>,
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    #[arg(long, value_name = "SEED", conflicts_with = "seed")]
    pub from: Option<u64>,
    #[arg(long, value_name = "N", conflicts_with_all = ["seed", "seeds"], value_parser = minutes)]
    pub minutes: Option<Duration>,
    #[arg(long, value_name = "NAME")]
    pub application: Option<String>,
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Drill {
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=9_999))]
    pub sessions: u32,
    #[arg(long, value_name = "R", default_value_t = 1, hide_default_value = true)]
    pub rounds: u32,
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,
}

/// The longest that one may be asked to wait, in minutes: a week.
const LONGEST: f64 = 7.0 * 24.0 * 60.0;

fn minutes(word: &str) -> Result<Duration, String> {
    let minutes = word.parse::<f64>().ok().filter(|minutes| *minutes > 0.0 && *minutes <= LONGEST);
    minutes.map(|minutes| Duration::from_secs_f64(minutes * 60.0)).ok_or_else(|| format!("0.1 … {LONGEST}"))
}
