//! Reads when a property applies: `if` with `then` and `else`, and what one property needs of others.
//!
//! In a schema each rule stands alone, so a property that two of them name applies where either holds; a form's
//! conditions must all hold. Two rules become one condition where they ask for values of the same field, and otherwise
//! the first counts. Schemas forbid little where a condition is not met; a form then does not ask.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::super::remark::{Loss, Remark};
use super::conditions::{condition_on, negated};
use super::merged_object::{Location, MergedObject};
use super::read::SchemaReader;
use super::schema::{Keywords, leftovers};
use crate::form::{Condition, MOST_CONDITIONS, OneOrMore};

/// How deep the parts of a test may stand within each other.
const DEEPEST: usize = 3;

/// A rule as it was found.
pub(super) enum Rule<'a> {
    /// Where a test is passed, or is not, some properties apply.
    Branch { place: String, branch: Branch, test: &'a Value, then: &'a Value },
    /// Where a property is there, others are required.
    Needs { place: String, keyword: &'static str, name: &'a str, needed: Vec<&'a str> },
}

/// Which way a test went.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Branch {
    Then,
    Else,
}

impl Branch {
    fn keyword(self) -> &'static str {
        match self {
            Self::Then => "then",
            Self::Else => "else",
        }
    }
}

impl<'a> Rule<'a> {
    /// The rules among these keywords.
    pub(super) fn found(place: &str, keywords: &Keywords<'a>) -> Vec<Self> {
        let mut rules = Vec::new();
        if let Some(test) = keywords.get("if") {
            let branches = [Branch::Then, Branch::Else].into_iter();
            rules.extend(branches.filter_map(|branch| {
                let then = keywords.get(branch.keyword())?;
                Some(Self::Branch { place: place.to_owned(), branch, test, then })
            }));
        }
        for keyword in ["dependentRequired", "dependencies"] {
            let needs = keywords.get(keyword).and_then(|needs| needs.as_object());
            for (name, needed) in needs.into_iter().flatten() {
                // A schema instead of names is remarked on when the rule is applied: it needs nothing by name.
                let needed = needed.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
                rules.push(Self::Needs { place: place.to_owned(), keyword, name, needed });
            }
        }
        rules
    }
}

/// What the rules of one object ask for: the field, and when it applies.
type Wanted = BTreeMap<String, Vec<Condition>>;

impl<'a> SchemaReader<'a> {
    /// Adds the properties that only rules describe; they are the names returned.
    pub(super) fn add_from_rules(&mut self, whole: &mut MergedObject<'a>) -> BTreeSet<String> {
        let mut added = BTreeSet::new();
        for rule in std::mem::take(&mut whole.rules) {
            if let Rule::Branch { place, branch, then, .. } = &rule {
                let place = format!("{place}/{}", branch.keyword());
                let then = self.resolve(&place, then);
                let new = names(&then, "properties").filter(|name| !whole.has(name)).map(str::to_owned);
                added.extend(new.collect::<Vec<_>>());
                whole.add(&place, then.get("properties"));
            }
            whole.rules.push(rule);
        }
        added
    }

    /// Gives the fields of an object their conditions.
    pub(super) fn apply_rules(&mut self, spot: &Location, whole: &MergedObject<'a>, added: &BTreeSet<String>) {
        let mut wanted = Wanted::new();
        for rule in &whole.rules {
            match rule {
                Rule::Branch { place, branch, test, then } => {
                    let within = format!("{place}/{}", branch.keyword());
                    let then = self.resolve(&within, then);
                    leftovers(&within, &then, &["required", "properties"], &mut self.remarks);
                    self.refinements(spot, &within, &then, added);
                    let concerned: BTreeSet<&str> =
                        names(&then, "required").chain(names(&then, "properties")).collect();
                    let open = self.open(spot, &within, concerned.into_iter());
                    if open.is_empty() {
                        continue;
                    }
                    let Some(conditions) = self.test(spot, place, test, *branch) else {
                        self.remarks.push(Remark::new(place, "if", Loss::LeftOut));
                        continue;
                    };
                    let required: BTreeSet<&str> = names(&then, "required").collect();
                    for (name, id) in open {
                        self.want(&mut wanted, place, &id, &conditions, required.contains(name));
                    }
                }
                Rule::Needs { place, keyword, name, needed } => {
                    let source = self.field_behind(spot, name);
                    let (Some(source), false) = (source, needed.is_empty()) else {
                        self.remarks.push(Remark::new(place, keyword, Loss::LeftOut));
                        continue;
                    };
                    let answered = Condition { field: source, answered: Some(true), ..Condition::default() };
                    for (_, id) in self.open(spot, place, needed.iter().copied()) {
                        self.want(&mut wanted, place, &id, std::slice::from_ref(&answered), true);
                    }
                }
            }
        }
        self.settle(spot, wanted);
    }

    fn settle(&mut self, spot: &Location, wanted: Wanted) {
        for (id, conditions) in wanted {
            let Some(field) = self.fields.iter_mut().find(|field| field.field_id == id) else { continue };
            field.when.extend(conditions);
            if field.when.len() > MOST_CONDITIONS {
                field.when.truncate(MOST_CONDITIONS);
                self.remarks.push(Remark::new(&spot.place, &id, Loss::UnusableCondition));
            }
        }
    }

