//! What respondents do: people without an account, who come by a link and come back by a ticket.
//!
//! A respondent's interview belongs to the form and counts for the form's owner. The ticket names the interview and
//! brings a secret of which the interview keeps the digest; whoever has the ticket is the respondent, and nobody else
//! is. Nothing that a respondent reaches shows what only the owner may see.

use std::collections::BTreeMap;
use std::fmt;

use enza_applications::forms::{AskLocale, Command as FormCommand, Link, Published, Welcome};
use enza_applications::interview::{Bootstrap, Command, DeliveryWay, Open, State};
use enza_kernel::conversation::Digest;
use enza_kernel::time::Actor;
use enza_runtime::engine::{Receipt, Submission};
use enza_runtime::host::Refused;
use enza_runtime::seams::store::{Opening, SessionRow};
use serde_json::json;

use crate::acts::Once;
use crate::acts::forms::{self, Held, LinkTo, draw_token};
use crate::house::House;
use crate::problem::Problem;

/// The respondent's name in the log. No account can have it.
pub const RESPONDENT: &str = "~respondent";
const INTERVIEW: &str = "interview";
const SECRET: usize = 22;

/// What a respondent brings to the first question.
#[derive(Debug, Clone, Default)]
pub struct Arrival {
    /// What the browser tells of where the respondent is at home.
    pub bootstrap: Bootstrap,
    /// Whether the respondent agreed to the consent text.
    pub consented: bool,
    /// What the address fills in, by field id; what the link fills in goes first.
    pub prefill: BTreeMap<String, String>,
}

/// What lets a respondent back in.
#[derive(Clone, PartialEq, Eq)]
pub struct Ticket(LinkTo);

/// A respondent's interview.
#[derive(Debug)]
pub struct Guest {
    /// The ticket it was found by.
    pub ticket: Ticket,
    /// The session.
    pub row: SessionRow,
    /// Its state.
    pub state: State,
}

/// Begins an interview by a link: the form admits it, then it is opened. The same `once` gives the same interview.
pub async fn begin(house: &House, link: &LinkTo, arrival: Arrival, once: Once) -> Result<Ticket, Problem> {
    let session = once.session();
    let Held { row, state } = forms::behind(house, link).await?;
    let welcome = state.welcome(&link.token, Some(session.as_str()), house.now()).map_err(refused)?;
    let (published, way_in) = match welcome {
        Welcome::New { published, link } => (published, Some(link)),
        // Admitted before, and perhaps not opened: with the version that is published now.
        Welcome::Again => (state.published().ok_or(Problem::NothingHere)?, state.links().get(&link.token)),
    };
    let secret = secret_of(once);
    let open = opening(&state, published, way_in, arrival, &secret);
    let admit = FormCommand::Admit { token: link.token.clone(), session: session.to_string() };
    forms::tell(house, &row.id, &admit, format!("admit-{session}")).await?;
    let submission = Submission {
        command: json!(Command::Open(Box::new(open))),
        by: respondent(),
        key: Some(format!("open-{session}")),
    };
    let whose = Opening::new(INTERVIEW, &row.owner).of(&row.id);
    house.engine().open(&session, whose, submission).await?;
    Ok(Ticket(LinkTo { form: session, token: secret }))
}

impl Guest {
    /// The interview behind a ticket. A ticket that does not fit finds nothing, whatever is wrong with it.
    pub async fn find(house: &House, ticket: &str) -> Result<Self, Problem> {
        let ticket = Ticket(ticket.parse().map_err(|_| Problem::NothingHere)?);
        let found = house.engine().present(&ticket.0.form).await;
        let (row, live) = found.map_err(|_| Problem::NothingHere)?;
        if row.application != INTERVIEW {
            return Err(Problem::NothingHere);
        }
        let state: State = serde_json::from_slice(&live.freeze()).map_err(|_| Problem::Bug)?;
        // Digests are compared: how far they agree says nothing about the secret.
        if state.key() != Some(ticket.digest().to_string().as_str()) {
            return Err(Problem::NothingHere);
        }
        Ok(Self { ticket, row, state })
    }

    /// Sends an order of the respondent's.
    pub async fn order(&self, house: &House, command: &Command, once: Once) -> Result<Receipt, Problem> {
        let submission = Submission { command: json!(command), by: respondent(), key: once.key() };
        Ok(house.engine().submit(&self.row.id, submission).await?)
    }
}

impl Ticket {
    fn digest(&self) -> Digest {
        Digest::of(self.0.token.as_bytes())
    }
}

impl fmt::Display for Ticket {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl fmt::Debug for Ticket {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Ticket({}, …)", self.0.form)
    }
}

fn opening(
    form: &enza_applications::forms::State,
    published: &Published,
    link: Option<&Link>,
    arrival: Arrival,
    secret: &str,
) -> Open {
    let mut prefill = arrival.prefill;
    prefill.extend(link.map(|link| link.prefill.clone()).unwrap_or_default());
    Open {
        form: (*published.form).clone(),
        version: Some(published.version),
        budget: form.rules().budget,
        bootstrap: match form.rules().locale {
            AskLocale::Ask => Bootstrap::default(),
            AskLocale::Infer => arrival.bootstrap,
        },
        consented: arrival.consented,
        prefill,
        delivery: DeliveryWay::UntilItArrives,
        key: Some(Digest::of(secret.as_bytes()).to_string()),
    }
}

/// Asking twice for the same interview must give the same ticket, so its secret follows from the one name of the
/// request. That has in it what the browser drew; the interview's own name is another part of it.
fn secret_of(once: Once) -> String {
    match once.key() {
        Some(name) => Digest::of(format!("ticket:{name}").as_bytes()).to_string().chars().take(SECRET).collect(),
        None => draw_token(SECRET),
    }
}

fn respondent() -> Actor {
    Actor::Person(RESPONDENT.to_owned())
}

fn refused(refusal: enza_applications::forms::Refusal) -> Problem {
    Problem::Refused(Refused::from_reason(&refusal))
}
