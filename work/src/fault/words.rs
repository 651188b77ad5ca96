//! What is said about a fault: what happened and what to do next, in both languages.
//!
//! The person reads it and the model is told the same, so every hint must be something that either of them can do. A new
//! fault gets its words here before anything compiles.

use enza_kernel::text::{Lang, Said};

use super::Fault;

impl Fault {
    /// What happened and what to do next.
    pub fn say(&self, lang: Lang) -> Said {
        match self {
            Self::OutsideToRead { path } => Said::new(
                lang.pick(
                    format!("作業フォルダ外のファイルは読み取れません: {path}"),
                    format!("{path} is outside the folder of work and may not be read."),
                ),
                lang.pick(
                    "作業フォルダの中のパスを使ってください。設定の readable に書いたフォルダも読めます。",
                    "Use a path inside the folder of work, or in a folder under readable in the settings.",
                ),
            ),
            Self::OutsideToWrite { path } => Said::new(
                lang.pick(
                    format!("作業フォルダ外のファイルは書き込めません: {path}"),
                    format!("{path} is outside the folder of work and may not be written."),
                ),
                lang.pick(
                    "作業フォルダの中のパスを使ってください。設定の safety_phase が3以上なら、人に確認します。",
                    "Use a path inside the folder of work. With safety_phase 3 or more in the settings, a person is asked.",
                ),
            ),
            Self::Secret { path } => Said::new(
                lang.pick(format!("{path} は秘密を含むファイルです。"), format!("{path} holds secrets.")),
                lang.pick("人の許可がなければ扱えません。", "It may be touched only where a person allows it."),
            ),
            Self::Closed { path } => Said::new(
                lang.pick(format!("{path} はルールで閉じられています。"), format!("A rule keeps {path} closed.")),
                lang.pick(
                    "人の許可がなければ読めません。閉じているのは設定の rules です。",
                    "It may be read only where a person allows it. What closes it is in rules in the settings.",
                ),
            ),
            Self::Missing { path } => Said::new(
                lang.pick(format!("{path} はありません。"), format!("There is no {path}.")),
                lang.pick("list で名前を確かめてください。", "Look at what is there with list."),
            ),
            Self::Exists { path } => Said::new(
                lang.pick(format!("{path} はすでにあります。"), format!("{path} is there already.")),
                lang.pick(
                    "edit で直すか、append で末尾に加えるか、別の名前にしてください。",
                    "Edit it, append to it, or choose another name.",
                ),
            ),
            Self::IsFolder { path } => Said::new(
                lang.pick(format!("{path} はフォルダです。"), format!("{path} is a folder.")),
                lang.pick("ファイルを指定してください。", "Name a file."),
            ),
            Self::NotAFolder { path } => Said::new(
                lang.pick(format!("{path} はフォルダではありません。"), format!("{path} is not a folder.")),
                lang.pick("フォルダを指定してください。", "Name a folder."),
            ),
            Self::NotText { path } => Said::new(
                lang.pick(format!("{path} は文章のファイルではありません。"), format!("{path} is not a text.")),
                lang.pick("文章のファイルだけを扱えます。", "Only texts can be read and written."),
            ),
            Self::TooLarge { path, bytes, most } => Said::new(
                lang.pick(
                    format!("{path} は大きすぎます({bytes}バイト、上限は{most}バイト)。"),
                    format!("{path} is too large: {bytes} bytes, and {most} is the most."),
                ),
                lang.pick(
                    "分けて扱ってください。上限は設定の read_bytes と write_bytes です。",
                    "Deal with a part of it. The limits are read_bytes and write_bytes in the settings.",
                ),
            ),
            Self::TooMany { path, most } => Said::new(
                lang.pick(
                    format!("{path} のファイルが多すぎます(上限は{most}個)。"),
                    format!("There are too many files in {path}; {most} is the most."),
                ),
                lang.pick("中のフォルダごとに分けてください。", "Take its folders one by one."),
            ),
            Self::NoFiles { path } => Said::new(
                lang.pick(
                    format!("{path} にはファイルがないので、削除するものがありません。"),
                    format!("There is no file in {path}, so there is nothing to delete."),
                ),
                lang.pick("空のフォルダはそのままにしてください。", "Leave the empty folder as it is."),
            ),
            Self::UnusablePath { path } => Said::new(
                lang.pick(format!("{path} はパスとして使えません。"), format!("{path} cannot be used as a path.")),
                lang.pick(
                    "「..」や NUL 文字を含まず、名前が255バイト以内のパスにしてください。",
                    "Write it without `..` and NUL characters, each name of at most 255 bytes.",
                ),
            ),
            Self::IsLink { path } => Said::new(
                lang.pick(format!("{path} はリンクです。"), format!("{path} is a link.")),
                lang.pick(
                    "リンク先のファイルを、本当の名前で指定してください。",
                    "Name the file that it leads to by its real name.",
                ),
            ),
            Self::Special { path } => Said::new(
                lang.pick(
                    format!("{path} は普通のファイルでもフォルダでもありません。"),
                    format!("{path} is neither an ordinary file nor a folder."),
                ),
                lang.pick("普通のファイルを指定してください。", "Name an ordinary file."),
            ),
            Self::Forgotten { path } => Said::new(
                lang.pick(
                    format!("{path} の変更前か変更後の内容が、保管場所にもう残っていません。"),
                    format!("What {path} holds before or after the change is no longer kept."),
                ),
                lang.pick("もう一度提案してください。", "Propose the change anew."),
            ),
            Self::HalfMade { why, left } => Said::new(
                lang.pick(
                    format!("{} 次のファイルは変更されたままです: {}", why.say(lang).message, left.join("、")),
                    format!("{} These files stay changed: {}", why.say(lang).message, left.join(", ")),
                ),
                lang.pick(
                    "これらのファイルを確かめ、必要なら「元に戻す」をもう一度行ってください。",
                    "Look at these files, and take the changes back once more where needed.",
                ),
            ),
            Self::Changed { path } => Said::new(
                lang.pick(
                    format!("{path} は、確認のあとで変わりました。"),
                    format!("{path} has changed since this was shown."),
                ),
                lang.pick("読み直して、もう一度提案してください。", "Read it again and propose the change anew."),
            ),
            Self::UnreadablePatch { line, why } => Said::new(
                lang.pick(
                    format!("パッチの{line}行目が読めません: {why}"),
                    format!("Line {line} of the patch cannot be read: {why}"),
                ),
                lang.pick("その行を直してください。", "Mend that line."),
            ),
            Self::DoesNotApply { path, piece, why } => Said::new(
                lang.pick(
                    format!("{path} に{piece}番目の変更を当てられません: {why}"),
                    format!("Change {piece} does not fit {path}: {why}"),
                ),
                lang.pick(
                    "ファイルを読み直し、今の行に合わせてください。",
                    "Read the file again and fit the change to its lines.",
                ),
            ),
            Self::UnreadablePattern { why } => Said::new(
                lang.pick(format!("検索の式が読めません: {why}"), format!("The pattern cannot be read: {why}")),
                lang.pick("式を直すか、文字どおりに探してください。", "Mend it, or search for it literally."),
            ),
            Self::NoSuchProgram { name } => Said::new(
                lang.pick(
                    format!("{name} というプログラムはありません。"),
                    format!("There is no program named {name}."),
                ),
                lang.pick("名前を確かめるか、導入してください。", "Check the name, or install it."),
            ),
            Self::NothingToCommit { why } => Said::new(
                lang.pick(format!("コミットできません: {why}"), format!("It cannot be committed: {why}")),
                lang.pick(
                    "git init や git status で確かめ、必要なら自分でコミットしてください。",
                    "Check with git status, and commit it yourself where needed.",
                ),
            ),
            Self::NoSandbox { why } => Said::new(
                lang.pick(
                    format!("このコンピューターではコマンドを閉じ込められません: {why}"),
                    format!("Commands cannot be confined on this machine: {why}"),
                ),
                lang.pick(
                    "Landlock のある Linux(5.13以降)で実行するか、コマンドなしで続けてください。",
                    "Use a Linux with Landlock (5.13 or later), or go on without commands.",
                ),
            ),
            Self::KeptFrom { path } => Said::new(
                lang.pick(
                    format!("コマンドは {path} を読めません(フォルダの外です)。"),
                    format!("Commands may not read {path}, which is outside the folder."),
                ),
                lang.pick(
                    format!("いつも許すには、設定に readable = [\"{path}\"] と書きます。"),
                    format!("To allow it for good, put readable = [\"{path}\"] in the settings."),
                ),
            ),
            Self::Unsealed { why } => Said::new(
                lang.pick(
                    format!(
                        "このコンピューターでは、コマンドがフォルダの外のファイルの権限や時刻を変えるのを防げません({why})。\
                         このセッションではそれを防ぐと約束しているため、実行しませんでした。"
                    ),
                    format!(
                        "On this machine a command cannot be kept from changing permissions and times of files outside the \
                         folder ({why}). This session promises that it is, so it was not run."
                    ),
                ),
                lang.pick(
                    "ここで新しいセッションを始めると、その旨を確認のうえで実行できます。",
                    "Begin a new session here: it says what stays open, and runs commands.",
                ),
            ),
            Self::Tool { tool, why } => Said::new(
                format!("{tool}: {why}"),
                lang.pick(
                    "別の方法を使うか、enza companion servers でサーバーの様子を確かめてください。",
                    "Do it another way, or look at the servers with enza companion servers.",
                ),
            ),
            Self::System { path, why } => Said::new(
                lang.pick(format!("{path}: {why}"), format!("{path}: {why}")),
                lang.pick("権限と空き容量を確かめてください。", "Check the permissions and the free space."),
            ),
        }
    }
}
