//! What follows from a typed order, and from an answer at a gate.

use std::io::Write as _;
use std::process;

use enza_applications::companion::work::{Finding, Prepared};
use enza_applications::companion::{Command, Pick, Scope, State};
use enza_kernel::gate::{Gate, Verdict};
use enza_kernel::time::Seq;
use enza_workshop::store::Store;

use super::asking::{self, Answer};
use super::keyboard::Input;
use super::talk::{On, Talk};
use super::typed::Word;
use super::{audit, gate, looks, opening};
use crate::backstage::{self, short};
use crate::surroundings;
use crate::trouble::Trouble;
use crate::words::companion::talk as words;

impl Talk<'_> {
    /// Does what was typed.
    pub(super) async fn obey(&mut self, word: Word, state: &State) -> Result<On, Trouble> {
        let screen = self.show.screen;
        let lang = screen.lang;
        let command = match word {
            Word::Empty => return Ok(On::Yes),
            Word::Quit => return Ok(On::No),
            Word::Say(text, when) => {
                self.say_to_it(text, when).await?;
                return Ok(On::Yes);
            }
            Word::Help => return self.told(&words::help(screen)),
            Word::Tasks => return self.told(&looks::tasks(screen, state)),
            Word::Turns => return self.told(&looks::turns(screen, state)),
            Word::Rules => return self.told(&looks::rules(screen, state)),
            Word::Mind => return self.told(&looks::mind(screen, state)),
            Word::Why => return self.told(&looks::why(screen, state)),
            Word::Context => return self.told(&looks::context(screen, state)),
            Word::Cost => return self.told(&looks::cost(screen, state)),
            Word::Model => return self.told(&words::model(lang, self.chosen)),
            Word::Unfit(order) => return self.told(&words::unfit(lang, &order)),
            Word::Unknown(order) => return self.told(&words::unknown(lang, &order)),
            Word::Export => return self.export().await,
            Word::Fork(turn) => return self.fork(turn).await,
            Word::Mode(mode) => Command::SetMode { mode },
            Word::Stop(task) => Command::Stop { task },
            Word::Back => Command::Background,
            Word::Front(task) => Command::Front { task },
            Word::Undo(turn) => match turn.or_else(|| looks::last_change(state)) {
                Some(turn) => Command::TakeBack { turn },
                None => return self.told(words::nothing_to_undo(lang)),
            },
            Word::Accept => Command::Accept,
            Word::Reset => Command::Reset,
            Word::Retry => Command::Retry,
            Word::Keep(rule) => Command::Remember { rule, scope: Scope::Session },
            Word::Forget(number) => Command::ForgetRule { place: number.wrapping_sub(1) },
            Word::Forbid(text) => Command::Forbid { text },
            Word::Lift(number) => Command::Lift { place: number.wrapping_sub(1) },
            Word::Budget(tokens) => Command::RaiseBudget { tokens },
            Word::Compact => Command::Compact,
        };
        let says_nothing = matches!(
            command,
            Command::Lift { .. }
                | Command::ForgetRule { .. }
                | Command::RaiseBudget { .. }
                | Command::Compact
                | Command::Background
                | Command::Front { .. }
        );
        if self.send(&command).await? && says_nothing {
            self.say(&self.show.note(words::done(lang)))?;
        }
        Ok(On::Yes)
    }

    fn told(&mut self, text: &str) -> Result<On, Trouble> {
        self.say(text)?;
        Ok(On::Yes)
    }

    async fn fork(&mut self, turn: u32) -> Result<On, Trouble> {
        let lang = self.show.screen.lang;
        let session = self.session.clone();
        match opening::fork_at(self.engine, &session, turn).await? {
            None => self.told(words::no_such_turn(lang)),
            Some(child) => {
                let seen = self.engine.row(&child).await?.head;
                self.say(&self.show.note(&words::forked(lang, short(&child), short(&session))))?;
                self.turn_to(child, seen);
                Ok(On::Yes)
            }
        }
    }

    /// Writes what happened to a file, secrets masked.
    async fn export(&mut self) -> Result<On, Trouble> {
        let events = self.engine.store().events(&self.session, Seq::START, usize::MAX).await?;
        let folder = backstage::companion_folder(self.around).join("exports");
        let path = folder.join(format!("{}.jsonl", self.session));
        let lines: String =
            audit::records(&events, self.show.screen.lang).iter().map(|one| format!("{one}\n")).collect();
        let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, lines));
        let told = match written {
            Ok(()) => words::exported(self.show.screen.lang, &path),
            Err(why) => format!("{}: {why}", path.display()),
        };
        self.told(&told)
    }

    /// Answers a gate.
    pub(super) async fn answer(&mut self, state: &State, gate: &Gate, answer: Answer) -> Result<(), Trouble> {
        let command = match answer {
            Answer::View => {
                self.say(&gate::show(self.show.screen, gate, usize::MAX))?;
                return Ok(());
            }
            Answer::Yes(scope) => asking::command(gate, Verdict::Yes, None, scope, Vec::new()),
            Answer::No(note) => asking::command(gate, Verdict::No, note, Scope::Once, Vec::new()),
            Answer::Hunks => match self.hunks(asking::prepared(state, gate)).await? {
                Some(picks) if picks.iter().all(|pick| pick.hunks.as_ref().is_some_and(Vec::is_empty)) => {
                    asking::command(gate, Verdict::No, None, Scope::Once, Vec::new())
                }
                Some(picks) => asking::command(gate, Verdict::Yes, None, Scope::Once, picks),
                None => return Ok(()),
            },
            Answer::Edit => match self.edited(asking::prepared(state, gate))? {
                Some(pick) => asking::command(gate, Verdict::Yes, None, Scope::Once, vec![pick]),
                None => return Ok(()),
            },
        };
        self.send(&command).await.map(drop)
    }

    /// Walks through the hunks of every file; none where the person gives it up.
    async fn hunks(&mut self, prepared: &[Prepared]) -> Result<Option<Vec<Pick>>, Trouble> {
        let lang = self.show.screen.lang;
        let mut picks = Vec::new();
        for (file, one) in prepared.iter().enumerate() {
            let hunks = asking::hunks(&one.diff);
            let is_whole = hunks.len() == one.hunks as usize && !one.findings.contains(&Finding::DiffCut);
            if hunks.is_empty() || !is_whole {
                self.say(&self.show.note(&words::not_by_hunks(lang, &one.change.path)))?;
                return Ok(None);
            }
            let mut taken = Vec::new();
            for (place, hunk) in hunks.iter().enumerate() {
                let head = words::hunk(lang, &one.change.path, place + 1, hunks.len());
                self.say(&self.show.screen.paint.strong(&head))?;
                self.say(gate::diff(self.show.screen, hunk, usize::MAX).trim_end())?;
                match self.yes_or_no(words::take_hunk(lang)).await? {
                    Some(true) => taken.push(place as u32 + 1),
                    Some(false) => {}
                    None => return Ok(None),
                }
            }
            picks.push(Pick { file: file as u32, hunks: Some(taken), content: None });
        }
        if picks.is_empty() {
            self.say(&self.show.note(words::nothing_to_pick(lang)))?;
            return Ok(None);
        }
        Ok(Some(picks))
    }

    async fn yes_or_no(&mut self, question: &str) -> Result<Option<bool>, Trouble> {
        loop {
            self.lay("", question);
            if !self.keyboard.draws() {
                self.show.screen.put(question)?;
            }
            match self.keyboard.next().await {
                Input::Line(line) => match asking::answer(&line) {
                    Some(Answer::Yes(Scope::Once)) => return Ok(Some(true)),
                    Some(Answer::No(None)) => return Ok(Some(false)),
                    _ => {}
                },
                Input::Interrupt | Input::Gone => return Ok(None),
            }
        }
    }

    /// The first file with the content that the person gives it in their editor; none where nothing came of it.
    fn edited(&mut self, prepared: &[Prepared]) -> Result<Option<Pick>, Trouble> {
        let lang = self.show.screen.lang;
        let [one] = prepared else {
            self.say(&self.show.note(words::one_file_only(lang)))?;
            return Ok(None);
        };
        let contents = backstage::contents_folder(self.around);
        let text = one.change.after.as_ref().and_then(|digest| {
            let bytes = Store::open(&contents, Store::MOST).ok()?.read(digest).ok()??;
            String::from_utf8(bytes).ok()
        });
        let Some(text) = text else {
            self.say(&self.show.note(words::no_content(lang)))?;
            return Ok(None);
        };
        let name = one.change.path.rsplit('/').next().unwrap_or("text").to_owned();
        match self.keyboard.lend(|| in_editor(&name, &text)) {
            Ok(edited) if edited == text => {
                self.say(&self.show.note(words::unedited(lang)))?;
                Ok(None)
            }
            Ok(edited) => Ok(Some(Pick { file: 0, hunks: None, content: Some(edited) })),
            Err(why) => {
                self.say(&self.show.note(&words::no_editor(lang, &why.to_string())))?;
                Ok(None)
            }
        }
    }
}

/// A text as a person leaves it in their editor, in a folder that nobody else may read.
fn in_editor(name: &str, text: &str) -> std::io::Result<String> {
    use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
    let set = |name: &&str| surroundings::variable(name)?.into_string().ok().filter(|one| !one.is_empty());
    let editor = ["VISUAL", "EDITOR"].iter().find_map(set);
    let editor = editor.unwrap_or_else(|| "vi".to_owned());
    let folder = std::env::temp_dir().join(format!("enza-{}", uuid::Uuid::now_v7().simple()));
    std::fs::DirBuilder::new().mode(0o700).create(&folder)?;
    let path = folder.join(name);
    let edited = (|| {
        let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        file.write_all(text.as_bytes())?;
        drop(file);
        let mut words = editor.split_whitespace();
        let program = words.next().unwrap_or("vi");
        let ended = process::Command::new(program).args(words).arg(&path).status()?;
        if !ended.success() {
            return Err(std::io::Error::other(format!("{program}: {ended}")));
        }
        std::fs::read_to_string(&path)
    })();
    let _ = std::fs::remove_dir_all(&folder);
    edited
}
