//! The buttons of the builder that change the draft, for browsers without scripts: add, duplicate, remove, move.
//!
//! A button says what it does and to which part: `remove:3`. One that names a part that is not there does nothing.

use std::collections::BTreeSet;

use enza_interview::{Field, Kind};

use super::typed::{TypedDraft, distinct, new_group};

/// What a button asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum BuilderAction {
    /// Only to keep what was typed.
    Save,
    /// A new field at the end.
    Add,
    /// A field once more, below itself.
    Duplicate(usize),
    /// A field less.
    Remove(usize),
    /// A field one place earlier.
    Up(usize),
    /// A field one place later.
    Down(usize),
    /// A new group.
    AddGroup,
    /// A group less; its fields stay, alone.
    RemoveGroup(usize),
    /// To freeze the draft as the next version.
    Publish,
    /// To answer it oneself.
    TryOut,
}

impl BuilderAction {
    /// What was pressed. An unknown word keeps what was typed.
    pub(super) fn of(typed: &TypedDraft) -> Self {
        let (word, key) = typed.press.split_once(':').unwrap_or((&typed.press, ""));
        let field = || typed.keys.iter().position(|known| known == key);
        let group = || typed.group_keys.iter().position(|known| known == key);
        match word {
            "add" => Some(Self::Add),
            "duplicate" => field().map(Self::Duplicate),
            "remove" => field().map(Self::Remove),
            "up" => field().map(Self::Up),
            "down" => field().map(Self::Down),
            "add-group" => Some(Self::AddGroup),
            "remove-group" => group().map(Self::RemoveGroup),
            "publish" => Some(Self::Publish),
            "try" => Some(Self::TryOut),
            _ => None,
        }
        .unwrap_or(Self::Save)
    }

    /// Changes the draft, and says which field to look at then.
    pub(super) fn apply(&self, typed: &mut TypedDraft) -> Option<usize> {
        let form = &mut typed.form;
        let last = form.fields.len().saturating_sub(1);
        match *self {
            Self::Save | Self::Publish | Self::TryOut => None,
            Self::Add => {
                let id = free_id(typed, Kind::Text.word());
                typed.form.fields.push(Field::new(&id, "", Kind::Text));
                Some(typed.form.fields.len() - 1)
            }
            Self::Duplicate(place) => {
                let mut copy = form.fields[place].clone();
                copy.field_id = free_id(typed, &copy.field_id);
                typed.form.fields.insert(place + 1, copy);
                Some(place + 1)
            }
            Self::Remove(place) => {
                form.fields.remove(place);
                form.fields.len().checked_sub(1).map(|last| place.min(last))
            }
            Self::Up(place) => {
                let to = place.saturating_sub(1);
                form.fields.swap(place, to);
                Some(to)
            }
            Self::Down(place) => {
                let to = (place + 1).min(last);
                form.fields.swap(place, to);
                Some(to)
            }
            Self::AddGroup => {
                let group_id = free_id(typed, "group");
                typed.form.groups.push(enza_interview::Group { group_id, ..new_group() });
                None
            }
            Self::RemoveGroup(place) => {
                let gone = form.groups.remove(place).group_id;
                for field in form.fields.iter_mut().filter(|field| field.group.as_ref() == Some(&gone)) {
                    field.group = None;
                }
                None
            }
        }
    }
}

fn free_id(typed: &TypedDraft, wish: &str) -> String {
    let fields = typed.form.fields.iter().map(|field| field.field_id.clone());
    let mut taken: BTreeSet<String> =
        fields.chain(typed.form.groups.iter().map(|group| group.group_id.clone())).collect();
    distinct(&mut taken, wish.to_owned())
}
