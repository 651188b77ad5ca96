//! A person's answer at a gate, carried out: yes, no, hunk by hunk, or with a content of their own.
//!
//! In the walk through the hunks, `e` opens the whole new file at that hunk; what the person leaves there is taken for the
//! file, whatever was picked of it before.

use enza_companion::{Companion, Pick, Scope, State};
use enza_kernel::gate::{Gate, Given, Verdict};
use enza_terminal::talk::Asked;
use enza_terminal::trouble::Trouble;
use enza_work::PreparedChange;
use enza_workshop::store::Store;

use super::compose::in_editor;
use super::gate_answer::{self, GateAnswer};
use super::talk::Talk;
use super::{full_diff, gate};
use crate::tools::contents_folder;
use crate::words::talk as words;

/// What is to become of a hunk.
enum HunkChoice {
    Taken,
    Left,
    Edited,
}

impl Talk<'_> {
    /// Answers a gate.
    pub(super) async fn answer(&mut self, state: &State, gate: &Gate, answer: GateAnswer) -> Result<(), Trouble> {
        let plain = |verdict, scope, note| Given { scope, ..Given::new(verdict, note) };
        let given = match answer {
            GateAnswer::View => return self.view(&gate_answer::prepared(state, gate), gate),
            GateAnswer::Yes(scope) => plain(Verdict::Yes, scope, None),
            GateAnswer::No(scope, note) => plain(Verdict::No, scope, note),
            GateAnswer::Hunks => match self.walk(state, gate).await? {
                Some(given) => given,
                None => return Ok(()),
            },
            GateAnswer::Edit => match gate_answer::prepared(state, gate)[..] {
                [(file, one)] => match self.edited(one, None)? {
                    Some(content) => {
                        let pick = Pick { file, hunks: None, content: Some(content) };
                        Given { picks: vec![pick], ..Given::new(Verdict::Yes, None) }
                    }
                    None => return Ok(()),
                },
                _ => {
                    let lang = self.show.screen.lang;
                    return self.say(&self.show.note(words::one_file_only(lang)));
                }
            },
        };
        let command = gate_answer::command(gate, given);
        self.send(&command).await.map(drop)
    }

    /// Shows everything that a yes would do, and says of which file something is missing.
    fn view(&mut self, prepared: &[(u32, &PreparedChange)], gate: &Gate) -> Result<(), Trouble> {
        let contents = contents_folder(self.around);
        let mut missing = Vec::new();
        let diffs = prepared.iter().map(|(_, one)| {
            full_diff::diff(&contents, &self.folder, one).unwrap_or_else(|| {
                missing.push(one.change.path.as_str());
                one.diff.clone()
            })
        });
        let diff: String = diffs.collect();
        let mut whole = gate.clone();
        whole.ask.diff = Some(diff).filter(|diff| !diff.is_empty());
        self.say(&gate::show(self.show.screen, &whole, usize::MAX))?;
        let lang = self.show.screen.lang;
        missing.iter().try_for_each(|path| self.say(&self.show.warning(&words::not_whole(lang, path))))
    }

    /// Walks through everything that is asked for: the hunks of every file, then each command and tool. None where the person
    /// gives it up; a no where nothing of it is taken.
    async fn walk(&mut self, state: &State, gate: &Gate) -> Result<Option<Given>, Trouble> {
        let (prepared, besides) = (gate_answer::prepared(state, gate), Companion::besides(state, gate));
        let Some(picks) = self.hunks(&prepared).await? else { return Ok(None) };
        if picks.is_empty() && besides.is_empty() {
            self.say(&self.show.note(words::nothing_to_pick(self.show.screen.lang)))?;
            return Ok(None);
        }
        let mut left = Vec::new();
        for one in &besides {
            match self.takes(&one.text).await? {
                Some(true) => {}
                Some(false) => left.push(one.place),
                None => return Ok(None),
            }
        }
        if picks.iter().all(takes_nothing) && left.len() == besides.len() {
            return Ok(Some(Given::new(Verdict::No, None)));
        }
        Ok(Some(Given { picks, left, ..Given::new(Verdict::Yes, None) }))
    }

    /// Walks through the hunks of every file; none where the person gives it up. A file without hunks to choose from is
    /// taken or left whole, and so is what is moved, is empty or is no text.
    async fn hunks(&mut self, prepared: &[(u32, &PreparedChange)]) -> Result<Option<Vec<Pick>>, Trouble> {
        let contents = contents_folder(self.around);
        let mut picks = Vec::new();
        for (file, one) in prepared {
            if !Companion::has_hunks(one) {
                let Some(takes) = self.takes_file(one).await? else { return Ok(None) };
                picks.push(Pick { file: *file, hunks: (!takes).then(Vec::new), content: None });
                continue;
            }
            let hunks =
                full_diff::diff(&contents, &self.folder, one).map(|diff| gate_answer::hunks(&diff)).unwrap_or_default();
            let pick = if hunks.len() == one.hunks as usize {
                self.pick(*file, one, &hunks).await?
            } else {
                self.pick_whole(*file, one).await?
            };
            let Some(pick) = pick else { return Ok(None) };
            picks.push(pick);
        }
        Ok(Some(picks))
    }

    /// Asks about a file that is taken or left as it is, with what would be seen of it; none where the person gives it up.
    async fn takes_file(&mut self, one: &PreparedChange) -> Result<Option<bool>, Trouble> {
        let (lang, change) = (self.show.screen.lang, &one.change);
        let file = match &change.to {
            Some(to) => words::moved_file(lang, &change.path, to),
            None if change.after.is_none() => words::deleted_file(lang, &change.path),
            None => change.path.clone(),
        };
        if !one.diff.is_empty() {
            self.say(gate::diff(self.show.screen, &one.diff, usize::MAX).trim_end())?;
        }
        self.takes(&file).await
    }

    /// Asks whether a command is run or a tool used, or a file taken as it is; none where the person gives it up.
    async fn takes(&mut self, operation: &str) -> Result<Option<bool>, Trouble> {
        self.say(&self.show.screen.paint.strong(operation))?;
        loop {
            match self.take(words::take_operation(self.show.screen.lang)).await? {
                Some(HunkChoice::Taken) => return Ok(Some(true)),
                Some(HunkChoice::Left) => return Ok(Some(false)),
                // There is nothing to edit in it.
                Some(HunkChoice::Edited) => {}
                None => return Ok(None),
            }
        }
    }

    /// Walks through the hunks of one file; none where the person gives it up.
    async fn pick(&mut self, file: u32, one: &PreparedChange, hunks: &[String]) -> Result<Option<Pick>, Trouble> {
        let lang = self.show.screen.lang;
        let mut taken = Vec::new();
        let mut place = 0;
        while let Some(hunk) = hunks.get(place) {
            let head = words::hunk(lang, &one.change.path, place + 1, hunks.len());
            self.say(&self.show.screen.paint.strong(&head))?;
            self.say(gate::diff(self.show.screen, hunk, usize::MAX).trim_end())?;
            match self.take(words::take_hunk(lang)).await? {
                Some(HunkChoice::Taken) => taken.push(place as u32 + 1),
                Some(HunkChoice::Left) => {}
                Some(HunkChoice::Edited) => match self.edited(one, gate_answer::first_line(hunk))? {
                    Some(content) => return Ok(Some(Pick { file, hunks: None, content: Some(content) })),
                    // Nothing came of it: the same hunk is asked about again.
                    None => continue,
                },
                None => return Ok(None),
            }
            place += 1;
        }
        Ok(Some(Pick { file, hunks: Some(taken), content: None }))
    }

    /// Asks about a file of which not all hunks can be shown; none where the person gives it up.
    async fn pick_whole(&mut self, file: u32, one: &PreparedChange) -> Result<Option<Pick>, Trouble> {
        let lang = self.show.screen.lang;
        self.say(&self.show.screen.paint.strong(&words::whole_file(lang, &one.change.path, one.added, one.removed)))?;
        loop {
            let taken = match self.take(words::take_file(lang)).await? {
                Some(HunkChoice::Taken) => None,
                Some(HunkChoice::Left) => Some(Vec::new()),
                Some(HunkChoice::Edited) => match self.edited(one, None)? {
                    Some(content) => return Ok(Some(Pick { file, hunks: None, content: Some(content) })),
                    None => continue,
                },
                None => return Ok(None),
            };
            return Ok(Some(Pick { file, hunks: taken, content: None }));
        }
    }

    /// Asks about a hunk; none where the person gives it up. What was typed before it was shown does not answer.
    async fn take(&mut self, question: &str) -> Result<Option<HunkChoice>, Trouble> {
        let shown = self.console.keyboard.mark();
        loop {
            self.console.stands("", question);
            self.console.lay();
            if !self.console.keyboard.draws() {
                self.show.screen.put(question)?;
            }
            match self.console.asked().await {
                Asked::Line(line) if line.at < shown => self.hold_back(&line.text)?,
                Asked::Line(line) => match gate_answer::parse_answer(&line.text) {
                    Some(GateAnswer::Yes(Scope::Once)) => return Ok(Some(HunkChoice::Taken)),
                    Some(GateAnswer::No(Scope::Once, None)) => return Ok(Some(HunkChoice::Left)),
                    Some(GateAnswer::Edit) => return Ok(Some(HunkChoice::Edited)),
                    Some(GateAnswer::Yes(_) | GateAnswer::No(..) | GateAnswer::Hunks | GateAnswer::View) | None => {}
                },
                Asked::Interrupt | Asked::Gone => return Ok(None),
                Asked::Ended => return Err(self.interrupted()),
            }
        }
    }

    /// The content that the person gives a file in their editor, at a line; none where nothing came of it.
    fn edited(&mut self, one: &PreparedChange, line: Option<u32>) -> Result<Option<String>, Trouble> {
        let lang = self.show.screen.lang;
        let contents = contents_folder(self.around);
        let text = one.change.after.as_ref().and_then(|digest| {
            let bytes = Store::open(&contents, Store::MOST).ok()?.read(digest).ok()??;
            String::from_utf8(bytes).ok()
        });
        let Some(text) = text else {
            self.say(&self.show.note(words::no_content(lang)))?;
            return Ok(None);
        };
        let name = one.change.path.rsplit('/').next().unwrap_or("text").to_owned();
        match self.console.keyboard.lend(|| in_editor(&name, &text, line)) {
            Ok(edited) if edited == text => {
                self.say(&self.show.note(words::unedited(lang)))?;
                Ok(None)
            }
            Ok(edited) => Ok(Some(edited)),
            Err(why) => {
                self.say(&self.show.note(&words::no_editor(lang, &why.to_string())))?;
                Ok(None)
            }
        }
    }
}

/// Whether nothing of a file is taken.
fn takes_nothing(pick: &Pick) -> bool {
    pick.content.is_none() && pick.hunks.as_ref().is_some_and(Vec::is_empty)
}
