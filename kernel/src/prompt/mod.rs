//! A prompt is layers of sections.
//!
//! Every piece of a prompt has a name, a layer and a ceiling. Rendering puts what changes rarely first, then the
//! thread, then what changes with every call, so that a provider's cache finds most of the prompt where it was. What
//! does not fit is trimmed in the declared order and reported; the sum stays under the ceiling, or the rendering says
//! by how much it does not.
//!
//! **Secrets.** A section may name the agents that see it (`visible_to`). `Layout::for_agent` is the one door through
//! which such a section enters a prompt, and `render` leaves out whatever did not come through it: whoever forgets to
//! name the agent shows too little, never too much.
//!
//! Choosing the sections belongs to the application. Shortening a thread does too: it is a recorded event, so that the
//! prompt of any past call can be rendered again.

mod fill;
mod render;
mod trim;

use serde::{Deserialize, Serialize};

use crate::conversation::{Cut, Message, Part, Request, Text};

pub use fill::{MissingPiece, fence, fill, hollow};

/// A whole prompt, before it is made to fit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// The layers, in the order in which they are read.
    pub layers: Vec<Layer>,
    /// The most tokens that sections and messages may take together.
    pub ceiling: u64,
}

/// Sections that share a ceiling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layer {
    pub name: String,
    /// The most tokens its sections may take together.
    pub ceiling: u64,
    /// The sections, in the order in which they are read.
    pub sections: Vec<Section>,
}

/// A named piece of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// What it is called, in records of cuts and in the inspector.
    pub name: String,
    pub text: Text,
    /// Whether and when it may be cut.
    pub priority: Trim,
    /// How often it changes.
    pub stable: Stability,
    /// The agents that may see it; `None` for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visible_to: Option<Vec<String>>,
}

/// Whether and when a section may be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trim {
    /// Never.
    Keep,
    /// The highest number first; of equal numbers the fresh before the stable, then the last declared.
    Order(u32),
}

/// How often a section changes, which decides on which side of the thread it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stability {
    /// Rarely: it stands before the thread.
    Stable,
    /// With every call: it stands after the thread.
    Fresh,
}

/// A prompt that was made to fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Rendered {
    /// What stands before the thread.
    pub stable: Vec<Part>,
    /// The thread, untouched.
    pub messages: Vec<Message>,
    /// What stands after the thread.
    pub fresh: Vec<Part>,
    /// What was left out, in the order of declaration.
    pub cuts: Vec<Cut>,
    /// About how many tokens all of it takes.
    pub tokens: u64,
    /// What could not be made to fit because it may not be cut. Empty means that every ceiling holds.
    pub overflow: Vec<Overflow>,
}

/// A ceiling that does not hold, because what is left under it must be kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overflow {
    /// The layer; `None` for the whole prompt.
    pub layer: Option<String>,
    /// How many tokens there are too many.
    pub tokens: u64,
}

impl Layout {
    /// An empty layout.
    pub fn new(ceiling: u64) -> Self {
        Self { layers: Vec::new(), ceiling }
    }

    /// Adds a layer.
    pub fn layer(mut self, name: &str, ceiling: u64, sections: impl IntoIterator<Item = Section>) -> Self {
        self.layers.push(Layer { name: name.to_owned(), ceiling, sections: sections.into_iter().collect() });
        self
    }

    /// The layout as one agent may see it: sections kept from it are gone, those it may see are open to render.
    pub fn for_agent(&self, agent: &str) -> Self {
        let open = |section: &Section| match &section.visible_to {
            None => Some(section.clone()),
            Some(agents) if agents.iter().any(|one| one == agent) => {
                Some(Section { visible_to: None, ..section.clone() })
            }
            Some(_) => None,
        };
        let layers = self.layers.iter().map(|layer| Layer {
            name: layer.name.clone(),
            ceiling: layer.ceiling,
            sections: layer.sections.iter().filter_map(open).collect(),
        });
        Self { layers: layers.collect(), ceiling: self.ceiling }
    }

    /// Makes the prompt fit around a thread.
    ///
    /// Each layer is cut to its ceiling, then the whole to the total. Messages count and are never cut. A section that
    /// still names the agents it is for is left out without a report: its very name may be telling.
    pub fn render(&self, messages: &[Message]) -> Rendered {
        render::render(self, messages)
    }
}

impl Section {
    /// A section that is always kept, seldom changes and is open to all agents.
    pub fn new(name: impl Into<String>, text: impl Into<Text>) -> Self {
        Self { name: name.into(), text: text.into(), priority: Trim::Keep, stable: Stability::Stable, visible_to: None }
    }

    /// The same, but it may be cut: the highest number first.
    pub fn trimmed(self, order: u32) -> Self {
        Self { priority: Trim::Order(order), ..self }
    }

    /// The same, but it changes with every call and stands after the thread.
    pub fn fresh(self) -> Self {
        Self { stable: Stability::Fresh, ..self }
    }

    /// The same, but only these agents may see it.
    pub fn only_for<A: Into<String>>(self, agents: impl IntoIterator<Item = A>) -> Self {
        Self { visible_to: Some(agents.into_iter().map(Into::into).collect()), ..self }
    }
}

impl Rendered {
    /// A request with this prompt; tools, output schema and the reply's limit are the caller's to add.
    pub fn into_request(self, agent: &str, thread: &str) -> Request {
        Request {
            agent: agent.to_owned(),
            thread: thread.to_owned(),
            stable: self.stable,
            messages: self.messages,
            fresh: self.fresh,
            cuts: self.cuts,
            ..Request::default()
        }
    }
}
