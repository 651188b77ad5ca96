//! Files that respondents attach: kept by content, named in the field's value as `DIGEST/NAME`.
//!
//! A file is looked at before it is kept: that the field wants one, and that there is something in it. Whether the value
//! is taken is for the interview to say; what it refuses stays behind, unnamed, and is found by nobody.

use std::collections::BTreeMap;

use enza_applications::interview::{Kind, Refusal};
use enza_kernel::conversation::Digest;
use enza_runtime::host::Refused;

use super::guest::{Guest, Order};
use crate::acts::Once;
use crate::house::House;
use crate::problem::Problem;

/// How many bytes a file may have.
pub const LARGEST: usize = 10 * 1024 * 1024;
/// How many bytes its name may have.
const LONGEST_NAME: usize = 200;

/// A file on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upload {
    /// What it was called where it comes from.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

impl Guest {
    /// Attaches a file to a field.
    pub async fn attach(&self, house: &House, field_id: &str, upload: Upload) -> Result<(), Problem> {
        let value = self.keep_file(house, field_id, upload).await?;
        let answers = BTreeMap::from([(field_id.to_owned(), value)]);
        self.order(house, Order::Fill(answers), Once::default()).await.map(drop)
    }

    /// Keeps a file for a field, and gives the value that names it.
    pub async fn keep_file(&self, house: &House, field_id: &str, upload: Upload) -> Result<String, Problem> {
        let unknown = || Refusal::UnknownField { field_id: field_id.to_owned() };
        let entries = self.entries();
        let entry = entries.iter().find(|entry| entry.id() == field_id && entry.field.kind == Kind::File);
        if entry.is_none() {
            return Err(Problem::Refused(Refused::from_reason(&unknown())));
        }
        if upload.bytes.is_empty() {
            return Err(Problem::BodyUnfit("0 bytes".to_owned()));
        }
        if upload.bytes.len() > LARGEST {
            return Err(Problem::BodyTooLarge);
        }
        house.tries().upload(self.row.id.as_str(), house.now())?;
        let digest = house.engine().store().keep(&upload.bytes).await?;
        Ok(format!("{digest}/{}", plain_name(&upload.name)))
    }

    /// The file that is attached to a field.
    pub async fn attached(&self, house: &House, field_id: &str) -> Result<Upload, Problem> {
        let entries = self.entries();
        let entry = entries.iter().find(|entry| entry.id() == field_id && entry.field.kind == Kind::File);
        let value = entry.and_then(|entry| entry.record.value()).ok_or(Problem::NothingHere)?;
        let (digest, name) = value.split_once('/').ok_or(Problem::NothingHere)?;
        let digest = Digest::from_hex(digest).ok_or(Problem::NothingHere)?;
        let bytes = house.engine().store().fetch(&digest).await?.ok_or(Problem::NothingHere)?;
        Ok(Upload { name: name.to_owned(), bytes })
    }
}

/// A name that can stand in a value: the last part of a path, without what would move a cursor or a folder.
fn plain_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let mut plain: String = last.chars().filter(|letter| !letter.is_control()).collect();
    while plain.len() > LONGEST_NAME {
        plain.pop();
    }
    let plain = plain.trim();
    if ["", ".", ".."].contains(&plain) { "file".to_owned() } else { plain.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_can_always_stand_in_a_value() {
        for (given, plain) in [
            ("report.pdf", "report.pdf"),
            ("C:\\Users\\ada\\報告.pdf", "報告.pdf"),
            ("../../etc/passwd", "passwd"),
            ("..", "file"),
            (" \n ", "file"),
        ] {
            assert_eq!(plain_name(given), plain, "{given:?}");
        }
        assert_eq!(plain_name(&"あ".repeat(300)).len(), LONGEST_NAME / 3 * 3);
    }
}
