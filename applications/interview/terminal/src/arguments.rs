//! What follows `enza form` and `enza interview`, as it was typed.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// What can be done with a form.
#[derive(Debug, Subcommand)]
pub enum FormCommand {
    Check(FormCheck),
    Convert(FormConvert),
    Example(FormExample),
}

/// Forms to check.
#[derive(Debug, Args)]
pub struct FormCheck {
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
}

/// A form to write otherwise.
#[derive(Debug, Args)]
pub struct FormConvert {
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    pub to: FormFormat,
    #[arg(long, value_name = "UI.json")]
    pub ui: Option<PathBuf>,
}

/// What a form can be written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FormFormat {
    Toml,
    Json,
    Schema,
}

/// A form that comes along.
#[derive(Debug, Args)]
pub struct FormExample {
    #[arg(value_name = "NAME", hide_possible_values = true)]
    pub name: ExampleForm,
}

/// The forms that come along.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExampleForm {
    VisitReport,
    IncidentReport,
    EventSignUp,
}

/// What can be done with an interview.
#[derive(Debug, Subcommand)]
pub enum InterviewCommand {
    Run(Box<InterviewRun>),
    Rehearse(Rehearse),
}

/// Whom to rehearse with.
#[derive(Debug, Args)]
pub struct Rehearse {
    #[arg(long, value_name = "DIR")]
    pub respondents: Option<PathBuf>,
    #[arg(long, value_name = "NAME")]
    pub only: Vec<String>,
}

/// How an interview is to be held.
#[derive(Debug, Args)]
pub struct InterviewRun {
    #[arg(value_name = "FORM", conflicts_with = "session")]
    pub form: Option<PathBuf>,
    #[arg(long, value_name = "LANGUAGE", conflicts_with = "session")]
    pub language: Option<String>,
    #[arg(long, value_name = "COUNTRY", conflicts_with = "session")]
    pub country: Option<String>,
    #[arg(long)]
    pub consent: bool,
    #[arg(long, value_name = "FILE")]
    pub answers: Option<PathBuf>,
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    #[arg(long)]
    pub yes: bool,
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    pub record: Option<PathBuf>,
    #[arg(long, value_name = "FILE")]
    pub replay: Option<PathBuf>,
}
