//! Why an order was not carried out, in words for the person and for the model.

use enza_kernel::text::{Lang, Said};
use serde::{Deserialize, Serialize};

/// Why an order was not carried out. Nothing has changed, except where `HalfMade` says so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// The path leads out of the folder of work, to be read.
    OutsideToRead {
        /// The path.
        path: String,
    },
    /// The path leads out of the folder of work, to be changed.
    OutsideToWrite {
        /// The path.
        path: String,
    },
    /// The file holds secrets and was not granted.
    Secret {
        /// The path.
        path: String,
    },
    /// There is nothing there.
    Missing {
        /// The path.
        path: String,
    },
    /// There is something there already.
    Exists {
        /// The path.
        path: String,
    },
    /// It is a folder.
    IsFolder {
        /// The path.
        path: String,
    },
    /// It is no folder.
    NotAFolder {
        /// The path.
        path: String,
    },
    /// It is no text.
    NotText {
        /// The path.
        path: String,
    },
    /// It is too large.
    TooLarge {
        /// The path.
        path: String,
        /// How large it is, in bytes.
        bytes: u64,
        /// How large it may be.
        most: u64,
    },
    /// There are too many files in it.
    TooMany {
        /// The path.
        path: String,
        /// How many there may be.
        most: u32,
    },
    /// A folder without files: there is nothing to delete.
    NoFiles {
        /// The path.
        path: String,
    },
    /// The path cannot be used as it is written.
    UnusablePath {
        /// The path.
        path: String,
    },
    /// It is a link, and not the file or folder that it leads to.
    IsLink {
        /// The path.
        path: String,
    },
    /// It is neither a file nor a folder: a device, a pipe, a socket.
    Special {
        /// The path.
        path: String,
    },
    /// What the file is to hold is no longer in the store.
    Forgotten {
        /// The path.
        path: String,
    },
    /// A change failed, and some of those before it could not be taken back.
    HalfMade {
        /// Why it failed.
        why: Box<Fault>,
        /// The paths that stay changed.
        left: Vec<String>,
    },
    /// The file is not as it was when this was prepared.
    Changed {
        /// The path.
        path: String,
    },
    /// A patch cannot be read.
    UnreadablePatch {
        /// The line in the patch, from 1.
        line: u32,
        /// What is wrong with it.
        why: String,
    },
    /// A patch does not fit the file.
    DoesNotApply {
        /// The path.
        path: String,
        /// Which piece of it, from 1.
        piece: u32,
        /// What was looked for and what is there.
        why: String,
    },
    /// A pattern cannot be read.
    UnreadablePattern {
        /// What is wrong with it.
        why: String,
    },
    /// The program is not there.
    NoSuchProgram {
        /// Its name.
        name: String,
    },
    /// Commands cannot be confined on this machine.
    NoSandbox {
        /// What is lacking.
        why: String,
    },
    /// The system said no.
    System {
        /// The path, where there is one.
        path: String,
        /// What it said.
        why: String,
    },
}

impl Fault {
    /// What happened and what to do next.
    pub fn say(&self, lang: Lang) -> Said {
        match self {
            Self::OutsideToRead { path } => Said::new(
                lang.pick(
                    format!("作業フォルダ外のファイルは読み取れません: {path}"),
                    format!("{path} is outside the folder of work and may not be read."),
                ),
                lang.pick("作業フォルダの中のパスを使ってください。", "Use a path inside the folder of work."),
            ),
            Self::OutsideToWrite { path } => Said::new(
                lang.pick(
                    format!("作業フォルダ外のファイルは書き込めません: {path}"),
                    format!("{path} is outside the folder of work and may not be written."),
                ),
                lang.pick("作業フォルダの中のパスを使ってください。", "Use a path inside the folder of work."),
            ),
            Self::Secret { path } => Said::new(
                lang.pick(format!("{path} は秘密を含むファイルです。"), format!("{path} holds secrets.")),
                lang.pick("人の許可がなければ扱えません。", "It may be touched only where a person allows it."),
            ),
            Self::Missing { path } => Said::new(
                lang.pick(format!("{path} はありません。"), format!("There is no {path}.")),
                lang.pick("list で名前を確かめてください。", "Look at what is there with list."),
            ),
            Self::Exists { path } => Said::new(
                lang.pick(format!("{path} はすでにあります。"), format!("{path} is there already.")),
                lang.pick("edit で直すか、別の名前にしてください。", "Edit it, or choose another name."),
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
                lang.pick("分けて扱ってください。", "Deal with a part of it."),
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
                    format!("{path} の変更内容は、保管場所にもう残っていません。"),
                    format!("What {path} is to hold is no longer kept."),
                ),
                lang.pick("もう一度提案してください。", "Propose the change anew."),
            ),
            Self::HalfMade { why, left } => Said::new(
                lang.pick(
                    format!("{} 次のファイルは元に戻せませんでした: {}", why.say(lang).message, left.join("、")),
                    format!("{} These could not be taken back: {}", why.say(lang).message, left.join(", ")),
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
            Self::System { path, why } => Said::new(
                lang.pick(format!("{path}: {why}"), format!("{path}: {why}")),
                lang.pick("権限と空き容量を確かめてください。", "Check the permissions and the free space."),
            ),
        }
    }
}
