//! Finds what looks like a secret in a text, and masks it.
//!
//! Known shapes are found anywhere; a value that was assigned to a name like `password` only where it looks drawn by lot,
//! so that `token = next_token()` stays readable. Masking keeps the number of lines, so that line numbers stay true, and
//! masking twice is masking once. It is a net, not a wall: what matters most is that secret files are not read at all.
//! In the block of a private key only what looks like a key is masked: a person approves what they are shown, so code
//! must not hide between two such lines.

use std::borrow::Cow;
use std::ops::Range;

/// What stands where a secret was.
pub const MASK: &str = "[secret]";

/// A piece of a text that looks like a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secret {
    pub kind: SecretKind,
    /// Where it is, in bytes.
    pub range: Range<usize>,
}

/// The kinds of secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SecretKind {
    /// The inside of a private key's block.
    PrivateKey,
    /// A key of Amazon's.
    AwsKey,
    /// A token of GitHub's or GitLab's.
    GitToken,
    /// A key for a model's or a payment service.
    ApiKey,
    /// A token of Slack's.
    SlackToken,
    AddressPassword,
    /// A value that was given to a name like `password`.
    Assigned,
}

impl SecretKind {
    /// Its name in findings.
    pub fn name(self) -> &'static str {
        match self {
            Self::PrivateKey => "private_key",
            Self::AwsKey => "aws_key",
            Self::GitToken => "git_token",
            Self::ApiKey => "api_key",
            Self::SlackToken => "slack_token",
            Self::AddressPassword => "address_password",
            Self::Assigned => "assigned",
        }
    }
}

/// The text with every secret masked, line by line.
pub fn mask(text: &str) -> Cow<'_, str> {
    let found = secrets(text);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut masked = String::with_capacity(text.len());
    let mut at = 0;
    for secret in found {
        masked.push_str(&text[at..secret.range.start]);
        masked.push_str(MASK);
        at = secret.range.end;
    }
    masked.push_str(&text[at..]);
    Cow::Owned(masked)
}

/// What looks like a secret, in order; none overlap and none reaches over the end of a line.
pub fn secrets(text: &str) -> Vec<Secret> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut in_key = false;
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let bare = line.trim_end_matches(['\n', '\r']);
        let is_last = lines.peek().is_some_and(|next| next.contains("-----END "));
        in_key = look_at_line(bare, start, in_key.then_some(is_last), &mut found);
        start += line.len();
    }
    found
}

/// Looks at one line that begins at `start`; says whether the next one is inside a private key. Where this one is, `in_key`
/// says whether it is the last one of it.
fn look_at_line(line: &str, start: usize, in_key: Option<bool>, found: &mut Vec<Secret>) -> bool {
    let begins = line.find("-----BEGIN ").filter(|at| line[*at..].contains("PRIVATE KEY"));
    let ends = line.contains("-----END ");
    if let Some(at) = begins {
        // A key on one line, with `\n` written out, as in JSON, ends there too.
        let named = at + line[at..].find("KEY").unwrap_or_default() + "KEY".len();
        let after = line[named..].strip_prefix(" BLOCK").unwrap_or(&line[named..]);
        let inside = line.len() - after.strip_prefix("-----").unwrap_or(after).len();
        let until = line[inside..].find("-----END ").map_or(line.len(), |end| inside + end);
        for piece in of_key(&line[inside..until]) {
            push(found, SecretKind::PrivateKey, start, inside + piece.start..inside + piece.end, line);
        }
        return !ends;
    }
    if let Some(is_last) = in_key {
        let body = line.trim_end().trim_start_matches(['+', '-', ' ', '\t']);
        if !ends && is_key_line(body, is_last) {
            let end = line.trim_end().len();
            push(found, SecretKind::PrivateKey, start, end - body.len()..end, line);
        }
        if ends || is_key_line(body, is_last) || is_key_header(body) {
            return !ends;
        }
        // Whatever else it is, it is to be read as such.
    }
    let mut pieces = shaped(line);
    pieces.extend(passwords_in_addresses(line));
    pieces.extend(assigned(line));
    pieces.sort_by_key(|(_, range)| (range.start, std::cmp::Reverse(range.end)));
    let mut last = 0;
    for (kind, range) in pieces {
        if range.start >= last {
            last = range.end;
            push(found, kind, start, range, line);
        }
    }
    false
}

