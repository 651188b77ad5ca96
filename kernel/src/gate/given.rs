//! A person's answer at a gate, as it is given.
//!
//! Yes or no is enough for every gate. Where an application leaves more to decide (`Leeway`), the answer may also say how
//! long it counts and which part of a change is taken. Whether it is accepted is decided by the application alone; one
//! that knows only yes and no takes it by `plain`, so that nobody's "only this part" is ever read as "all of it".

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Verdict;

/// An answer as a person gives it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Given {
    /// Yes or no.
    pub verdict: Verdict,
    /// What the person had to say about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// How long it counts.
    #[serde(default)]
    pub scope: Scope,
    /// Where not everything is taken as it is: file by file. A file that is not named is taken whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub picks: Vec<Pick>,
    /// What is left out besides files: commands and tools, by their `place` in the leeway.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<u32>,
}

/// How long an answer counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// For this question alone.
    #[default]
    Once,
    /// For the session: the same is then done without asking, or never.
    Session,
    /// For every session in the same project.
    Project,
}

/// What is taken of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pick {
    /// The file, by its `place` in the leeway.
    pub file: u32,
    /// The hunks that are taken, from 1; none of them where the list is empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hunks: Option<Vec<u32>>,
    /// The whole new content, as the person has written it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
}

impl Scope {
    /// Its name, in logs.
    pub fn word(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Session => "session",
            Self::Project => "project",
        }
    }
}

impl Given {
    /// A yes or a no, with or without a remark.
    pub fn new(verdict: Verdict, note: Option<String>) -> Self {
        Self { verdict, note, scope: Scope::Once, picks: Vec::new(), left: Vec::new() }
    }

    /// Yes or no and the remark, where nothing else was said.
    pub fn plain(self) -> Option<(Verdict, Option<String>)> {
        let Self { verdict, note, scope, picks, left } = self;
        (scope == Scope::Once && picks.is_empty() && left.is_empty()).then_some((verdict, note))
    }
}
