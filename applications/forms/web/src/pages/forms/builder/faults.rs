//! What keeps a draft from being published, each beside the part that it is about.

use enza_forms as forms;
use enza_interview::{Form, FormFault};
use enza_kernel::application::Reason as _;
use enza_kernel::limits::TextRefusal;
use enza_kernel::text::Said;
use enza_server::words::Words;

/// The part of a form that a fault is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FormPart {
    /// The form as a whole.
    Whole,
    /// The field at this place.
    Field(usize),
    /// The group at this place.
    Group(usize),
}

/// A fault in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FaultText {
    pub part: FormPart,
    pub text: String,
}

/// Everything that keeps a draft from being published, in the order of the page.
pub(super) fn faults(words: Words, form: &Form) -> Vec<FaultText> {
    let mut told: Vec<FaultText> = forms::problems(form).iter().map(|fault| tell(words, form, fault)).collect();
    told.sort_by_key(|told| told.part);
    told
}

/// What is said of one part.
pub(super) fn of_part(told: &[FaultText], part: FormPart) -> Vec<&str> {
    told.iter().filter(|told| told.part == part).map(|told| told.text.as_str()).collect()
}

fn tell(words: Words, form: &Form, fault: &FormFault) -> FaultText {
    let Said { message, hint } = fault.say(words.0);
    let text = match fault {
        FormFault::Text { place, unfit } => told_of_text(words, place, unfit),
        FormFault::FieldCount { count: 0 } => words.say("builder.no_fields").to_owned(),
        FormFault::EmptyCondition { .. } => words.say("builder.empty_condition").to_owned(),
        FormFault::BadId { .. }
        | FormFault::BadOptions { .. }
        | FormFault::BadBounds { .. }
        | FormFault::BadItems { .. }
        | FormFault::NotEarlier { .. }
        | FormFault::InsideGroup { .. } => format!("{message} {hint}"),
        FormFault::Unreadable { .. }
        | FormFault::FieldCount { .. }
        | FormFault::Count { .. }
        | FormFault::RepeatedField { .. }
        | FormFault::RepeatedFact { .. }
        | FormFault::UnknownGroup { .. }
        | FormFault::ScatteredGroup { .. }
        | FormFault::HiddenRequired { .. } => message,
    };
    FaultText { part: part_of(form, fault), text }
}

/// The last word of the place says which entry of the page is meant.
fn told_of_text(words: Words, place: &str, unfit: &TextRefusal) -> String {
    let entry =
        place.rsplit('.').next().unwrap_or(place).trim_end_matches(|letter: char| "[]0123456789".contains(letter));
    let name = match entry {
        "title" => words.say("builder.title"),
        "description" => words.say("builder.description"),
        "consent" => words.say("builder.consent"),
        "label" if place.contains(".options") => words.say("builder.options"),
        "value" => words.say("builder.options"),
        "label" => words.say("builder.label"),
        "fieldId" | "groupId" => words.say("builder.id"),
        "intent" => words.say("builder.intent"),
        "item" => words.say("builder.item"),
        "fact" => words.say("builder.fact"),
        "factKey" => words.say("builder.fact_key"),
        "doneCriteria" => words.say("builder.done"),
        "questioningHints" => words.say("builder.hints"),
        other => other,
    };
    let Said { message, hint } = unfit.say(words.0);
    words.fill("builder.text_fault", &[("entry", name), ("message", &message), ("hint", &hint)])
}

fn part_of(form: &Form, fault: &FormFault) -> FormPart {
    match fault {
        FormFault::Unreadable { .. } | FormFault::FieldCount { .. } => FormPart::Whole,
        FormFault::Count { place, .. } | FormFault::Text { place, .. } => part_at(place),
        FormFault::RepeatedField { field_id } => {
            let field = form.fields.iter().rposition(|field| field.field_id.trim() == field_id);
            let group = || form.groups.iter().position(|group| group.group_id.trim() == field_id);
            field.map(FormPart::Field).or_else(|| group().map(FormPart::Group)).unwrap_or(FormPart::Whole)
        }
        FormFault::RepeatedFact { field_id, .. }
        | FormFault::BadOptions { field_id }
        | FormFault::BadBounds { field_id }
        | FormFault::EmptyCondition { field_id, .. }
        | FormFault::NotEarlier { field_id, .. }
        | FormFault::InsideGroup { field_id, .. }
        | FormFault::UnknownGroup { field_id, .. }
        | FormFault::HiddenRequired { field_id } => {
            let place = form.fields.iter().position(|field| field.field_id.trim() == field_id);
            place.map_or(FormPart::Whole, FormPart::Field)
        }
        FormFault::ScatteredGroup { group } | FormFault::BadItems { group } => {
            let place = form.groups.iter().position(|known| known.group_id.trim() == group);
            place.map_or(FormPart::Whole, FormPart::Group)
        }
        FormFault::BadId { id } => {
            let field = form.fields.iter().position(|field| {
                field.field_id.trim() == id
                    || field.options.iter().any(|option| option.value.trim() == id)
                    || field.facts.iter().any(|fact| fact.fact_key.trim() == id)
            });
            let group = || form.groups.iter().position(|group| group.group_id.trim() == id);
            field.map(FormPart::Field).or_else(|| group().map(FormPart::Group)).unwrap_or(FormPart::Whole)
        }
    }
}

/// The part behind `fields[3].label`.
fn part_at(place: &str) -> FormPart {
    let numbered = |list: &str| place.strip_prefix(list)?.split_once(']')?.0.parse().ok();
    match (numbered("fields["), numbered("groups[")) {
        (Some(place), _) => FormPart::Field(place),
        (None, Some(place)) => FormPart::Group(place),
        (None, None) => FormPart::Whole,
    }
}
