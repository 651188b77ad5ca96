//! An object of a schema, put together from everything that describes it, and where it stands in the form.
//!
//! Several schemas may describe one object: its own, those it is made up of, and the branches of its rules. What was
//! said first about a property counts.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::ordered::PROPERTY_ORDER;
use super::OURS;
use super::rules::Rule;

/// Where in the form a schema stands.
pub(super) struct Location {
    pub place: String,
    pub path: Vec<String>,
    pub group: Option<String>,
    /// What the objects around it are called.
    pub called: Option<String>,
}

impl Location {
    pub(super) fn top() -> Self {
        Self { place: "#".to_owned(), path: Vec::new(), group: None, called: None }
    }

    pub(super) fn within(&self, place: &str, name: &str) -> Self {
        let path = self.path.iter().cloned().chain([name.to_owned()]).collect();
        Self { place: place.to_owned(), path, group: self.group.clone(), called: self.called.clone() }
    }

    /// By what a name in here is known to conditions.
    pub(super) fn key(&self, name: &str) -> Vec<String> {
        self.path.iter().cloned().chain([name.to_owned()]).collect()
    }
}

/// A property as it was found.
pub(super) struct Property<'a> {
    pub name: &'a str,
    pub place: String,
    pub schema: &'a Value,
    /// The layer it stood in, then its place there.
    pub order: (usize, u64),
}

/// An object with everything that was put together to make it.
#[derive(Default)]
pub(super) struct MergedObject<'a> {
    pub properties: Vec<Property<'a>>,
    pub required: BTreeSet<&'a str>,
    pub rules: Vec<Rule<'a>>,
    names: BTreeSet<&'a str>,
    layers: usize,
}

impl<'a> MergedObject<'a> {
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Adds what is not there yet.
    pub(super) fn add(&mut self, place: &str, properties: Option<&&'a Value>) {
        for (name, schema) in properties.and_then(|properties| properties.as_object()).into_iter().flatten() {
            if self.names.insert(name) {
                let ours = schema.get(OURS).and_then(|ours| ours.get("order"));
                let order = ours.or_else(|| schema.get(PROPERTY_ORDER)).and_then(Value::as_u64);
                let order = (self.layers, order.unwrap_or(u64::MAX));
                let place = format!("{place}/properties/{}", name.replace('~', "~0").replace('/', "~1"));
                self.properties.push(Property { name, place, schema, order });
            }
        }
        self.layers += 1;
    }
}
