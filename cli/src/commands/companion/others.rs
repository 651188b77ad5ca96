//! The other sessions of a folder, by their names: what one may go on with, or fork.

use enza_applications::companion::Event;
use enza_kernel::time::Seq;
use enza_runtime::seams::store::{Filter, SessionRow};

use super::talk::{On, Talk};
use super::{COMPANION, follow};
use crate::backstage::{OWNER, short};
use crate::commands::session::when;
use crate::screen::Columns;
use crate::trouble::Trouble;
use crate::words::companion::looks as words;
use crate::words::sessions::phase;

/// How many are shown.
const SHOWN: usize = 20;
/// Among how many, the last changed first, those of the folder are looked for.
const LOOKED_AT: usize = 500;

impl Talk<'_> {
    /// Lists the sessions of this folder whose names have a text in them; all without one.
    pub(super) async fn others(&mut self, part: Option<String>) -> Result<On, Trouble> {
        let screen = self.show.screen;
        let rows = self.of_this_folder(part).await?;
        if rows.is_empty() {
            return self.tell(words::no_sessions(screen.lang));
        }
        let mut columns = Columns::bare();
        for row in &rows {
            let sign = if row.id == self.session { "*" } else { "" };
            columns.row([
                format!("{}{sign}", short(&row.id)),
                when(row.changed_at),
                phase(screen.lang, row.standing.phase).to_owned(),
                row.standing.title.clone(),
            ]);
        }
        let list = columns.lines(screen.width()).join("\n");
        let hint = crate::screen::fold(words::go_on_with(screen.lang), screen.width()).join("\n");
        self.told(&format!("{list}\n{}", screen.paint.faint(&hint)))
    }

    async fn of_this_folder(&self, part: Option<String>) -> Result<Vec<SessionRow>, Trouble> {
        let filter = Filter {
            application: Some(COMPANION.to_owned()),
            owner: Some(OWNER.to_owned()),
            title_part: part,
            limit: LOOKED_AT,
            ..Filter::default()
        };
        let store = self.engine.store();
        let mut found = Vec::new();
        for row in store.list(&filter).await? {
            let first = store.events(&row.id, Seq::START, 1).await?;
            let opened = first.first().and_then(follow::read).map(|entry| entry.event);
            let is_here = matches!(&opened, Some(Event::Opened(opened)) if self.folder == *opened.open.folder);
            if is_here {
                found.push(row);
            }
            if found.len() == SHOWN {
                break;
            }
        }
        Ok(found)
    }
}
