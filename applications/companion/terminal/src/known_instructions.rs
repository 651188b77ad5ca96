//! What the model was last told of the user's and the project's instructions, and what is new about them when a person speaks.
//!
//! They stand in every prompt as they were when the session was opened. One that appeared, changed or went since then is
//! handed over with what is said next, like a file that is named: so it is in the log, and the model reads it before it
//! does anything about the word. What was handed over earlier, also by another process, is looked up in the log once.

use std::collections::BTreeMap;
use std::path::Path;

use enza_companion::{Attached, Companion, Event, Instruction, State};
use enza_kernel::text::Lang;
use enza_kernel::time::Seq;
use enza_runtime::engine::Engine;
use enza_runtime::seams::store::{Recorded, SessionId};
use enza_terminal::trouble::Trouble;

use super::instructions;
use crate::words;

/// What was handed over, by path; none before it was first asked for.
#[derive(Debug, Default)]
pub struct KnownInstructions(Option<BTreeMap<String, String>>);

impl KnownInstructions {
    /// What is new since it was last handed over, to go with what is said.
    pub async fn news(
        &mut self,
        config: &Path,
        engine: &Engine,
        session: &SessionId,
        state: &State,
        lang: Lang,
    ) -> Result<Vec<Attached>, Trouble> {
        let now = instructions::of(config, Path::new(&state.folder), lang);
        let known = match self.0.take() {
            Some(known) => known,
            None => handed_over(engine, session, state).await?,
        };
        let news = news(&known, &now, lang);
        self.0 = Some(known);
        Ok(news)
    }

    /// It was handed over.
    pub fn took(&mut self, news: &[Attached]) {
        let known = self.0.get_or_insert_default();
        known.extend(news.iter().map(|one| (one.path.clone(), one.text.clone())));
    }
}

/// How the session was opened, and what was handed over since.
async fn handed_over(engine: &Engine, session: &SessionId, state: &State) -> Result<BTreeMap<String, String>, Trouble> {
    let mut known = by_path(&state.instructions);
    let events = engine.store().events(session, Seq::START, usize::MAX).await?;
    for entry in events.iter().flat_map(Recorded::entry::<Companion>) {
        if let Event::Heard { files, .. } | Event::Queued { files, .. } = entry.event {
            known.extend(
                files.into_iter().filter(|file| instructions::is_one(&file.path)).map(|file| (file.path, file.text)),
            );
        }
    }
    Ok(known)
}

fn by_path(instructions: &[Instruction]) -> BTreeMap<String, String> {
    instructions.iter().map(|one| (one.path.clone(), one.text.clone())).collect()
}

/// What differs now from what is known: as it was when the session was opened, or as it was handed over.
fn news(known: &BTreeMap<String, String>, now: &[Instruction], lang: Lang) -> Vec<Attached> {
    let changed = now.iter().filter_map(|one| {
        let text = format!("{}\n{}", words::instructions_changed(lang), one.text);
        let is_known = known.get(&one.path).is_some_and(|known| *known == one.text || *known == text);
        (!is_known).then(|| Attached { path: one.path.clone(), text })
    });
    let gone = known.iter().filter_map(|(path, known)| {
        let text = words::instructions_gone(lang);
        let is_news = known != text && now.iter().all(|one| one.path != *path);
        is_news.then(|| Attached { path: path.clone(), text: text.to_owned() })
    });
    changed.chain(gone).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now(told: &[(&str, &str)]) -> Vec<Instruction> {
        told.iter().map(|(path, text)| Instruction { path: (*path).to_owned(), text: (*text).to_owned() }).collect()
    }

    #[test]
    fn what_appeared_changed_or_went_is_news_once() {
        let opened = now(&[("AGENTS.md", "all"), ("web/AGENTS.md", "web")]);
        let mut instructed = KnownInstructions(Some(by_path(&opened)));
        let mut told = |now: &[Instruction]| -> Vec<(String, String)> {
            let news = news(instructed.0.as_ref().unwrap(), now, Lang::En);
            instructed.took(&news);
            news.into_iter().map(|one| (one.path, one.text)).collect()
        };
        let changed =
            |path: &str, text: &str| (path.to_owned(), format!("{}\n{text}", words::instructions_changed(Lang::En)));
        let gone = |path: &str| (path.to_owned(), words::instructions_gone(Lang::En).to_owned());
        assert_eq!(told(&opened), []);
        let later = now(&[("AGENTS.md", "all of it"), ("api/CLAUDE.md", "api")]);
        let news = [changed("AGENTS.md", "all of it"), changed("api/CLAUDE.md", "api"), gone("web/AGENTS.md")];
        assert_eq!(told(&later), news);
        assert_eq!(told(&later), []);
        // As it was at first is news, too.
        let back = [changed("AGENTS.md", "all"), changed("web/AGENTS.md", "web"), gone("api/CLAUDE.md")];
        assert_eq!(told(&opened), back);
        assert_eq!(told(&opened), []);
    }
}
