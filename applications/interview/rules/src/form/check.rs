//! Whether a form can be asked: every text and every reference, and the bounds of everything that grows.

use std::collections::BTreeSet;

use enza_kernel::limits::{self, Limit};
use jiff::civil::{Date, Time};

use super::fault::FormFault;
use super::kind::{Choice, Kind};
use super::{
    Condition, FACT, Fact, Field, Form, Group, MOST_CONDITIONS, MOST_FACTS, MOST_FIELDS, MOST_FOLLOW_UPS, MOST_GROUPS,
    MOST_ITEMS, MOST_OPTIONS, PREAMBLE,
};

impl Form {
    /// The form with the space around its texts gone, if it can be asked.
    pub fn checked(self) -> Result<Self, FormFault> {
        if self.fields.is_empty() || self.fields.len() > MOST_FIELDS {
            return Err(FormFault::FieldCount { count: self.fields.len() });
        }
        let ids = self.fields.iter().map(|field| field.field_id.trim());
        let groups = self.groups.iter().map(|group| group.group_id.trim());
        if let Some(twice) = first_repeated(ids.chain(groups)) {
            return Err(FormFault::RepeatedField { field_id: twice });
        }
        if self.groups.len() > MOST_GROUPS {
            return Err(FormFault::Count { place: "groups".to_owned(), count: self.groups.len(), most: MOST_GROUPS });
        }
        follow_ups("followUps", self.follow_ups)?;
        let fields = self.fields.iter().enumerate().map(|(place, field)| field.checked(place));
        let groups = self.groups.iter().enumerate().map(|(place, group)| group.checked(place));
        let form = Self {
            title: text(limits::TITLE, "title", &self.title)?,
            description: optional(PREAMBLE, "description", self.description.as_deref())?,
            consent: optional(PREAMBLE, "consent", self.consent.as_deref())?,
            language: self.language,
            order: self.order,
            follow_ups: self.follow_ups,
            fields: fields.collect::<Result<_, _>>()?,
            groups: groups.collect::<Result<_, _>>()?,
        };
        form.references_are_sound()?;
        Ok(form)
    }

    /// Conditions look back, never ahead or in a circle; groups stand together.
    fn references_are_sound(&self) -> Result<(), FormFault> {
        for (place, field) in self.fields.iter().enumerate() {
            let conditions = field.when.iter().map(|condition| condition.field.as_str());
            for looked_at in conditions.chain(field.depends_on.iter().map(String::as_str)) {
                let target = self.find(looked_at).filter(|(earlier, _)| *earlier < place);
                let Some((_, target)) = target else {
                    return Err(FormFault::NotEarlier {
                        field_id: field.field_id.clone(),
                        other: looked_at.to_owned(),
                    });
                };
                // Outside the group nobody could tell which item is meant.
                if target.group.is_some() && target.group != field.group {
                    return Err(FormFault::InsideGroup {
                        field_id: field.field_id.clone(),
                        other: looked_at.to_owned(),
                    });
                }
            }
            if let Some(group) = field.group.as_ref().filter(|group| self.group(group).is_none()) {
                return Err(FormFault::UnknownGroup { field_id: field.field_id.clone(), group: group.clone() });
            }
        }
        for group in &self.groups {
            let within = |field: &Field| field.group.as_deref() == Some(&group.group_id);
            let (first, last) = (self.fields.iter().position(within), self.fields.iter().rposition(within));
            let stands_together = match (first, last) {
                (Some(first), Some(last)) => self.fields[first..=last].iter().all(within),
                (None, None) | (Some(_), None) | (None, Some(_)) => false,
            };
            if !stands_together {
                return Err(FormFault::ScatteredGroup { group: group.group_id.clone() });
            }
        }
        Ok(())
    }
}

impl Field {
    fn checked(&self, place: usize) -> Result<Self, FormFault> {
        let at = |part: &str| format!("fields[{place}].{part}");
        let field_id = id(&at("fieldId"), &self.field_id)?;
        if let Some(fact_key) = first_repeated(self.facts.iter().map(|fact| fact.fact_key.trim())) {
            return Err(FormFault::RepeatedFact { field_id, fact_key });
        }
        counted(&at("facts"), self.facts.len(), MOST_FACTS)?;
        counted(&at("when"), self.when.len(), MOST_CONDITIONS)?;
        counted(&at("dependsOn"), self.depends_on.len(), MOST_FIELDS)?;
        if let Some(empty) = self.when.iter().find(|condition| condition.is_empty()) {
            return Err(FormFault::EmptyCondition { field_id, other: empty.field.clone() });
        }
        follow_ups(&at("followUps"), self.follow_ups)?;
        self.bounds_are_sound(&field_id)?;
        if self.hidden && self.required {
            return Err(FormFault::HiddenRequired { field_id });
        }
        let facts = self.facts.iter().enumerate().map(|(nth, fact)| fact.checked(&at(&format!("facts[{nth}]"))));
        Ok(Self {
            label: text(limits::TITLE, &at("label"), &self.label)?,
            intent: optional(limits::NOTE, &at("intent"), self.intent.as_deref())?,
            options: options(&at("options"), &field_id, self.kind, &self.options)?,
            when: self.when.iter().map(Condition::trimmed).collect(),
            facts: facts.collect::<Result<_, _>>()?,
            field_id,
            ..self.clone()
        })
    }