/// A whole line of a key has at least this many letters, whoever wrote it.
const KEY_LINE: usize = 32;

fn is_of_key(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "+/=".contains(letter)
}

/// Whether a line looks like one of a key, perhaps quoted, with `\n` written out or as a comment. Only the last line of a
/// key is short, and a word like `reboot` is none.
fn is_key_line(line: &str, is_last: bool) -> bool {
    let around = |letter: char| " \t\"'`#*,;\\".contains(letter);
    let bare = line.trim_start_matches(around).trim_end_matches(|letter| around(letter) || letter == ')');
    let bare = bare.trim_end_matches("\\n").trim_end_matches("\\r");
    let is_word = bare.chars().all(|letter| letter.is_ascii_lowercase());
    let is_long = bare.len() >= KEY_LINE || (is_last && !is_word);
    line.trim() == MASK || (is_long && bare.chars().all(is_of_key))
}

/// Whether a line of a key's block tells nothing of the key: an empty one, or how it was made.
fn is_key_header(line: &str) -> bool {
    const HEADERS: [&str; 6] = ["Proc-Type:", "DEK-Info:", "Version:", "Comment:", "Hash:", "Charset:"];
    line.trim().is_empty() || HEADERS.iter().any(|header| line.starts_with(header))
}

/// The pieces of a line behind the beginning of a key that look like the key.
fn of_key(text: &str) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    // A key on one line has nothing but itself in it.
    let whole = text.trim_end_matches(['"', '\'', ',', ';']);
    if whole.replace("\\n", "").replace("\\r", "").chars().all(is_of_key) {
        pieces.push(0..whole.len());
        return pieces;
    }
    let is_part = |letter: char| is_of_key(letter) || letter == '\\';
    let mut start = 0;
    for piece in text.split_inclusive(|letter| !is_part(letter)) {
        let bare = piece.trim_end_matches(|letter| !is_part(letter));
        if bare.len() >= KEY_LINE {
            pieces.push(start..start + bare.len());
        }
        start += piece.len();
    }
    pieces
}

fn push(found: &mut Vec<Secret>, kind: SecretKind, start: usize, range: Range<usize>, line: &str) {
    let piece = &line[range.clone()];
    if !piece.trim().is_empty() && piece != MASK {
        found.push(Secret { kind, range: start + range.start..start + range.end });
    }
}

/// Tokens that are known by how they begin and how long they are.
fn shaped(line: &str) -> Vec<(SecretKind, Range<usize>)> {
    const SHAPES: &[(&str, usize, SecretKind)] = &[
        ("AKIA", 16, SecretKind::AwsKey),
        ("ASIA", 16, SecretKind::AwsKey),
        ("ghp_", 30, SecretKind::GitToken),
        ("gho_", 30, SecretKind::GitToken),
        ("ghu_", 30, SecretKind::GitToken),
        ("ghs_", 30, SecretKind::GitToken),
        ("ghr_", 30, SecretKind::GitToken),
        ("github_pat_", 30, SecretKind::GitToken),
        ("glpat-", 20, SecretKind::GitToken),
        ("sk-", 20, SecretKind::ApiKey),
        ("sk_live_", 16, SecretKind::ApiKey),
        ("rk_live_", 16, SecretKind::ApiKey),
        ("AIza", 35, SecretKind::ApiKey),
        ("hf_", 30, SecretKind::ApiKey),
        ("npm_", 36, SecretKind::ApiKey),
        ("xoxb-", 10, SecretKind::SlackToken),
        ("xoxp-", 10, SecretKind::SlackToken),
        ("xoxa-", 10, SecretKind::SlackToken),
        ("xoxr-", 10, SecretKind::SlackToken),
        ("xoxs-", 10, SecretKind::SlackToken),
        ("xapp-", 10, SecretKind::SlackToken),
    ];
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    let bytes = line.as_bytes();
    let mut pieces = Vec::new();
    for (head, most, kind) in SHAPES {
        for (at, _) in line.match_indices(head) {
            if at > 0 && is_part(bytes[at - 1]) {
                continue;
            }
            let body = bytes[at + head.len()..].iter().take_while(|byte| is_part(**byte)).count();
            let end = at + head.len() + body;
            // A word like `sk-learn-contrib-examples` is no key: keys have digits in them.
            if body >= *most && bytes[at + head.len()..end].iter().any(u8::is_ascii_digit) {
                pieces.push((*kind, at..end));
            }
        }
    }
    pieces
}

