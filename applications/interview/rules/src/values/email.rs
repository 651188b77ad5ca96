//! E-mail addresses: one address, whatever stands around it, in letters that mail gets through with.
//!
//! The part before the @ is kept as it is written, because its capitals may count where it is received; the domain is
//! kept in small letters, because there they never do. Whether anyone reads mail there is not for us to know.

use super::super::locale::narrow;
use super::fault::ValueFault;
use super::politeness::{strip_politeness, words};

/// The most bytes that mail can be sent to.
const LONGEST: usize = 254;

/// Reads an address.
pub(super) fn read(text: &str) -> Result<String, ValueFault> {
    if text.len() > 8 * LONGEST {
        return Err(ValueFault::NotAnAddress);
    }
    let text = narrow(text);
    let bare = strip_politeness(&text);
    let bare = bare.strip_suffix('>').and_then(|text| text.rsplit_once('<')).map_or(bare, |(_, inside)| inside);
    let begin =
        words(PREFIXES).find(|prefix| bare.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix)));
    let bare = begin.map_or(bare, |prefix| &bare[prefix.len()..]).trim();
    let address = bare.rsplit_once('@').and_then(|(local, domain)| address(local, domain));
    address.ok_or(ValueFault::NotAnAddress)
}

const PREFIXES: &str =
    "mailto:|my email is |my e-mail is |my email address is |email: |e-mail: |メールアドレスは|メールは";

fn address(local: &str, domain: &str) -> Option<String> {
    let domain = domain.to_lowercase();
    let address = format!("{local}@{domain}");
    (is_local(local) && is_domain(&domain) && address.len() <= LONGEST).then_some(address)
}

fn is_local(local: &str) -> bool {
    let letter = |letter: char| letter.is_ascii_alphanumeric() || "!#$%&'*+/=?^_`{|}~-".contains(letter);
    local.len() <= 64 && local.split('.').all(|part| !part.is_empty() && part.chars().all(letter))
}

/// Labels of letters in any script, at least two, and the last is no number.
fn is_domain(domain: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.chars().all(|letter| letter.is_alphanumeric() || letter == '-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let Some((_, last)) = domain.rsplit_once('.') else { return false };
    domain.split('.').all(is_label) && last.chars().count() >= 2 && !last.chars().all(char::is_numeric)
}
