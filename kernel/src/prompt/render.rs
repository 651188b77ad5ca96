//! Makes a layout fit: layer by layer, then the whole.
//!
//! The result depends on the layout and the thread alone. A stable section that has to give way shrinks in coarse
//! steps: a thread that grows by one message a turn would otherwise move the cut with every turn, and with it every
//! byte that a provider has cached.

use std::cmp::Reverse;

use super::trim::shorten;
use super::{Layer, Layout, Overflow, Rendered, Section, Stability, Trim};
use crate::conversation::{Cut, Message, Part, Text, estimate_tokens};

/// How many sizes a stable section may take between whole and gone.
const STEPS: u64 = 8;

pub(super) fn render(layout: &Layout, messages: &[Message]) -> Rendered {
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    let mut overflow = Vec::new();
    for layer in &layout.layers {
        let first = pieces.len();
        pieces.extend(open_sections(layer).map(Piece::new));
        let excess = sum(&pieces[first..]).saturating_sub(layer.ceiling);
        let left = trim(&mut pieces[first..], excess);
        if left > 0 {
            overflow.push(Overflow { layer: Some(layer.name.clone()), tokens: left });
        }
    }
    let thread: u64 = messages.iter().map(Message::tokens).sum();
    let excess = (thread + sum(&pieces)).saturating_sub(layout.ceiling);
    let left = trim(&mut pieces, excess);
    if left > 0 {
        overflow.push(Overflow { layer: None, tokens: left });
    }
    Rendered {
        stable: parts(&pieces, Stability::Stable),
        messages: messages.to_vec(),
        fresh: parts(&pieces, Stability::Fresh),
        cuts: pieces.iter().filter_map(Piece::cut).collect(),
        tokens: thread + sum(&pieces),
        overflow,
    }
}

/// A section on its way into the prompt.
struct Piece<'a> {
    section: &'a Section,
    whole: u64,
    now: u64,
    /// What is left of it; `None` once it is gone.
    text: Option<Text>,
    left_out: u64,
}

impl<'a> Piece<'a> {
    fn new(section: &'a Section) -> Self {
        let whole = estimate_tokens(&section.text);
        Self { section, whole, now: whole, text: Some(section.text.clone()), left_out: 0 }
    }

    /// Shortens it by at least `excess` tokens, or removes it, and answers how many tokens that saved.
    ///
    /// Always starts from the whole text, so that a second cut leaves one marker and not two.
    fn give_way(&mut self, excess: u64) -> u64 {
        let before = self.now;
        let room = before.saturating_sub(excess);
        let step = match self.section.stable {
            Stability::Stable => self.whole.div_ceil(STEPS).max(1),
            Stability::Fresh => 1,
        };
        match shorten(&self.section.text, room - room % step) {
            Some(short) => {
                self.now = estimate_tokens(&short.text);
                self.text = Some(short.text);
                self.left_out = short.left_out;
            }
            None => {
                self.now = 0;
                self.text = None;
                self.left_out = self.whole;
            }
        }
        before - self.now
    }

    fn cut(&self) -> Option<Cut> {
        (self.left_out > 0).then(|| Cut { section: self.section.name.clone(), tokens: self.left_out })
    }
}

/// Trims in the declared order until `excess` tokens are gone, and answers how many could not be saved.
fn trim(pieces: &mut [Piece<'_>], excess: u64) -> u64 {
    let mut order: Vec<(u32, Stability, usize)> = pieces
        .iter()
        .enumerate()
        .filter_map(|(place, piece)| match piece.section.priority {
            Trim::Keep => None,
            Trim::Order(order) => Some((order, piece.section.stable, place)),
        })
        .collect();
    order.sort_unstable_by_key(|candidate| Reverse(*candidate));
    let mut excess = excess;
    for (_, _, place) in order {
        if excess == 0 {
            break;
        }
        if pieces[place].text.is_some() {
            excess = excess.saturating_sub(pieces[place].give_way(excess));
        }
    }
    excess
}

/// The sections that may be rendered. One that still names its agents was not asked for by any of them.
fn open_sections(layer: &Layer) -> impl Iterator<Item = &Section> {
    layer.sections.iter().filter(|section| section.visible_to.is_none() && !section.text.is_empty())
}

fn parts(pieces: &[Piece<'_>], stable: Stability) -> Vec<Part> {
    let here = pieces.iter().filter(|piece| piece.section.stable == stable);
    here.filter_map(|piece| Some(Part { name: piece.section.name.clone(), text: piece.text.clone()? })).collect()
}

fn sum(pieces: &[Piece<'_>]) -> u64 {
    pieces.iter().map(|piece| piece.now).sum()
}
