//! The words about the companion for those who come by the server.

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
            "Enza が動いている機械にあるフォルダーを、/ から始まる絶対パスで入力してください。",
        ),
        Said::new(
            format!("{typed} cannot be worked in: {why}."),
            "Give a folder on the machine that runs Enza, as an absolute path that begins with /.",
        ),
    )
}

/// A path that says where it is only together with another.
pub fn not_absolute(lang: Lang) -> &'static str {
    lang.pick("絶対パスではありません", "it is not an absolute path")
}