    fn bounds_are_sound(&self, field_id: &str) -> Result<(), FormFault> {
        let fault = || FormFault::BadBounds { field_id: field_id.to_owned() };
        let bounds = [&self.min, &self.max];
        if bounds.into_iter().flatten().next().is_some() && !self.kind.has_bounds() {
            return Err(fault());
        }
        if bounds.into_iter().flatten().any(|bound| !is_bound(self.kind, bound)) {
            return Err(fault());
        }
        let empty = self.max.as_ref().is_some_and(|max| {
            let below = Condition { less_than: Some(max.clone()), ..Condition::default() };
            self.min.as_ref().is_some_and(|min| min != max && !below.holds(Some(min)))
        });
        if empty { Err(fault()) } else { Ok(()) }
    }
}

/// Whether a bound is spelt as values of its kind are kept.
fn is_bound(kind: Kind, bound: &str) -> bool {
    match kind {
        Kind::Number => bound.parse::<f64>().is_ok_and(f64::is_finite),
        Kind::Integer => bound.parse::<f64>().is_ok_and(|bound| bound.is_finite() && bound.fract() == 0.0),
        Kind::Date => bound.parse::<Date>().is_ok_and(|day| day.to_string() == bound),
        Kind::Time => bound.parse::<Time>().is_ok_and(|time| time.strftime("%H:%M").to_string() == bound),
        Kind::Text
        | Kind::LongText
        | Kind::Choice
        | Kind::Choices
        | Kind::Email
        | Kind::Phone
        | Kind::YesNo
        | Kind::File => false,
    }
}

impl Condition {
    fn trimmed(&self) -> Self {
        Self { field: self.field.trim().to_owned(), ..self.clone() }
    }
}

impl Fact {
    fn checked(&self, place: &str) -> Result<Self, FormFault> {
        Ok(Self {
            fact_key: id(&format!("{place}.factKey"), &self.fact_key)?,
            fact: text(FACT, &format!("{place}.fact"), &self.fact)?,
            done_criteria: text(FACT, &format!("{place}.doneCriteria"), &self.done_criteria)?,
            questioning_hints: optional(FACT, &format!("{place}.questioningHints"), self.questioning_hints.as_deref())?,
        })
    }
}

impl Group {
    fn checked(&self, place: usize) -> Result<Self, FormFault> {
        let at = |part: &str| format!("groups[{place}].{part}");
        let group_id = id(&at("groupId"), &self.group_id)?;
        if self.max == 0 || self.max > MOST_ITEMS || self.min > self.max {
            return Err(FormFault::BadItems { group: group_id });
        }
        Ok(Self { item: text(limits::NAME, &at("item"), &self.item)?, group_id, ..self.clone() })
    }
}

fn options(place: &str, field_id: &str, kind: Kind, options: &[Choice]) -> Result<Vec<Choice>, FormFault> {
    counted(place, options.len(), MOST_OPTIONS)?;
    if kind.has_options() == options.is_empty() {
        return Err(FormFault::BadOptions { field_id: field_id.to_owned() });
    }
    let checked = options.iter().enumerate().map(|(nth, option)| {
        let value = text(limits::TITLE, &format!("{place}[{nth}].value"), &option.value)?;
        let label = optional(limits::TITLE, &format!("{place}[{nth}].label"), option.label.as_deref())?;
        // A semicolon stands between several choices of one answer.
        if value.contains(';') { Err(FormFault::BadId { id: value }) } else { Ok(Choice { value, label }) }
    });
    let checked: Vec<Choice> = checked.collect::<Result<_, _>>()?;
    match first_repeated(checked.iter().map(|option| option.value.as_str())) {
        Some(_) => Err(FormFault::BadOptions { field_id: field_id.to_owned() }),
        None => Ok(checked),
    }
}

fn follow_ups(place: &str, most: Option<u32>) -> Result<(), FormFault> {
    counted(place, most.unwrap_or(0) as usize, MOST_FOLLOW_UPS as usize)
}

fn counted(place: &str, count: usize, most: usize) -> Result<(), FormFault> {
    if count > most { Err(FormFault::Count { place: place.to_owned(), count, most }) } else { Ok(()) }
}

fn first_repeated<'a>(ids: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut seen = BTreeSet::new();
    ids.into_iter().find(|id| !seen.insert(*id)).map(str::to_owned)
}

fn text(limit: Limit, place: &str, text: &str) -> Result<String, FormFault> {
    limit.check(text).map_err(|unfit| FormFault::Text { place: place.to_owned(), unfit })
}

/// An empty text says as little as a missing one.
fn optional(limit: Limit, place: &str, text: Option<&str>) -> Result<Option<String>, FormFault> {
    let Some(text) = text else { return Ok(None) };
    let text = limit.check_optional(text).map_err(|unfit| FormFault::Text { place: place.to_owned(), unfit })?;
    Ok((!text.is_empty()).then_some(text))
}

/// Ids are names for machines: they become keys of rows and of exports. A point is left to the items of groups.
fn id(place: &str, id: &str) -> Result<String, FormFault> {
    let id = text(limits::NAME, place, id)?;
    if id.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter)) {
        Ok(id)
    } else {
        Err(FormFault::BadId { id })
    }
}
