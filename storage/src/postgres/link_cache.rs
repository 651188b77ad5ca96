//! The links of the heads that a writer has appended to, so that the next append of a session need not ask for its own.
//!
//! What is remembered may be out of date: a session may be deleted and its name used again. The statement compares the
//! link with the row's, so that an append on a wrong one is a conflict; it is then looked up and tried again.

use std::collections::HashMap;

use deadpool_postgres::Client;
use enza_kernel::time::Seq;
use enza_runtime::seams::store::{Append, SessionId};

use crate::checksum::{Link, read};
use crate::columns::{Columns, seq};
use crate::fault::{Fault, unexpected};

/// Sessions remembered, at most.
const MOST: usize = 50_000;

/// What one writer remembers.
#[derive(Debug, Default)]
pub(super) struct LinkCache {
    known: HashMap<SessionId, (Seq, Option<Link>)>,
}

impl LinkCache {
    /// Whether an append would be made on a link that was remembered.
    pub fn knows(&self, append: &Append) -> bool {
        append.opening.is_none() && self.known.get(&append.session).is_some_and(|(seq, _)| *seq == append.expected)
    }

    /// The link on which each append's events follow. Those that are not known are asked for, all at once.
    pub async fn before(&mut self, client: &Client, batch: &[&Append]) -> Result<Vec<Option<Link>>, Fault> {
        const ASK: &str = "SELECT id, head, link FROM sessions WHERE id = ANY ($1)";
        let unknown = |append: &&&Append| append.opening.is_none() && !self.knows(append);
        let asked: Vec<&str> = batch.iter().filter(unknown).map(|append| append.session.as_str()).collect();
        if !asked.is_empty() {
            let statement = client.prepare_cached(ASK).await?;
            for row in client.query(&statement, &[&asked]).await? {
                let link = read(row.maybe_bytes(2)?).map_err(|_| unexpected("a session's link is no checksum"))?;
                self.remember(&SessionId::of(row.text(0)?), seq(&row, 1)?, link);
            }
        }
        // On another head than the one decided on, it is a conflict whatever the link.
        let known = |append: &&Append| self.known.get(&append.session).and_then(|(_, link)| *link);
        Ok(batch.iter().map(|append| if append.opening.is_some() { None } else { known(append) }).collect())
    }

    /// Remembers the link of a session's head.
    pub fn remember(&mut self, session: &SessionId, head: Seq, link: Option<Link>) {
        if self.known.len() >= MOST {
            self.known.clear();
        }
        self.known.insert(session.clone(), (head, link));
    }

    /// Forgets a session's.
    pub fn forget(&mut self, session: &SessionId) {
        self.known.remove(session);
    }
}
