//! The words about the companion for those who come by the server.

use std::io::{Error, ErrorKind};

use enza_kernel::text::{Lang, Said};

/// Files went along with what was said.
pub fn attached(lang: Lang, paths: &[&str]) -> String {
    super::talk::attached(lang, &paths.join(lang.pick("、", ", ")))
}

/// A folder that cannot be worked in.
pub fn unfit_folder(lang: Lang, typed: &str, why: &str) -> Said {
    lang.pick(
        Said::new(
            format!("{typed} では作業できません: {why}。"),
            "Enza が動いている機械にあるフォルダーの絶対パスか、確かめてください。",
        ),
        Said::new(
            format!("{typed} cannot be worked in: {why}."),
            "Make sure that it is the absolute path of a folder on the machine that runs Enza.",
        ),
    )
}

/// A path that says where it is only together with another.
pub fn not_absolute(lang: Lang) -> &'static str {
    lang.pick("絶対パスではありません", "it is not an absolute path")
}

/// What the system said of a folder, in words where there are some.
pub fn unread(lang: Lang, why: &Error) -> String {
    match why.kind() {
        ErrorKind::NotFound => lang.pick("見つかりません", "there is nothing of that name").to_owned(),
        ErrorKind::PermissionDenied => {
            lang.pick("Enza には読む権限がありません", "Enza has no permission to read it").to_owned()
        }
        _ => why.to_string(),
    }
}
