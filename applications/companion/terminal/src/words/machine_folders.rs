//! The words about the companion for those who come by the server.

use std::io::{Error, ErrorKind};

use super::words;
use enza_kernel::text::{Lang, Said};

/// Files went along with what was said.
pub fn attached(lang: Lang, paths: &[&str]) -> String {
    super::talk::attached(lang, &lang.list(paths))
}

/// A folder that cannot be worked in.
pub fn unfit_folder(lang: Lang, typed: &str, why: &str) -> Said {
    words(lang).said("machine_folders.unfit_folder", &[("typed", &typed), ("why", &why)])
}

/// A path that says where it is only together with another.
pub fn not_absolute(lang: Lang) -> &'static str {
    words(lang).say("machine_folders.not_absolute")
}

/// What the system said of a folder, in words where there are some.
pub fn unread(lang: Lang, why: &Error) -> String {
    match why.kind() {
        ErrorKind::NotFound => words(lang).say("machine_folders.unread_not_found").to_owned(),
        ErrorKind::PermissionDenied => words(lang).say("machine_folders.unread_permission_denied").to_owned(),
        _ => why.to_string(),
    }
}
