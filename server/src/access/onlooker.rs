//! Whoever would like to look at a session: somebody who was let in, or anybody.
//!
//! What they are in it is the session's to say (`Application::reader`). Somebody who is nothing in it finds no session;
//! whoever is not signed in is told to sign in, whether or not there is one.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use enza_runtime::engine::SessionReading;
use enza_runtime::host::SessionState;
use enza_runtime::seams::store::SessionId;

use super::address::Address;
use super::caller::Caller;
use super::need::Need;
use crate::problem::Problem;
use crate::state::AppState;

/// Who looks.
#[derive(Debug, Clone)]
pub struct Onlooker {
    /// None where nobody is signed in.
    pub caller: Option<Caller>,
    /// From where.
    pub from: Address,
}

impl Onlooker {
    /// Somebody who was let in.
    pub fn of(caller: &Caller) -> Self {
        Self { caller: Some(caller.clone()), from: caller.from }
    }

    /// The name by which sessions know them.
    pub fn name(&self) -> Option<&str> {
        self.caller.as_ref().map(Caller::name)
    }

    /// Under what their open streams are counted: a person's together, and those of everybody else from one place.
    pub fn counted_as(&self) -> String {
        match (self.name(), self.from.network()) {
            (Some(name), _) => name.to_owned(),
            (None, Some(network)) => format!("~ {network}"),
            (None, None) => "~".to_owned(),
        }
    }

    /// A session, and who they are in it.
    pub async fn session(&self, app: &AppState, id: &str) -> Result<SessionReading, Problem> {
        self.found(app.engine().read_as(&SessionId::of(id), self.name()).await?)
    }

    /// The same, with the state as of its last event.
    pub async fn present(&self, app: &AppState, id: &str) -> Result<(SessionReading, Arc<dyn SessionState>), Problem> {
        self.found(app.engine().present_as(&SessionId::of(id), self.name()).await?)
    }

    /// What they are told where there is nothing for them: that is the same whether or not there is anything.
    pub fn found<T>(&self, session: Option<T>) -> Result<T, Problem> {
        session.ok_or(if self.caller.is_some() { Problem::NoSession } else { Problem::NotSignedIn })
    }
}

impl FromRequestParts<AppState> for Onlooker {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, Problem> {
        let caller = parts.extensions.get::<Caller>().cloned();
        if caller.as_ref().is_some_and(|caller| !caller.may(Need::Read)) {
            return Err(Problem::NotAllowed(Need::Read));
        }
        let Ok(from) = Address::from_request_parts(parts, app).await;
        Ok(Self { caller, from })
    }
}
