//! A person's own orders: `commands/NAME.md` in the config folder, `.enza/commands/NAME.md` in the project.
//!
//! `/NAME more words` says what the file says, with `$ARGUMENTS` for the words behind the name; where the file does not
//! mention them they stand behind it. Only the person sets one off, and what it says is said as if they had typed it: it
//! allows nothing. The project's goes before the user's, since it knows the project; our own orders go before both.

use std::collections::BTreeMap;
use std::path::Path;

use enza_kernel::gate::plain_answer;
use enza_work::hazard;

use super::parse::ORDERS;

/// Where a project keeps them.
pub const PROJECT_FOLDER: &str = ".enza/commands";
/// Where a user keeps them, in the config folder.
pub const USER_FOLDER: &str = "commands";
/// The most of one file, in bytes.
const LONGEST: usize = 32 * 1024;
/// The most of them.
const MOST: usize = 100;
const ARGUMENTS: &str = "$ARGUMENTS";

/// The orders of a person's own.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CustomOrders(BTreeMap<String, String>);

impl CustomOrders {
    /// Those of the user and of the project.
    pub fn of(config: &Path, folder: &Path) -> Self {
        let mut found = BTreeMap::new();
        read(&config.join(USER_FOLDER), None, &mut found);
        read(&folder.join(PROJECT_FOLDER), Some(folder), &mut found);
        Self(found)
    }

    /// Their names, without the slash.
    pub fn names(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }

    /// What a line that begins with one of them says.
    pub fn say(&self, line: &str) -> Option<String> {
        let (name, rest) = line
            .trim()
            .strip_prefix('/')
            .map(|line| line.split_once(char::is_whitespace).map_or((line, ""), |(name, rest)| (name, rest.trim())))?;
        let text = self.0.get(name)?;
        let said = match (text.contains(ARGUMENTS), rest) {
            // In one pass: what was typed is not looked through again.
            (true, rest) => text.split(ARGUMENTS).collect::<Vec<_>>().join(rest),
            (false, "") => text.clone(),
            (false, rest) => format!("{text}\n\n{rest}"),
        };
        // Whoever wrote the file is not the one who is asked: with its name before it, a yes is no answer at a gate.
        Some(if plain_answer(&said).is_some() { format!("/{name}: {said}") } else { said })
    }
}

/// Reads the files of a folder. Inside a project, a link that leads out of it is not followed: whoever wrote the
/// repository must not be able to have any file of this machine said to a model.
fn read(folder: &Path, inside: Option<&Path>, found: &mut BTreeMap<String, String>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let is_named = is_name(&name) && path.extension().is_some_and(|ending| ending == "md");
        let Ok(real) = path.canonicalize() else { continue };
        let is_inside = inside.is_none_or(|inside| real.starts_with(inside));
        if !is_named || !is_inside || !real.is_file() || found.len() >= MOST {
            continue;
        }
        let Ok(mut bytes) = std::fs::read(real) else { continue };
        bytes.truncate(LONGEST);
        let text = hazard::mask(String::from_utf8_lossy(&bytes).trim()).into_owned();
        if !text.is_empty() {
            found.insert(name, text);
        }
    }
}

fn is_name(name: &str) -> bool {
    let is_ours = ORDERS.iter().any(|order| order[1..] == *name);
    let letters = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    !name.is_empty() && name.chars().all(letters) && !is_ours
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(path: &Path, text: &str) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    #[test]
    fn the_projects_own_goes_before_the_users_and_ours_before_both() {
        let house = tempfile::tempdir().unwrap();
        let (config, folder) = (house.path().join("config"), house.path().canonicalize().unwrap().join("work"));
        put(&config.join("commands/review.md"), "users");
        put(&config.join("commands/greet.md"), "Say hello.");
        put(&config.join("commands/agree.md"), "yes");
        put(&config.join("commands/undo.md"), "never");
        put(&config.join("commands/Bad Name.md"), "never");
        put(&folder.join(".enza/commands/review.md"), "Review $ARGUMENTS, only $ARGUMENTS.\n");
        put(&house.path().join("private.md"), "private");
        std::os::unix::fs::symlink(house.path().join("private.md"), folder.join(".enza/commands/leak.md")).unwrap();
        let recipes = CustomOrders::of(&config, &folder);
        assert_eq!(recipes.names(), ["agree", "greet", "review"]);
        assert_eq!(recipes.say("/agree").unwrap(), "/agree: yes", "no file answers at a gate");
        assert_eq!(recipes.say("/review src $ARGUMENTS").unwrap(), "Review src $ARGUMENTS, only src $ARGUMENTS.");
        assert_eq!(recipes.say("/greet").unwrap(), "Say hello.");
        assert_eq!(recipes.say("/greet the moon").unwrap(), "Say hello.\n\nthe moon");
        assert_eq!(recipes.say("/leak"), None);
        assert_eq!(recipes.say("greet"), None);
    }
}
