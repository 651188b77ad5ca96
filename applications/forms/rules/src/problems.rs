//! Every fault of a draft at once, so that whoever builds it sees each where it is.
//!
//! A form is checked as a whole and stops at its first fault. Here each part is put alone into a form that is sound
//! otherwise: the texts of the whole, each field, each group, then each field's references among bare fields. What can
//! be asked is still decided by `Form::checked` alone: there are no problems exactly where it has none.

use std::collections::BTreeSet;

use enza_interview::{Field, Form, FormFault, Group, Kind, MOST_FIELDS};

/// Everything that keeps a form from being asked, one fault for each part; empty where it can be.
pub fn problems(form: &Form) -> Vec<FormFault> {
    let Err(first) = form.clone().checked() else { return Vec::new() };
    let mut faults = of_the_whole(form);
    faults.extend(form.fields.iter().enumerate().filter_map(|(place, field)| of_field(place, field)));
    faults.extend(form.groups.iter().enumerate().filter_map(|(place, group)| of_group(place, group)));
    faults.extend(of_references(form));
    if faults.is_empty() {
        faults.push(first);
    }
    faults
}

fn of_the_whole(form: &Form) -> Vec<FormFault> {
    let count = form.fields.len();
    let miscounted = (count == 0 || count > MOST_FIELDS).then_some(FormFault::FieldCount { count });
    let alone = [
        Form { title: form.title.clone(), ..sound() },
        Form { description: form.description.clone(), ..sound() },
        Form { consent: form.consent.clone(), ..sound() },
        Form { follow_ups: form.follow_ups, ..sound() },
        // Too many groups are found before any of them is looked at.
        Form {
            groups: form.groups.iter().enumerate().map(|(nth, _)| bare_group(&format!("g{nth}"))).collect(),
            ..sound()
        },
    ];
    let faults = alone.into_iter().filter_map(|form| form.checked().err());
    // The bare groups have no fields; that is not the draft's fault.
    let faults = faults.filter(|fault| !matches!(fault, FormFault::ScatteredGroup { .. }));
    miscounted.into_iter().chain(repeated_ids(form)).chain(faults).collect()
}

fn repeated_ids(form: &Form) -> impl Iterator<Item = FormFault> {
    let (mut seen, mut twice) = (BTreeSet::new(), BTreeSet::new());
    let fields = form.fields.iter().map(|field| field.field_id.trim());
    for id in fields.chain(form.groups.iter().map(|group| group.group_id.trim())) {
        if !seen.insert(id) && !id.is_empty() {
            twice.insert(id);
        }
    }
    twice.into_iter().map(|id| FormFault::RepeatedField { field_id: id.to_owned() })
}

fn of_field(place: usize, field: &Field) -> Option<FormFault> {
    let fault = Form { fields: vec![field.clone()], ..sound() }.checked().err()?;
    (!is_between_parts(&fault)).then(|| moved(fault, "fields[0]", &format!("fields[{place}]")))
}

fn of_group(place: usize, group: &Group) -> Option<FormFault> {
    // The field beside it must not have its id.
    let beside = bare_field(if group.group_id.trim() == "x" { "y" } else { "x" });
    let fault = Form { fields: vec![beside], groups: vec![group.clone()], ..sound() }.checked().err()?;
    (!is_between_parts(&fault)).then(|| moved(fault, "groups[0]", &format!("groups[{place}]")))
}

/// What fields and groups have to do with each other. Only judged among a sound number of sound ids: without them
/// nobody could say which field is meant.
fn of_references(form: &Form) -> Vec<FormFault> {
    let bare = Form { fields: form.fields.iter().map(|field| bare_field(&field.field_id)).collect(), ..sound() };
    if bare.clone().checked().is_err() {
        return Vec::new();
    }
    let groups: Vec<Group> = form.groups.iter().map(|group| bare_group(&group.group_id)).collect();
    let known = |group: &String| groups.iter().any(|known| known.group_id.trim() == group);
    let mut grouped = Form { groups: groups.clone(), ..bare };
    for (skeleton, field) in grouped.fields.iter_mut().zip(&form.fields) {
        skeleton.group = field.group.clone().filter(known);
    }
    let of_field = |place: usize| {
        let mut one = grouped.clone();
        let field = &form.fields[place];
        one.fields[place] = Field {
            when: field.when.clone(),
            depends_on: field.depends_on.clone(),
            group: field.group.clone(),
            ..bare_field(&field.field_id)
        };
        let is_of_the_group = |fault: &FormFault| matches!(fault, FormFault::ScatteredGroup { .. });
        one.checked().err().filter(|fault| is_between_parts(fault) && !is_of_the_group(fault))
    };
    let of_group = |group: &Group| {
        let mut one = Form { groups: vec![group.clone()], ..grouped.clone() };
        for field in &mut one.fields {
            field.group = field.group.take().filter(|known| known == group.group_id.trim());
        }
        one.checked().err().filter(is_between_parts)
    };
    (0..form.fields.len()).filter_map(of_field).chain(groups.iter().filter_map(of_group)).collect()
}

/// Whether a fault lies between parts, and not in one.
fn is_between_parts(fault: &FormFault) -> bool {
    matches!(
        fault,
        FormFault::NotEarlier { .. }
            | FormFault::InsideGroup { .. }
            | FormFault::UnknownGroup { .. }
            | FormFault::ScatteredGroup { .. }
    )
}

/// A fault that was found with its part alone, told of the part's own place.
fn moved(mut fault: FormFault, from: &str, to: &str) -> FormFault {
    if let FormFault::Text { place, .. } | FormFault::Count { place, .. } = &mut fault {
        *place = place.replacen(from, to, 1);
    }
    fault
}

fn sound() -> Form {
    Form { title: "x".to_owned(), fields: vec![bare_field("x")], ..Form::default() }
}

fn bare_field(field_id: &str) -> Field {
    Field::new(field_id, "x", Kind::Text)
}

fn bare_group(group_id: &str) -> Group {
    Group { group_id: group_id.to_owned(), item: "x".to_owned(), min: 0, max: 1 }
}
