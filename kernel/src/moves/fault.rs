//! What is wrong with a table, line by line.
//!
//! Flaws carry the facts; the words for them, in both languages, are all in this file.

use std::fmt;

use crate::application::Reason;
use crate::text::{Lang, Said};

/// Everything that was found wrong with one table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableFault {
    /// The table's name, where it could be read.
    pub table: Option<String>,
    /// The problems, by line; never empty.
    pub problems: Vec<Problem>,
}

/// One flaw and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The line, counted from 1.
    pub line: usize,
    pub flaw: Flaw,
}

/// The kinds of value that a table is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `"pending"`
    Name,
    /// `["pending", "done"]`
    Names,
    /// `[[move]]`
    Tables,
    /// `3`
    Count,
}

/// What can be wrong with a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// The text is not TOML.
    NotToml { why: String },
    /// A key that tables do not have.
    UnknownKey { key: String },
    /// A key that must be there is not.
    MissingKey { key: &'static str },
    /// The value of a key is of another kind.
    WrongKind { key: &'static str, expected: Kind },
    /// A name that is not among the states.
    UnknownState { state: String },
    /// A state is listed twice.
    RepeatedState { state: String },
    /// A move is listed twice.
    RepeatedMove {
        /// The state it leaves.
        from: String,
        /// The state it enters.
        to: String,
    },
    /// No move leads from the start to this state.
    Unreachable { state: String },
    /// No ordinary move leads on from this state to an end.
    NoWayToAnEnd { state: String },
}

impl TableFault {
    pub(super) fn new(table: Option<String>, mut problems: Vec<Problem>) -> Self {
        problems.sort_by_key(|problem| problem.line);
        Self { table, problems }
    }

    fn name(&self, lang: Lang) -> String {
        self.table.clone().unwrap_or_else(|| lang.pick("名前のない表", "a table without a name").to_owned())
    }
}

impl Reason for TableFault {
    fn code(&self) -> &'static str {
        "table-faulty"
    }

    fn say(&self, lang: Lang) -> Said {
        let lines: Vec<String> = self.problems.iter().map(|problem| problem.say(lang)).collect();
        let name = self.name(lang);
        Said::new(
            lang.pick(
                format!("遷移表「{name}」に誤りがあります。\n{}", lines.join("\n")),
                format!("The table of moves {name:?} is faulty.\n{}", lines.join("\n")),
            ),
            lang.pick("示した行を直してから、もう一度読み込んでください。", "Correct these lines and load it again."),
        )
    }
}

impl fmt::Display for TableFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "table of moves {:?}", self.name(Lang::En))?;
        self.problems.iter().try_for_each(|problem| write!(out, "\n  {}", problem.say(Lang::En)))
    }
}

impl std::error::Error for TableFault {}

impl Problem {
    fn say(&self, lang: Lang) -> String {
        let line = self.line;
        let flaw = self.flaw.say(lang);
        lang.pick(format!("{line}行目: {flaw}"), format!("line {line}: {flaw}"))
    }
}

impl Kind {
    fn say(self, lang: Lang) -> &'static str {
        match self {
            Self::Name => lang.pick("引用符で囲んだ名前", "a name in quotation marks"),
            Self::Names => lang.pick("一つ以上の名前の並び", "a list of at least one name"),
            Self::Tables => lang.pick("[[…]] で始まる表の並び", "a list of tables, each under its own [[…]]"),
            Self::Count => lang.pick("1以上の整数", "a whole number of at least 1"),
        }
    }
}

impl Flaw {
    fn say(&self, lang: Lang) -> String {
        match self {
            Self::NotToml { why } => {
                lang.pick(format!("TOMLとして読めません({why})"), format!("this is not TOML ({why})"))
            }
            Self::UnknownKey { key } => {
                lang.pick(format!("「{key}」という項目はありません"), format!("there is no key {key:?}"))
            }
            Self::MissingKey { key } => {
                lang.pick(format!("項目「{key}」がありません"), format!("the key {key:?} is missing"))
            }
            Self::WrongKind { key, expected } => {
                let kind = expected.say(lang);
                lang.pick(format!("項目「{key}」には{kind}を書いてください"), format!("{key:?} wants {kind}"))
            }
            Self::UnknownState { state } => lang
                .pick(format!("状態「{state}」は states にありません"), format!("{state:?} is not among the states")),
            Self::RepeatedState { state } => lang
                .pick(format!("状態「{state}」が二度書かれています"), format!("the state {state:?} is listed twice")),
            Self::RepeatedMove { from, to } => lang.pick(
                format!("「{from}」から「{to}」への遷移が二度書かれています"),
                format!("the move from {from:?} to {to:?} is listed twice"),
            ),
            Self::Unreachable { state } => lang.pick(
                format!("状態「{state}」にはどこからも届きません"),
                format!("nothing leads to the state {state:?}"),
            ),
            Self::NoWayToAnEnd { state } => lang.pick(
                format!("状態「{state}」から終わりに至る道がありません"),
                format!("no ordinary moves lead from the state {state:?} to an end"),
            ),
        }
    }
}
