//! The other sessions of a folder, by their names or by what was said in them: what one may go on with, or fork.

use enza_companion::{Companion, Event};
use enza_kernel::time::Seq;
use enza_runtime::seams::store::Filter;
use enza_terminal::commands::session::search::{self, MOST_EVENTS, MOST_SESSIONS, SearchHit, SearchOutcome};
use enza_terminal::commands::session::when;
use enza_terminal::screen::Columns;
use enza_terminal::setup::{OWNER, short_id};
use enza_terminal::talk::GoesOn;
use enza_terminal::trouble::Trouble;
use enza_terminal::words::sessions::{found_in, not_all_searched, phase};

use super::COMPANION;
use super::talk::Talk;
use crate::words::lists as words;

/// How many are shown.
const SHOWN: usize = 20;
/// Among how many, the last changed first, those of the folder are looked for.
const LOOKED_AT: usize = 500;

impl Talk<'_> {
    /// Lists the sessions of this folder which are called so or in which it was said; all without a text.
    pub(super) async fn others(&mut self, part: Option<String>) -> Result<GoesOn, Trouble> {
        let screen = self.show.screen;
        let (found, is_whole) = self.of_this_folder(part.as_deref()).await?;
        if !is_whole {
            let told = not_all_searched(screen.lang, MOST_SESSIONS, MOST_EVENTS);
            self.say(&self.show.note(&told))?;
        }
        if found.is_empty() {
            return self.tell(words::no_sessions(screen.lang));
        }
        let mut columns = Columns::bare();
        for SearchHit { row, line } in &found {
            let sign = if row.id == self.session { "*" } else { "" };
            columns.row([
                format!("{}{sign}", short_id(&row.id)),
                when(row.changed_at),
                phase(screen.lang, row.standing.phase).to_owned(),
                found_in(&row.standing.title, line.as_deref()),
            ]);
        }
        let list = columns.lines(screen.width()).join("\n");
        let hint = enza_terminal::screen::fold(words::go_on_with(screen.lang), screen.width()).join("\n");
        self.told(&format!("{list}\n{}", screen.paint.faint(&hint)))
    }

    /// The sessions of this folder, and whether everything was looked at.
    async fn of_this_folder(&self, part: Option<&str>) -> Result<(Vec<SearchHit>, bool), Trouble> {
        let filter = Filter {
            application: Some(COMPANION.to_owned()),
            owner: Some(OWNER.to_owned()),
            limit: LOOKED_AT,
            ..Filter::default()
        };
        let store = self.engine.store();
        let (mut found, mut looked_into, mut is_whole) = (Vec::new(), 0, true);
        for row in store.list(&filter).await? {
            if found.len() == SHOWN {
                break;
            }
            let first = store.events(&row.id, Seq::START, 1).await?;
            let opened = first.first().and_then(|first| first.event::<Companion>().ok());
            if !matches!(&opened, Some(Event::Opened(opened)) if self.folder == *opened.open.folder) {
                continue;
            }
            let Some(text) = part.filter(|text| !search::is_called(&row, text)) else {
                found.push(SearchHit { row, line: None });
                continue;
            };
            if looked_into == MOST_SESSIONS {
                is_whole = false;
                continue;
            }
            looked_into += 1;
            match search::search_session(&self.around.applications, self.engine, &row, text, self.show.screen.lang)
                .await?
            {
                SearchOutcome::Said(line) => found.push(SearchHit { row, line: Some(line) }),
                SearchOutcome::Nowhere => {}
                SearchOutcome::NotSoFar => is_whole = false,
            }
        }
        Ok((found, is_whole))
    }
}
