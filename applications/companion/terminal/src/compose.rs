//! Writing in one's own editor: something long to say, or the content of a file.
//!
//! The text stands in a folder that nobody else may read, and is gone afterwards. Only the editor's own end counts: one
//! that fails changes nothing.

use std::io::Write as _;
use std::process;

use enza_companion::When;
use enza_terminal::environment;
use enza_terminal::talk::GoesOn;
use enza_terminal::trouble::Trouble;

use super::talk::Talk;
use crate::words::talk as words;

/// What a message is called in the editor.
const MESSAGE: &str = "message.md";

impl Talk<'_> {
    /// Lets the person write what they are typing in their editor. It comes back to the line and is sent with Enter; where
    /// no line is drawn, it is sent.
    pub(super) async fn compose(&mut self) -> Result<GoesOn, Trouble> {
        let lang = self.show.screen.lang;
        let typed = self.console.keyboard.typed();
        match self.console.keyboard.lend(|| in_editor(MESSAGE, &typed, None)) {
            Ok(text) if self.console.keyboard.draws() => self.console.keyboard.put_back(text.trim_end()),
            Ok(text) if text.trim().is_empty() => {}
            Ok(text) => self.say_to_it(text.trim_end().to_owned(), When::Turn).await?,
            Err(why) => self.say(&self.show.note(&words::no_editor(lang, &why.to_string())))?,
        }
        Ok(GoesOn::Yes)
    }
}

/// A text as a person leaves it in their editor, opened at a line where the editor is known to take one.
pub fn in_editor(name: &str, text: &str, line: Option<u32>) -> std::io::Result<String> {
    use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
    let set = |name: &&str| environment::variable(name)?.into_string().ok().filter(|one| !one.trim().is_empty());
    let editor = ["VISUAL", "EDITOR"].iter().find_map(set).unwrap_or_else(|| "vi".to_owned());
    let folder = std::env::temp_dir().join(format!("enza-{}", uuid::Uuid::now_v7().simple()));
    std::fs::DirBuilder::new().mode(0o700).create(&folder)?;
    let path = folder.join(name);
    let edited = (|| {
        let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        file.write_all(text.as_bytes())?;
        drop(file);
        let mut words = editor.split_whitespace();
        let program = words.next().unwrap_or("vi");
        let mut command = process::Command::new(program);
        command.args(words).args(line.filter(|_| takes_a_line(program)).map(|line| format!("+{line}"))).arg(&path);
        let ended = command.status()?;
        if !ended.success() {
            return Err(std::io::Error::other(format!("{program}: {ended}")));
        }
        std::fs::read_to_string(&path)
    })();
    let _ = std::fs::remove_dir_all(&folder);
    edited
}

/// Whether an editor opens a file at `+LINE`.
fn takes_a_line(program: &str) -> bool {
    let name = program.rsplit('/').next().unwrap_or(program);
    ["vi", "vim", "nvim", "nano", "emacs", "emacsclient", "micro", "kak", "joe", "mg"].contains(&name)
}
