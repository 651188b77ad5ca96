//! What stands beside a conversation, whatever the application: named panels, each of one of a few kinds.
//!
//! An application describes, in the reader's language; a page or a terminal draws. What has nothing in it is not drawn, so
//! that an application need not ask.
//!
//! Programs read every panel under `panels`. They also find all facts under `known`, the lists under `lists` and the meters
//! under `meters`, where they were before there were panels.

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::floor::{Floor, Offer, Position, Progress, Switch};
use crate::gate::{Gate, Leeway};

/// One thing to look at beside the conversation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Panel {
    /// Its name among the panels of the floor: the same for as long as it is about the same.
    pub id: String,
    pub title: String,
    #[serde(flatten)]
    pub content: PanelContent,
}

/// What is in a panel.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum PanelContent {
    /// Labels with what is known of each.
    Facts { facts: Vec<Fact> },
    /// Things of one kind, the most important first.
    List { things: Vec<ListItem> },
    /// What is used up, as far as there is a limit.
    Meters { meters: Vec<Meter> },
    /// Rows, each with as many cells as there are columns.
    Table { columns: Vec<String>, rows: Vec<Vec<String>> },
}

/// Something that is known, or is to be found out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fact {
    pub label: String,
    /// What is known of it; none while nothing is.
    pub value: Option<String>,
    /// A remark: what is lacking, where it stands.
    pub remark: Option<String>,
    /// What is being spoken of now.
    pub current: bool,
    /// The command that changes it, where it may be changed now.
    pub change: Option<Value>,
}

/// One thing of a list, and what may be done about it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ListItem {
    pub text: String,
    /// Where it stands, or what belongs to it.
    pub remark: Option<String>,
    /// Whether it is what is being worked on.
    pub current: bool,
    /// What may be done about it.
    pub deeds: Vec<ItemAction>,
}

/// Something that may be done about one thing.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ItemAction {
    pub label: String,
    /// What it comes to, said before it is done; where there is such a sentence, it is asked once more.
    pub about: Option<String>,
    pub command: Value,
}

/// How much of something is used up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Meter {
    pub label: String,
    pub used: u64,
    pub limit: u64,
}

impl Panel {
    /// A panel of facts.
    pub fn facts(id: &str, title: &str, facts: Vec<Fact>) -> Self {
        Self::of(id, title, PanelContent::Facts { facts })
    }

    /// A panel of things.
    pub fn list(id: &str, title: &str, things: Vec<ListItem>) -> Self {
        Self::of(id, title, PanelContent::List { things })
    }

    /// A panel of meters.
    pub fn meters(id: &str, title: &str, meters: Vec<Meter>) -> Self {
        Self::of(id, title, PanelContent::Meters { meters })
    }

    /// A panel with a table.
    pub fn table(id: &str, title: &str, columns: &[&str], rows: Vec<Vec<String>>) -> Self {
        let columns = columns.iter().map(|&column| column.to_owned()).collect();
        Self::of(id, title, PanelContent::Table { columns, rows })
    }

    /// Whether there is nothing to see in it.
    pub fn is_empty(&self) -> bool {
        match &self.content {
            PanelContent::Facts { facts } => facts.is_empty(),
            PanelContent::List { things } => things.is_empty(),
            PanelContent::Meters { meters } => meters.is_empty(),
            PanelContent::Table { rows, .. } => rows.is_empty(),
        }
    }

    fn of(id: &str, title: &str, content: PanelContent) -> Self {
        Self { id: id.to_owned(), title: title.to_owned(), content }
    }
}

impl Floor {
    /// The panels that have something in them.
    pub fn filled_panels(&self) -> impl Iterator<Item = &Panel> {
        self.panels.iter().filter(|panel| !panel.is_empty())
    }

    /// Every fact of every panel.
    pub fn facts(&self) -> impl Iterator<Item = &Fact> {
        self.panels.iter().flat_map(|panel| match &panel.content {
            PanelContent::Facts { facts } => &facts[..],
            PanelContent::List { .. } | PanelContent::Meters { .. } | PanelContent::Table { .. } => &[],
        })
    }

    /// Every thing of every list, with the list's title.
    pub fn lists(&self) -> impl Iterator<Item = (&str, &[ListItem])> {
        self.filled_panels().filter_map(|panel| match &panel.content {
            PanelContent::List { things } => Some((panel.title.as_str(), &things[..])),
            PanelContent::Facts { .. } | PanelContent::Meters { .. } | PanelContent::Table { .. } => None,
        })
    }

    /// Every meter of every panel.
    pub fn meters(&self) -> impl Iterator<Item = &Meter> {
        self.panels.iter().flat_map(|panel| match &panel.content {
            PanelContent::Meters { meters } => &meters[..],
            PanelContent::Facts { .. } | PanelContent::List { .. } | PanelContent::Table { .. } => &[],
        })
    }
}

/// A floor as programs read it.
#[derive(Serialize)]
struct FloorShape<'a> {
    gate: &'a Option<Gate>,
    leeway: &'a Leeway,
    offers: &'a [Offer],
    progress: Option<Progress>,
    known: Vec<&'a Fact>,
    positions: &'a [Position],
    switches: &'a [Switch],
    lists: Vec<ListShape<'a>>,
    meters: Vec<&'a Meter>,
    panels: Vec<&'a Panel>,
}

#[derive(Serialize)]
struct ListShape<'a> {
    title: &'a str,
    things: &'a [ListItem],
}

impl Serialize for Floor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let shape = FloorShape {
            gate: &self.gate,
            leeway: &self.leeway,
            offers: &self.offers,
            progress: self.progress,
            known: self.facts().collect(),
            positions: &self.positions,
            switches: &self.switches,
            lists: self.lists().map(|(title, things)| ListShape { title, things }).collect(),
            meters: self.meters().collect(),
            panels: self.filled_panels().collect(),
        };
        shape.serialize(serializer)
    }
}
