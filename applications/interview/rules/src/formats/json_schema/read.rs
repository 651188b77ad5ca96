//! Reads a JSON Schema as a form: properties become fields, arrays of objects become groups.
//!
//! Drafts 7 and 2020-12, as people and generators write them. An object within the object has no counterpart, so its
//! fields stand in the form itself. What is read is bounded by a number of visits, whatever the schema points to.

use std::collections::{BTreeMap, BTreeSet};

use enza_kernel::limits;
use serde_json::Value;

use super::super::arrange::arrange;
use super::super::remark::{Loss, Remark};
use super::kinds::shape;
use super::merged_object::{Location, MergedObject, Property};
use super::names::{Ids, fitted, language_of};
use super::rules::Rule;
use super::schema::{Keywords, is_blank, is_schema, leftovers, resolve, text, types, weight};
use super::{FieldExtension, FormExtension, GroupExtension, OURS};
use crate::form::{Field, Form, FormFault, Group, Kind, MOST_ITEMS, PREAMBLE};
use crate::words::words;

/// How many schemas are looked at. A form has far fewer fields.
const MOST_VISITS: usize = 2_000;
/// How many keywords, and elements of their values, make up one visit.
const WEIGHT_OF_A_VISIT: usize = 50;
/// How deep objects may stand within each other.
const DEEPEST: usize = 4;
/// What makes up an object, and is read.
const OF_OBJECTS: [&str; 8] =
    ["properties", "required", "allOf", "if", "then", "else", "dependentRequired", "dependencies"];

/// The form that a JSON Schema describes, and what of the schema it could not keep.
pub fn read_json_schema(schema: &Value) -> Result<(Form, Vec<Remark>), FormFault> {
    if !is_schema(schema) {
        let why = "a JSON Schema of an object is needed: \"type\": \"object\" with \"properties\"";
        return Err(FormFault::Unreadable { why: why.to_owned() });
    }
    let mut reader = SchemaReader::new(schema);
    let top = reader.resolve("#", schema);
    let ours: FormExtension = reader.ours("#", &top).unwrap_or_default();
    reader.object(&Location::top(), top.clone(), true);
    if reader.is_spent() {
        let place = "properties".to_owned();
        return Err(FormFault::Count { place, count: reader.visits, most: MOST_VISITS });
    }
    let SchemaReader { mut remarks, fields, mut groups, .. } = reader;
    groups.sort_by_key(|(nth, _)| *nth);
    let labels = fields.iter().map(|field| field.label.as_str());
    let language =
        if top.contains_key(OURS) { ours.language } else { language_of(text(&top, "title").into_iter().chain(labels)) };
    let title = text(&top, "title").unwrap_or_else(|| {
        remarks.push(Remark::new(
            "#",
            "title",
            Loss::Renamed { to: words(language).say("json-schema.untitled").to_owned() },
        ));
        words(language).say("json-schema.untitled")
    });
    let mut form = Form {
        title: fitted(limits::TITLE, "#", "title", title, &mut remarks),
        description: text(&top, "description").map(|text| fitted(PREAMBLE, "#", "description", text, &mut remarks)),
        consent: ours.consent,
        language,
        order: ours.order,
        follow_ups: ours.follow_ups,
        fields,
        groups: groups.into_iter().map(|(_, group)| group).collect(),
    };
    remarks.extend(arrange(&mut form));
    Ok((form.checked()?, each_once(remarks)))
}

/// A schema that is pointed to twice has the same flaws twice.
fn each_once(remarks: Vec<Remark>) -> Vec<Remark> {
    let mut seen = BTreeSet::new();
    remarks.into_iter().filter(|remark| seen.insert(remark.clone())).collect()
}

/// What has been read so far.
pub(super) struct SchemaReader<'a> {
    pub root: &'a Value,
    pub remarks: Vec<Remark>,
    visits: usize,
    pub fields: Vec<Field>,
    groups: Vec<(u64, Group)>,
    ids: Ids,
    /// The fields behind each name.
    pub targets: BTreeMap<Vec<String>, Vec<String>>,
    /// The fields whose conditions `x-enza` said.
    pub settled: BTreeSet<String>,
}

impl<'a> SchemaReader<'a> {
    fn new(root: &'a Value) -> Self {
        Self {
            root,
            remarks: Vec::new(),
            visits: 0,
            fields: Vec::new(),
            groups: Vec::new(),
            ids: Ids::default(),
            targets: BTreeMap::new(),
            settled: BTreeSet::new(),
        }
    }