/// `scheme://user:password@host`.
fn passwords_in_addresses(line: &str) -> Vec<(SecretKind, Range<usize>)> {
    let mut pieces = Vec::new();
    for (at, _) in line.match_indices("://") {
        let from = at + "://".len();
        let until = line[from..].find(|letter: char| letter.is_whitespace() || "/\"'`<>".contains(letter));
        let host = &line[from..until.map_or(line.len(), |end| from + end)];
        let Some((user, _)) = host.rsplit_once('@') else { continue };
        let Some((name, password)) = user.split_once(':') else { continue };
        if !password.is_empty() && !is_placeholder(password) {
            let start = from + name.len() + 1;
            pieces.push((SecretKind::AddressPassword, start..start + password.len()));
        }
    }
    pieces
}

/// Values given to names like `password`, where they look drawn by lot.
fn assigned(line: &str) -> Vec<(SecretKind, Range<usize>)> {
    const NAMES: &[&str] = &[
        "password",
        "passwd",
        "passphrase",
        "secret",
        "token",
        "api_key",
        "apikey",
        "api-key",
        "access_key",
        "private_key",
        "credential",
    ];
    let lower = line.to_ascii_lowercase();
    let mut pieces: Vec<(SecretKind, Range<usize>)> = Vec::new();
    for name in NAMES {
        for (at, _) in lower.match_indices(name) {
            // The mask itself has such a name in it.
            if line[..at].ends_with('[') && line[at - 1..].starts_with(MASK) {
                continue;
            }
            let value = value_after(line, at + name.len());
            pieces.extend(value.map(|range| (SecretKind::Assigned, range)));
        }
    }
    pieces
}

/// The value that is assigned right after the name that ends at `at`, if it may be a secret.
fn value_after(line: &str, at: usize) -> Option<Range<usize>> {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    let after = line[at..].trim_start_matches(is_name).trim_start_matches(['"', '\'', ']']);
    let spaced = after.starts_with(' ');
    let after = after.trim_start();
    let sign = ["=>", ":=", "=", ":"].into_iter().find(|sign| after.starts_with(sign))?;
    let after = after[sign.len()..].trim_start();
    let from = line.len() - after.len();
    if let Some(quote) = after.chars().next().filter(|first| "\"'`".contains(*first)) {
        let end = after[1..].find(quote)?;
        let value = &after[1..=end];
        return looks_drawn(value, 8, 2.5).then_some(from + 1..from + 1 + end);
    }
    let end = after.find(|letter: char| letter.is_whitespace() || ",;\"'`".contains(letter)).unwrap_or(after.len());
    let value = &after[..end];
    // Without quotes and with room around the sign it is code more often than a setting.
    let is_code = value.contains(['(', '[', '<', '{', '&', ':'])
        || (spaced && value.chars().all(|letter| is_name(letter) || letter == '.'));
    (!is_code && looks_drawn(value, 8, 2.75)).then_some(from..from + end)
}

fn looks_drawn(value: &str, shortest: usize, bits: f64) -> bool {
    let has = |test: fn(&char) -> bool| usize::from(value.chars().any(|letter| test(&letter)));
    let kinds = has(char::is_ascii_lowercase) + has(char::is_ascii_uppercase) + has(char::is_ascii_digit);
    let is_number = value.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
    value.len() >= shortest
        && !value.contains(char::is_whitespace)
        && !is_placeholder(value)
        && !is_number
        && (kinds >= 2 || value.contains(|letter: char| letter.is_ascii_punctuation() && !"._-/".contains(letter)))
        && entropy(value) >= bits
}

fn is_placeholder(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let is_reference =
        value.starts_with(['$', '<', '{', '%']) || lower.contains("process.env") || lower.contains("environ");
    let is_example = ["your", "example", "placeholder", "changeme", "change_me", "xxxx", "dummy", "redacted", "****"];
    value == MASK || is_reference || is_example.iter().any(|word| lower.contains(word))
}

/// Bits per letter.
fn entropy(value: &str) -> f64 {
    let mut counts = std::collections::BTreeMap::new();
    for letter in value.chars() {
        *counts.entry(letter).or_insert(0u32) += 1;
    }
    let all = f64::from(counts.values().sum::<u32>());
    counts.values().map(|count| f64::from(*count) / all).map(|share| -share * share.log2()).sum()
}
