//! The one who calls, and what belongs to them.

use std::marker::PhantomData;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use enza_kernel::conversation::Digest;
use enza_kernel::time::Actor;
use enza_runtime::engine::SessionReading;
use enza_runtime::seams::register::Person;
use enza_runtime::seams::store::{SessionId, SessionRow};

use super::address::Address;
use super::need::{Need, Wants};
use super::onlooker::Onlooker;
use crate::problem::Problem;
use crate::state::AppState;

/// Someone who was let in.
#[derive(Debug, Clone)]
pub struct Caller {
    pub person: Arc<Person>,
    pub way: AuthMethod,
    /// From where, for the journal.
    pub from: Address,
}

/// How someone was let in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuthMethod {
    /// With a browser's cookie.
    Browser { digest: Digest },
    /// With a program's token.
    Token {
        /// Of the token.
        digest: Digest,
        scopes: Vec<String>,
    },
}

impl Caller {
    /// The name that sessions are owned by.
    pub fn name(&self) -> &str {
        &self.person.name
    }

    /// As the actor of a command.
    pub fn actor(&self) -> Actor {
        Actor::Person(self.person.name.clone())
    }

    /// Whether this caller may do what needs this.
    pub fn may(&self, need: Need) -> bool {
        let in_scope = match (&self.way, need.scope()) {
            (AuthMethod::Browser { .. }, _) => true,
            (AuthMethod::Token { scopes, .. }, Some(scope)) => scopes.iter().any(|one| one == scope),
            (AuthMethod::Token { .. }, None) => false,
        };
        let is_for_all = match need {
            Need::Read | Need::Write | Need::Keep => true,
            Need::Run | Need::Vouch => false,
        };
        in_scope && (is_for_all || self.person.is_admin)
    }

    /// One of the caller's own sessions, for what only an owner may do. Someone else's is not found: that it exists is
    /// nobody's business.
    pub async fn session(&self, app: &AppState, id: &str) -> Result<SessionRow, Problem> {
        let found = app.engine().store().find(&SessionId::of(id)).await?;
        found.filter(|row| row.owner == self.person.name).ok_or(Problem::NoSession)
    }

    /// A session that lets the caller in, and who they are in it.
    pub async fn session_as_reader(&self, app: &AppState, id: &str) -> Result<SessionReading, Problem> {
        Onlooker::of(self).session(app, id).await
    }
}

/// A caller who may do what the handler needs.
pub struct Allowed<N>(pub Caller, PhantomData<N>);

impl<N: Wants> FromRequestParts<AppState> for Allowed<N> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _house: &AppState) -> Result<Self, Problem> {
        let caller = parts.extensions.get::<Caller>().cloned().ok_or(Problem::NotSignedIn)?;
        if !caller.may(N::NEED) {
            return Err(Problem::NotAllowed(N::NEED));
        }
        Ok(Self(caller, PhantomData))
    }
}