    /// The keywords of a schema. A large one counts as several visits, since it can be pointed to from everywhere.
    pub(super) fn resolve(&mut self, place: &str, schema: &'a Value) -> Keywords<'a> {
        let keywords = resolve(self.root, place, schema, &mut self.remarks);
        self.visits += 1 + weight(&keywords) / WEIGHT_OF_A_VISIT;
        keywords
    }

    pub(super) fn is_spent(&self) -> bool {
        self.visits > MOST_VISITS
    }

    fn ours<T: serde::de::DeserializeOwned>(&mut self, place: &str, keywords: &Keywords<'a>) -> Option<T> {
        let read = T::deserialize(*keywords.get(OURS)?);
        if read.is_err() {
            self.remarks.push(Remark::new(place, OURS, Loss::LeftOut));
        }
        read.ok()
    }

    fn object(&mut self, spot: &Location, keywords: Keywords<'a>, required: bool) {
        let mut whole = MergedObject::default();
        self.layer(&spot.place, keywords, 0, &mut whole);
        let added = self.add_from_rules(&mut whole);
        whole.properties.sort_by_key(|property| property.order);
        for property in std::mem::take(&mut whole.properties) {
            let first = self.fields.len();
            let required = required && whole.required.contains(property.name);
            self.property(spot, &property, required);
            let added = self.fields[first..].iter().map(|field| field.field_id.clone()).collect();
            self.targets.insert(spot.key(property.name), added);
        }
        self.apply_rules(spot, &whole, &added);
    }

    /// Adds a schema, and those it is made up of, to an object.
    fn layer(&mut self, place: &str, keywords: Keywords<'a>, depth: usize, whole: &mut MergedObject<'a>) {
        if self.is_spent() {
            return;
        }
        whole.add(place, keywords.get("properties"));
        let required = keywords.get("required").and_then(|names| names.as_array());
        whole.required.extend(required.into_iter().flatten().filter_map(Value::as_str));
        whole.rules.extend(Rule::found(place, &keywords));
        let is_flag = |keyword: &&str| keywords.get(keyword).is_some_and(|value| value.is_boolean());
        let flags = ["additionalProperties", "unevaluatedProperties"].into_iter().filter(is_flag);
        leftovers(place, &keywords, &flags.chain(OF_OBJECTS).collect::<Vec<_>>(), &mut self.remarks);
        let parts = keywords.get("allOf").and_then(|parts| parts.as_array());
        for (nth, part) in parts.into_iter().flatten().enumerate() {
            let place = format!("{place}/allOf/{nth}");
            if depth == DEEPEST {
                self.remarks.push(Remark::new(&place, "allOf", Loss::LeftOut));
            } else {
                let part = self.resolve(&place, part);
                self.layer(&place, part, depth + 1, whole);
            }
        }
    }

    fn property(&mut self, spot: &Location, property: &Property<'a>, required: bool) {
        if self.is_spent() {
            return;
        }
        let Property { name, place, schema, .. } = property;
        if **schema == Value::Bool(false) {
            self.remarks.push(Remark::new(place, name, Loss::LeftOut));
            return;
        }
        let keywords = self.resolve(place, schema);
        let inner = spot.within(place, name);
        if is_object(&keywords) && inner.path.len() <= DEEPEST {
            self.remarks.push(Remark::new(place, "object", Loss::Flattened));
            let called = self.label(&inner, &keywords, "");
            self.object(
                &Location { called: Some(called).filter(|called| !called.is_empty()), ..inner },
                keywords,
                required,
            );
            return;
        }
        let items = keywords.get("items").map(|items| self.resolve(&format!("{place}/items"), items));
        if self.is_spent() {
            return;
        }
        match items {
            Some(items) if is_object(&items) && spot.group.is_none() => {
                self.group(&inner, name, &keywords, items, required);
            }
            Some(_) | None => self.field(&inner, name, &keywords, required),
        }
    }

    fn group(&mut self, spot: &Location, name: &str, array: &Keywords<'a>, items: Keywords<'a>, required: bool) {
        let place = &spot.place;
        let group_id = self.id(spot, name);
        let ours: Option<GroupExtension> = self.ours(place, array);
        let name = if is_blank(name) { group_id.as_str() } else { name };
        let called = text(&items, "title").or_else(|| text(array, "title")).unwrap_or(name);
        let item = fitted(limits::NAME, place, "title", called, &mut self.remarks);
        let mut count = |keyword: &str, usual: u32| {
            let count = array.get(keyword).and_then(|count| count.as_u64()).unwrap_or(u64::from(usual));
            if count > u64::from(MOST_ITEMS) {
                self.remarks.push(Remark::new(place, keyword, Loss::Lowered { to: MOST_ITEMS }));
            }
            u32::try_from(count).unwrap_or(MOST_ITEMS).min(MOST_ITEMS)
        };
        let (min, max) = (count("minItems", u32::from(required)), count("maxItems", MOST_ITEMS));
        leftovers(place, array, &["items", "minItems", "maxItems", "uniqueItems"], &mut self.remarks);
        if text(array, "description").is_some() {
            self.remarks.push(Remark::new(place, "description", Loss::LeftOut));
        }
        let first = self.fields.len();
        let within = Location {
            place: format!("{place}/items"),
            path: spot.path.clone(),
            group: Some(group_id.clone()),
            called: None,
        };
        self.object(&within, items, true);
        if self.fields.len() == first {
            self.remarks.push(Remark::new(place, "items", Loss::LeftOut));
            return;
        }
        let nth = ours.map_or(u64::MAX, |ours| ours.nth);
        self.groups.push((nth, Group { group_id, item, min, max }));
    }

    fn field(&mut self, spot: &Location, name: &str, keywords: &Keywords<'a>, required: bool) {
        let place = &spot.place;
        let field_id = self.id(spot, name);
        let ours: Option<FieldExtension> = self.ours(place, keywords);
        if ours.is_some() {
            self.settled.insert(field_id.clone());
        }
        let ours = ours.unwrap_or_default();
        let shape = shape(self.root, place, keywords, &mut self.remarks);
        let has_text_kind = shape.kind.is_free_text() && ours.kind.is_free_text() && self.settled.contains(&field_id);
        let intent = text(keywords, "description");
        let name = if is_blank(name) { field_id.as_str() } else { name };
        let field = Field {
            label: self.label(spot, keywords, name),
            intent: intent.map(|text| fitted(limits::NOTE, place, "description", text, &mut self.remarks)),
            required: (required || ours.required) && !ours.hidden,
            kind: if has_text_kind { ours.kind } else { shape.kind },
            options: shape.options,
            allow_other: shape.allow_other || ours.allow_other,
            min: respelt(shape.kind, shape.min, ours.min),
            max: respelt(shape.kind, shape.max, ours.max),
            when: ours.when,
            depends_on: ours.depends_on,
            group: spot.group.clone(),
            hidden: ours.hidden,
            sensitive: ours.sensitive || shape.sensitive,
            follow_ups: ours.follow_ups,
            facts: ours.facts,
            field_id,
        };
        self.fields.push(field);
    }

    fn id(&mut self, spot: &Location, name: &str) -> String {
        let path: Vec<&str> = spot.path.iter().map(String::as_str).collect();
        let id = self.ids.take(&path);
        if id != name {
            self.remarks.push(Remark::new(&spot.place, name, Loss::Renamed { to: id.clone() }));
        }
        id
    }

    /// What the respondent sees: its title, after those of the objects around it.
    fn label(&mut self, spot: &Location, keywords: &Keywords<'a>, name: &str) -> String {
        let own = text(keywords, "title").unwrap_or(name);
        let label = match &spot.called {
            Some(called) if !own.is_empty() => format!("{called}: {own}"),
            Some(called) => called.clone(),
            None => own.to_owned(),
        };
        fitted(limits::TITLE, &spot.place, "title", &label, &mut self.remarks)
    }
}

fn is_object(keywords: &Keywords<'_>) -> bool {
    let has_properties = keywords.get("properties").is_some_and(|properties| properties.is_object());
    matches!(types(keywords)[..], ["object"] | []) && (has_properties || keywords.contains_key("allOf"))
}

/// The number as it was spelt, if it still is that number.
fn respelt(kind: Kind, bound: Option<String>, spelling: Option<String>) -> Option<String> {
    let size = |text: &str| text.parse::<f64>().ok();
    let is_same = |spelling: &String| kind.is_numeric() && bound.as_deref().and_then(size) == size(spelling);
    spelling.filter(is_same).or(bound)
}
