//! Files that are named on the command line, and folders of our own.
//!
//! A `-` stands for standard input. Whatever cannot be read is told with its place; what a text means is for others.

use std::io::Read as _;
use std::path::Path;

use crate::trouble::Trouble;

/// Whether this stands for standard input.
pub fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-")
}

/// The text of a file, or of standard input.
pub fn text_of(path: &Path) -> Result<String, Trouble> {
    let read = if is_standard_input(path) {
        let mut text = String::new();
        std::io::stdin().lock().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(path)
    };
    read.map_err(|why| unreadable(path, &why.to_string()))
}

/// Makes a folder for what is nobody else's to read, with those around it. One that is there stays as it is.
pub fn private_folder(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;

    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// A file that is not what it should be.
pub fn unreadable(path: &Path, why: &str) -> Trouble {
    Trouble::File { path: path.to_owned(), why: why.to_owned() }
}
