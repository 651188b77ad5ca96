//! Forms and interviews at a terminal: `enza form` and `enza interview`, and what else of interviews the frame asks for.
//!
//! The rules are the application's; screen, engine and files are the frame's. Here is what a form looks like in lines,
//! what typed lines mean, where submissions are put, and the scripts of the tour and of crash tests.

mod arguments;
mod delivery;
mod drill;
mod form;
mod rehearse;
mod run;
mod tour;
mod trouble;
mod words;

pub use drill::InterviewDrill;
pub use tour::InterviewTour;

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use clap::{ArgMatches, Command, FromArgMatches as _, Subcommand as _};
use enza_interview::{DELIVER, Interview};
use enza_interview_web::InterviewWeb;
use enza_kernel::text::Lang;
use enza_kernel::words::Catalogue;
use enza_runtime::host::SessionState;
use enza_runtime::seams::store::Store;
use enza_runtime::seams::tools::ToolRegistry;
use enza_server::part::WebPart;
use enza_terminal::environment::Environment;
use enza_terminal::part::{Serving, SessionDetails, TerminalPart, ToolSet};
use enza_terminal::screen::{Columns, Screen};
use enza_terminal::trouble::Trouble;

use arguments::{FormCommand, InterviewCommand};
use delivery::Outbox;

/// The words of the two orders.
const FORM: &str = "form";
const INTERVIEW: &str = "interview";

/// The orders, and what is told of interviews.
pub struct InterviewTerminal;

#[async_trait(?Send)]
impl TerminalPart for InterviewTerminal {
    fn orders(&self) -> Vec<Command> {
        let needs_more = |name: &'static str| Command::new(name).subcommand_required(true).arg_required_else_help(true);
        vec![
            FormCommand::augment_subcommands(needs_more(FORM)),
            InterviewCommand::augment_subcommands(needs_more(INTERVIEW)),
        ]
    }

    fn help(&self) -> &'static Catalogue {
        &words::CATALOGUE
    }

    async fn run(
        &self,
        around: &Environment,
        screen: &Screen,
        order: &str,
        matches: &ArgMatches,
    ) -> Result<(), Trouble> {
        let wrong = |error| Trouble::Usage(Box::new(error));
        if order == FORM {
            return form::run(screen, FormCommand::from_arg_matches(matches).map_err(wrong)?);
        }
        match InterviewCommand::from_arg_matches(matches).map_err(wrong)? {
            InterviewCommand::Run(order) => run::run(around, screen, *order).await,
            InterviewCommand::Rehearse(order) => rehearse::run(around, screen, order).await,
        }
    }

    fn begins(&self) -> Option<&'static str> {
        Some("enza interview run")
    }

    fn resumes(&self, session: &str) -> Option<String> {
        Some(resumes(session))
    }

    fn details(&self, lang: Lang, state: &dyn SessionState) -> Option<SessionDetails> {
        let state = state.typed::<Interview>()?;
        let (done, of) = state.progress();
        let values = state.values();
        let mut rows = Columns::bare();
        for (_, record) in state.fields() {
            let value = values.get(record.id()).copied().unwrap_or_default();
            rows.row([record.id().to_owned(), record.at().to_owned(), value.to_owned()]);
        }
        Some(SessionDetails { progress: run::progress(state), head: words::interview::progress(lang, done, of), rows })
    }
}

/// The command that goes on with an interview.
fn resumes(session: &str) -> String {
    format!("enza interview run --session {session}")
}

/// Where submissions are put: the tools of interviews.
pub fn tools(around: &Environment, _store: &Arc<dyn Store>) -> Arc<dyn ToolSet> {
    Arc::new(Deliveries(outbox(around)))
}

/// The part of a server.
pub fn web(_serving: Serving) -> Arc<dyn WebPart> {
    Arc::new(InterviewWeb)
}

/// The folder where submissions are put.
fn outbox(around: &Environment) -> PathBuf {
    around.data.join("outbox")
}

struct Deliveries(PathBuf);

impl ToolSet for Deliveries {
    fn add_to(&self, registry: ToolRegistry) -> ToolRegistry {
        registry.with(DELIVER, Arc::new(Outbox { folder: self.0.clone() }))
    }
}
