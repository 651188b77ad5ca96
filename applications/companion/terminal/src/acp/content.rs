//! What a person says and shows in an editor, as words and files.
//!
//! A file inside the folder is handed over by its name, as with `@` at the terminal; one whose name says that it holds
//! secrets stays a name, and so does everything outside the folder. What an editor hands over with its content (also
//! what is not saved yet) is taken as it is, shortened and with secrets masked.

use std::path::{Path, PathBuf};

use enza_companion::Attached;
use enza_work::{Bounds, hazard};

use super::super::mentions;
use super::messages::Block;

/// What was said, with the files that go with it; none where something is shown that cannot be seen here.
pub fn read(blocks: Vec<Block>, folder: &Path, bounds: &Bounds) -> Option<(String, Vec<Attached>)> {
    let mut text = String::new();
    let mut files: Vec<Attached> = Vec::new();
    for block in blocks {
        match block {
            Block::Text { text: words } => text.push_str(&words),
            Block::Image {} | Block::Audio {} => return None,
            Block::ResourceLink { uri, name } => {
                let file = path_of(&uri).and_then(|path| mentions::file(&path, folder));
                text.push_str(&mention(file.as_ref(), &name, &uri));
                files.extend(file);
            }
            Block::Resource { resource } => {
                let file = resource.text.and_then(|text| embedded(&resource.uri, &text, folder));
                text.push_str(&mention(file.as_ref(), "", &resource.uri));
                files.extend(file);
            }
        }
    }
    let files = with_named(&text, files, folder, bounds);
    Some((text, files))
}

/// The files that go along already, and those that are named in what is said.
pub fn with_named(text: &str, files: Vec<Attached>, folder: &Path, bounds: &Bounds) -> Vec<Attached> {
    let mut files = mentions::along_with(text, files, folder, bounds).files;
    files.truncate(mentions::MOST);
    files
}

/// How a file stands among the words.
fn mention(file: Option<&Attached>, name: &str, uri: &str) -> String {
    match file {
        Some(file) => format!("@{}", file.path),
        None if name.is_empty() => uri.to_owned(),
        None => format!("[{name}]({uri})"),
    }
}

fn embedded(uri: &str, text: &str, folder: &Path) -> Option<Attached> {
    let path = match path_of(uri) {
        Some(path) => path.strip_prefix(folder).unwrap_or(&path).display().to_string(),
        None => uri.to_owned(),
    };
    if hazard::names_secrets(&path) {
        return None;
    }
    let text = &text[..text.floor_char_boundary(mentions::LONGEST)];
    Some(Attached { path, text: hazard::mask(text).into_owned() })
}

/// The path behind `file://`, with `%20` and the like read.
fn path_of(uri: &str) -> Option<PathBuf> {
    let coded = uri.strip_prefix("file://")?.split(['#', '?']).next()?;
    let coded = &coded[coded.find('/')?..];
    let mut bytes = Vec::new();
    let mut rest = coded.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.filter(|_| *first == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn said(folder: &Path, blocks: Value) -> Option<(String, Vec<(String, String)>)> {
        let (text, files) = read(serde_json::from_value(blocks).unwrap(), folder, &Bounds::default())?;
        Some((text, files.into_iter().map(|file| (file.path, file.text)).collect()))
    }

    #[test]
    fn files_inside_the_folder_are_handed_over_and_everything_else_stays_a_name() {
        let house = tempfile::tempdir().unwrap();
        let folder = house.path().canonicalize().unwrap();
        std::fs::write(folder.join("a b.txt"), "saved").unwrap();
        std::fs::write(folder.join(".env"), "KEY=1").unwrap();
        let at = folder.display();
        let blocks = json!([
            { "type": "text", "text": "see " },
            { "type": "resource_link", "name": "a", "uri": format!("file://{at}/a%20b.txt#L3") },
            { "type": "resource_link", "name": "env", "uri": format!("file://{at}/.env") },
            { "type": "resource_link", "name": "out", "uri": "file:///etc/hosts" },
            { "type": "resource", "resource": { "uri": format!("file://{at}/new.txt"), "text": "unsaved" } },
        ]);
        let (text, files) = said(&folder, blocks).unwrap();
        let own = |path: &str, text: &str| (path.to_owned(), text.to_owned());
        assert_eq!(files, [own("a b.txt", "saved"), own("new.txt", "unsaved")]);
        assert_eq!(text, format!("see @a b.txt[env](file://{at}/.env)[out](file:///etc/hosts)@new.txt"));
    }

    #[test]
    fn a_picture_cannot_be_seen() {
        let blocks = json!([{ "type": "image", "data": "AAAA", "mimeType": "image/png" }]);
        assert_eq!(said(Path::new("/"), blocks), None);
    }
}