    /// The fields behind these names whose conditions are not settled yet.
    fn open<'n>(
        &mut self,
        spot: &Location,
        place: &str,
        names: impl Iterator<Item = &'n str>,
    ) -> Vec<(&'n str, String)> {
        let mut open = Vec::new();
        for name in names {
            match self.targets.get(&spot.key(name)) {
                Some(ids) => {
                    let unsettled = ids.iter().filter(|id| !self.settled.contains(*id));
                    open.extend(unsettled.map(|id| (name, id.clone())));
                }
                None => self.remarks.push(Remark::new(place, name, Loss::UnknownField)),
            }
        }
        open
    }

    /// A branch may say more about a property that was already described; a form cannot.
    fn refinements(&mut self, spot: &Location, place: &str, then: &Keywords<'a>, added: &BTreeSet<String>) {
        let properties = then.get("properties").and_then(|properties| properties.as_object());
        for (name, schema) in properties.into_iter().flatten() {
            let says_more = schema.as_object().is_some_and(|schema| schema.keys().any(|key| key != "propertyOrder"));
            let is_known = self.targets.contains_key(&spot.key(name)) && !added.contains(name);
            if says_more && is_known {
                self.remarks.push(Remark::new(&format!("{place}/properties/{name}"), name, Loss::LeftOut));
            }
        }
    }

    fn want(&mut self, wanted: &mut Wanted, place: &str, id: &str, conditions: &[Condition], required: bool) {
        let either = match wanted.get(id) {
            None => Some(conditions.to_vec()),
            Some(before) if before == conditions => Some(conditions.to_vec()),
            Some(before) => either(before, conditions),
        };
        let Some(either) = either else {
            self.remarks.push(Remark::new(place, "if", Loss::LeftOut));
            return;
        };
        wanted.insert(id.to_owned(), either);
        if let Some(field) = self.fields.iter_mut().find(|field| field.field_id == id) {
            field.required |= required;
        }
    }

    fn test(&mut self, spot: &Location, place: &str, test: &'a Value, branch: Branch) -> Option<Vec<Condition>> {
        let conditions = self.conditions(spot, place, test, 0)?;
        match branch {
            Branch::Then => Some(conditions),
            Branch::Else => {
                let [only] = <[Condition; 1]>::try_from(conditions).ok()?;
                Some(vec![negated(only)?])
            }
        }
    }

    fn conditions(&mut self, spot: &Location, place: &str, test: &'a Value, depth: usize) -> Option<Vec<Condition>> {
        let test = self.resolve(place, test);
        if self.is_spent() {
            return None;
        }
        let mut conditions = Vec::new();
        for (keyword, value) in &test {
            match *keyword {
                "properties" => {
                    for (name, test) in value.as_object()? {
                        conditions.push(condition_on(&self.field_behind(spot, name)?, test)?);
                    }
                }
                "required" => {
                    let tested: BTreeSet<&str> = names(&test, "properties").collect();
                    for name in names(&test, "required").filter(|name| !tested.contains(name)) {
                        let field = self.field_behind(spot, name)?;
                        conditions.push(Condition { field, answered: Some(true), ..Condition::default() });
                    }
                }
                "not" => {
                    let missing = value.as_object().filter(|missing| missing.len() == 1)?.get("required")?;
                    let [name] = missing.as_array()?.as_slice() else { return None };
                    let field = self.field_behind(spot, name.as_str()?)?;
                    conditions.push(Condition { field, answered: Some(false), ..Condition::default() });
                }
                "allOf" if depth < DEEPEST => {
                    for part in value.as_array()? {
                        conditions.extend(self.conditions(spot, place, part, depth + 1)?);
                    }
                }
                "type" | "title" | "description" | "$comment" => {}
                _ => return None,
            }
        }
        (!conditions.is_empty()).then_some(conditions)
    }

    /// The one field that a name in here stands for.
    fn field_behind(&self, spot: &Location, name: &str) -> Option<String> {
        match self.targets.get(&spot.key(name))?.as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        }
    }
}

/// The condition that holds where either does, if one can say so.
fn either(one: &[Condition], other: &[Condition]) -> Option<Vec<Condition>> {
    let ([one], [other]) = (one, other) else { return None };
    let only_is = |condition: &Condition| Condition { is: None, ..condition.clone() };
    let blank = Condition { field: one.field.clone(), ..Condition::default() };
    if only_is(one) != blank || only_is(other) != blank {
        return None;
    }
    let values = [one, other].into_iter().flat_map(|condition| condition.is.iter().flat_map(OneOrMore::values));
    let mut either: Vec<String> = Vec::new();
    for value in values {
        if !either.contains(value) {
            either.push(value.clone());
        }
    }
    Some(vec![Condition { is: Some(OneOrMore::Any(either)), ..blank }])
}

/// The names in a list of names, or the keys of an object.
fn names<'a>(keywords: &Keywords<'a>, keyword: &str) -> impl Iterator<Item = &'a str> + use<'a> {
    let value = keywords.get(keyword).copied();
    let listed = value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    listed.chain(value.and_then(Value::as_object).into_iter().flatten().map(|(name, _)| name.as_str()))
}
