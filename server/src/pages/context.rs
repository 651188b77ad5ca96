//! What every page knows: the house, who reads, and in which language.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use enza_kernel::text::Lang;
use maud::Markup;

use crate::access::Caller;
use crate::design::{self, Frame};
use crate::state::AppState;
use crate::words::Words;

/// Where a page is shown, and to whom. It lets anybody in; a page that needs more names it with `Allowed`.
pub struct PageContext {
    pub app: AppState,
    /// Who reads, if anyone is signed in.
    pub caller: Option<Caller>,
    /// The reader's words.
    pub words: Words,
}

impl PageContext {
    /// A page for this reader.
    pub fn page(&self, title: &str, body: &Markup) -> Markup {
        design::page(&self.frame(), title, body)
    }

    /// The frame around the pages of this reader.
    pub fn frame(&self) -> Frame<'_> {
        Frame { app: &self.app, caller: self.caller.as_ref(), words: self.words, invites: true }
    }

    /// What an application is called, to this reader.
    pub fn title_of<'a>(&self, application: &'a str) -> &'a str {
        self.app.about(application).title(self.lang())
    }

    /// The reader's language.
    pub fn lang(&self) -> Lang {
        self.words.0
    }
}

impl FromRequestParts<AppState> for PageContext {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, Infallible> {
        let lang = parts.extensions.get::<Lang>().copied().unwrap_or_default();
        Ok(Self { app: app.clone(), caller: parts.extensions.get::<Caller>().cloned(), words: Words(lang) })
    }
}
