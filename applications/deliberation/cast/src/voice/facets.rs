//! What a topic gives to speak of: people, steps and worries. A topic of the library brings its own; beside them, and for
//! every other topic, there are some that fit anywhere.

use enza_kernel::text::Lang;

use super::pools::pools;
use crate::topics::topic_called;

/// What can be put into a sentence about a topic, the topic's own first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Facets {
    pub(crate) people: Vec<String>,
    pub(crate) steps: Vec<String>,
    pub(crate) worries: Vec<String>,
    /// How many of each are the topic's own.
    pub(crate) own: [usize; 3],
}

/// What kind of thing is spoken of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FacetKind {
    People,
    Step,
    Worry,
}

impl FacetKind {
    pub(crate) const ALL: [Self; 3] = [Self::People, Self::Step, Self::Worry];

    /// The name of its piece in a sentence.
    pub(crate) fn piece(self) -> &'static str {
        match self {
            Self::People => "people",
            Self::Step => "step",
            Self::Worry => "worry",
        }
    }
}

impl Facets {
    /// What there is to say of a topic in one language.
    pub(crate) fn of(lang: Lang, title: &str) -> Self {
        let common = pools();
        let text = topic_called(title).map(|(topic, _)| topic.text(lang));
        let with = |own: Option<&Vec<String>>, common: &[String]| -> Vec<String> {
            own.into_iter().flatten().chain(common).cloned().collect()
        };
        Self {
            people: with(text.map(|text| &text.people), common.people.pick(lang)),
            steps: with(text.map(|text| &text.steps), common.steps.pick(lang)),
            worries: with(text.map(|text| &text.worries), common.worries.pick(lang)),
            own: text.map_or([0; 3], |text| [text.people.len(), text.steps.len(), text.worries.len()]),
        }
    }

    /// The ones of a kind.
    pub(crate) fn of_kind(&self, kind: FacetKind) -> &[String] {
        match kind {
            FacetKind::People => &self.people,
            FacetKind::Step => &self.steps,
            FacetKind::Worry => &self.worries,
        }
    }

    /// Whether it is one of those that fit anywhere, though the topic has better ones.
    pub(crate) fn is_common(&self, kind: FacetKind, nth: usize) -> bool {
        let own = self.own[kind as usize];
        own > 0 && nth >= own
    }

    /// Those that a text speaks of.
    pub(crate) fn found_in(&self, text: &str) -> Vec<(FacetKind, &str)> {
        let folded = text.to_lowercase();
        FacetKind::ALL
            .into_iter()
            .flat_map(|kind| self.of_kind(kind).iter().map(move |facet| (kind, facet.as_str())))
            .filter(|(_, facet)| folded.contains(&facet.to_lowercase()))
            .collect()
    }
}
