//! Patterns for paths, commands and names, as rules and settings write them.
//!
//! `*` stands for anything but `/`, `**` for anything, `?` for one letter; behind `\` both are plain letters. The rules hold
//! what is asked for against them, the workshop what a file is really called.

/// Whether a path fits a pattern. A pattern without a slash is held against the last part alone (`./name` is not: it is
/// the one in the folder of work); one that names a folder holds for everything in it. Upper and lower case are one, so that a denial cannot be got round by spelling.
pub fn path_fits(pattern: &str, path: &str) -> bool {
    let is_bare = !pattern.contains('/');
    let (pattern, path) =
        (pattern.trim_start_matches("./").to_lowercase(), path.trim_start_matches("./").to_lowercase());
    let below = format!("{}/**", pattern.trim_end_matches('/'));
    let whole = |pattern: &str| fits(pattern.as_bytes(), path.as_bytes(), true);
    let last = path.rsplit('/').next().unwrap_or(&path);
    whole(&pattern) || whole(&below) || (is_bare && fits(pattern.as_bytes(), last.as_bytes(), true))
}

/// Whether a command fits the pattern of an allowance: word by word, and `*` at the end for whatever follows. Anything that a
/// shell would read as a second command never fits, and neither does a command in another folder.
pub fn command_fits(pattern: &str, command: &str) -> bool {
    let is_plain = !command.contains(['\n', ';', '|', '&', '`', '>', '<']) && !command.contains("$(");
    is_plain && words_fit(pattern, &command.split_whitespace().collect::<Vec<_>>())
}

/// Whether a command fits the pattern of a denial or a question. It is looked for wherever a program could begin: by
/// whatever path it is called, in whatever folder, behind a program that runs others, and in what a shell is told.
pub fn command_runs_into(pattern: &str, command: &str) -> bool {
    let command = command.strip_prefix("cd ").and_then(|rest| Some(rest.split_once(" && ")?.1)).unwrap_or(command);
    let is_break = |letter: char| "\n;|&`<>(){}$".contains(letter);
    command.split(is_break).any(|part| {
        let letters = part.replace(['\'', '"'], " ");
        let words: Vec<&str> = letters.split_whitespace().collect();
        let Some(first) = words.first() else { return false };
        let starts = if RUNNERS.split('|').any(|runner| runner == base(first)) { words.len() } else { 1 };
        (0..starts).any(|start| {
            let called: Vec<&str> =
                std::iter::once(base(words[start])).chain(words[start + 1..].iter().copied()).collect();
            words_fit(pattern, &called)
        })
    })
}

/// Programs that run what is named behind them.
pub const RUNNERS: &str = "sh|bash|zsh|dash|fish|eval|env|xargs|timeout|nice|nohup|time|setsid|stdbuf|watch|\
    parallel|find|sudo|su|doas|command|exec|busybox";

fn words_fit(pattern: &str, words: &[&str]) -> bool {
    let pattern: Vec<&str> = pattern.split_whitespace().collect();
    match pattern.split_last() {
        Some((&"*", before)) => words.len() >= before.len() && before.iter().zip(words).all(|(one, word)| one == word),
        _ => pattern == words,
    }
}

/// The name of a program, however it is reached.
pub fn base(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// Whether a name fits a pattern; `/` is a letter like any other.
pub fn name_fits(pattern: &str, name: &str) -> bool {
    fits(pattern.as_bytes(), name.as_bytes(), false)
}

/// Whether bytes fit a pattern: `*` for anything but `/`, `**` for anything, `?` for one.
fn fits(pattern: &[u8], text: &[u8], by_parts: bool) -> bool {
    match pattern {
        [] => text.is_empty(),
        [b'\\', one @ (b'*' | b'?'), rest @ ..] => text.first() == Some(one) && fits(rest, &text[1..], by_parts),
        [b'*', b'*', b'/', rest @ ..] if fits(rest, text, by_parts) => true,
        [b'*', b'*', rest @ ..] => (0..=text.len()).any(|place| fits(rest, &text[place..], by_parts)),
        [b'*', rest @ ..] => {
            let end =
                if by_parts { text.iter().position(|byte| *byte == b'/').unwrap_or(text.len()) } else { text.len() };
            (0..=end).any(|place| fits(rest, &text[place..], by_parts))
        }
        [b'?', rest @ ..] => text.first().is_some_and(|byte| *byte != b'/') && fits(rest, &text[1..], by_parts),
        [one, rest @ ..] => text.first() == Some(one) && fits(rest, &text[1..], by_parts),
    }
}

#[cfg(test)]
mod tests {
    use super::{command_fits, command_runs_into, path_fits};

    #[test]
    fn a_star_behind_a_backslash_is_a_letter() {
        assert!(path_fits("./\\*.md", "*.md") && !path_fits("./\\*.md", "a.md"));
    }

    /// Deny wins, however the command is put.
    #[test]
    fn a_denied_command_is_known_by_whatever_way_it_is_called() {
        for called in [
            "npm run x",
            "npm run x -- 'a;b'",
            "/usr/bin/npm run x",
            "cd web && npm run x",
            "sh -c 'cd web; npm run x'",
            "timeout 60 npm run x",
            "env A=1 npm run x",
        ] {
            assert!(command_runs_into("npm *", called), "{called}");
        }
        assert!(!command_runs_into("npm *", "cargo npm") && !command_runs_into("npm run", "npm test"));
        assert!(command_fits("npm *", "npm run x") && !command_fits("npm *", "npm run 'a;b'"));
        assert!(!command_fits("make *", "cd vendor && make check"), "an allowance holds in the folder of work alone");
    }
}
