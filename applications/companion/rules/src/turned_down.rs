//! What a person turned down in a task: it is not asked for again until they bring it up themselves.
//!
//! The same is what comes to the same: a change by what the file would hold, a command by its words, a tool by what it is
//! given, what a command was kept from reading by its path. Another wording of an edit is another proposal, and may be asked
//! for. What a person says brings something up where it names the file, the command or the tool, or speaks of what was
//! turned down.

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization as _;

use super::batch::Batch;
use super::consent::is_change;
use super::flow::closed_paths;
use super::task::Task;
use enza_work::Fault;

/// How many are remembered in a task.
pub(super) const MOST: usize = 50;

/// Words with which a person comes back to what they turned down.
const COMES_BACK: [&str; 16] = [
    "やっぱり",
    "やはり",
    "もう一度",
    "もういちど",
    "再度",
    "さっきの",
    "先ほどの",
    "断った",
    "拒否した",
    "見送った",
    "after all",
    "again",
    "go ahead",
    "i refused",
    "i declined",
    "i left out",
];

/// Something that was turned down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnedDown {
    mark: String,
    /// The files, the command or the tool, by which a person would speak of it.
    names: Vec<String>,
}

impl TurnedDown {
    /// The want at this place of a batch, as it would be turned down.
    pub(super) fn of(task: &Task, batch: &Batch, place: usize) -> Option<Self> {
        let want = batch.wants.get(place)?;
        // Where a command was kept from reading something, that is what was refused, and not the command.
        if let Some((path, Fault::KeptFrom { .. })) = closed_paths::closed(batch, place) {
            return Some(Self { mark: format!("read {path}"), names: vec![path.to_owned()] });
        }
        if !is_change(want.operation) {
            let given = task.action(place as u32).map(|action| action.arguments.clone());
            let given = given.flatten().map(|given| given.to_string()).unwrap_or_default();
            let mark = format!("{} {} {given}", want.operation.word(), want.target);
            return Some(Self { mark, names: vec![want.target.clone()] });
        }
        let mut sides: Vec<String> = Vec::new();
        let mut names = vec![want.target.clone()];
        for one in batch.changes_of(place) {
            let after = one.change.after.as_ref().map(ToString::to_string).unwrap_or_default();
            sides.push(format!("{} {} {after}", one.change.path, one.change.to.as_deref().unwrap_or_default()));
            names.push(one.change.path.clone());
        }
        sides.sort();
        if sides.is_empty() {
            sides.push(want.target.clone());
        }
        names.dedup();
        Some(Self { mark: format!("change {}", sides.join("; ")), names })
    }

    /// Whether it comes to the same as another.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.mark == other.mark
    }

    /// Whether what a person says brings it up.
    pub(super) fn is_brought_up(&self, text: &str) -> bool {
        let folded = |text: &str| text.nfkc().collect::<String>().to_lowercase();
        let text = folded(text);
        let names = self.names.iter().flat_map(|name| {
            let file = name.rsplit('/').next().unwrap_or(name);
            let program = name.split(' ').next().unwrap_or(name);
            [name.as_str(), file, program]
        });
        names.map(folded).any(|name| name.chars().count() > 1 && speaks_of(&text, &name))
            || COMES_BACK.iter().any(|words| speaks_of(&text, words))
    }
}

/// Whether a text has these words in it, and not as a part of longer ones.
fn speaks_of(text: &str, words: &str) -> bool {
    let is_letter = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    text.match_indices(words).any(|(start, found)| {
        let (before, after) = (text[..start].chars().next_back(), text[start + found.len()..].chars().next());
        let (first, last) = (words.chars().next(), words.chars().next_back());
        let goes_on = (is_letter(before) && is_letter(first)) || (is_letter(after) && is_letter(last));
        !goes_on
    })
}

#[cfg(test)]
mod tests {
    use super::TurnedDown;

    #[test]
    fn what_was_turned_down_is_brought_up_by_its_name_or_by_coming_back_to_it() {
        let edit = TurnedDown { mark: String::new(), names: vec!["src/greet.txt".to_owned()] };
        let run = TurnedDown { mark: String::new(), names: vec!["npm test --all".to_owned()] };
        for text in ["please do edit src/greet.txt", "greet.txt を直して", "やっぱりお願いします", "OK, go ahead"]
        {
            assert!(edit.is_brought_up(text), "{text}");
        }
        for text in ["run npm now", "npm test --all は実行していい", "Try again"] {
            assert!(run.is_brought_up(text), "{text}");
        }
        // Some systems write a voiced letter as two.
        let voiced = TurnedDown { mark: String::new(), names: vec!["か\u{3099}いど.md".to_owned()] };
        assert!(voiced.is_brought_up("がいど.md を直して"));
        for text in ["and the other file?", "go on", "against it", "regreet.txtual", "続けて"] {
            assert!(!edit.is_brought_up(text) && !run.is_brought_up(text), "{text}");
        }
    }
}
