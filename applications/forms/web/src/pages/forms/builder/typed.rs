//! The draft as the builder's form sends it: pairs of names and texts, read into a form.
//!
//! Names look like `fields[K].label` and `fields[K].when[J].value`. A key only says what belongs together; the order of
//! the pairs is the order of the fields, so that a page can move a card without renaming anything. Where one field
//! points to another it may say `@K`, and then follows the other's id whatever becomes of it. A field without an id gets
//! one from its label.
//!
//! Whatever is typed can be read. Whether it can be asked is said by `forms::problems`.

use std::collections::{BTreeSet, HashMap};

use enza_interview::{Choice, Condition, Fact, Field, Form, Group, Kind, OneOrMore, Order};
use enza_kernel::text::Lang;

/// How long an id is made at most.
const LONGEST_ID: usize = 40;

/// A draft, and how its parts were called by the page that sent it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct TypedDraft {
    pub form: Form,
    /// The key of each field.
    pub keys: Vec<String>,
    pub group_keys: Vec<String>,
    /// The edition that it was made from.
    pub edition: u64,
    /// Which button was pressed.
    pub press: String,
}

type NamedTexts<'a> = Vec<(&'a str, &'a str)>;

impl TypedDraft {
    /// Reads what a form sent. None where its end is missing, which has the edition: a button that is pressed while the page
    /// is still being loaded sends the fields that are there already, and the others would be gone.
    pub(super) fn read(sent: &[(String, String)]) -> Option<Self> {
        let pairs: NamedTexts<'_> = sent.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let edition = one(&pairs, "edition").parse().ok()?;
        let (fields, groups) = (parts(&pairs, "fields"), parts(&pairs, "groups"));
        let ids = made_ids(&fields, &groups);
        let group_ids = made_group_ids(&groups, &ids);
        let known = |all: &[(&str, NamedTexts<'_>)], ids: &[String]| -> HashMap<String, String> {
            all.iter().map(|(key, _)| format!("@{key}")).zip(ids.iter().cloned()).collect()
        };
        let (field_of, group_of) = (known(&fields, &ids), known(&groups, &group_ids));
        let language = if one(&pairs, "language") == "en" { Lang::En } else { Lang::Ja };
        let around = FormContext { language, field_of: &field_of, group_of: &group_of };
        let form = Form {
            title: one(&pairs, "title").to_owned(),
            description: optional(&pairs, "description"),
            consent: optional(&pairs, "consent"),
            language,
            order: if one(&pairs, "order") == "fixed" { Order::Fixed } else { Order::Free },
            follow_ups: number(&pairs, "follow_ups"),
            fields: fields.iter().zip(ids).map(|((_, texts), id)| field(texts, id, &around)).collect(),
            groups: groups.iter().zip(group_ids).map(|((_, texts), id)| group(texts, id)).collect(),
        };
        let named = |all: &[(&str, NamedTexts<'_>)]| all.iter().map(|(key, _)| (*key).to_owned()).collect();
        Some(Self {
            form,
            keys: named(&fields),
            group_keys: named(&groups),
            edition,
            press: one(&pairs, "press").to_owned(),
        })
    }

    /// A draft that comes from the log: its keys are the places.
    pub(super) fn kept(form: Form, edition: u64) -> Self {
        let count = |many: usize| (0..many).map(|place| place.to_string()).collect();
        Self {
            keys: count(form.fields.len()),
            group_keys: count(form.groups.len()),
            form,
            edition,
            press: String::new(),
        }
    }
}

/// The entries of a list, in the order in which they come, each with what it has.
fn parts<'a>(pairs: &[(&'a str, &'a str)], list: &str) -> Vec<(&'a str, NamedTexts<'a>)> {
    let mut found: Vec<(&str, NamedTexts<'_>)> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (name, text) in pairs {
        let entry = name.strip_prefix(list).and_then(|rest| rest.strip_prefix('['));
        let Some((key, rest)) = entry.and_then(|rest| rest.split_once("].")) else { continue };
        if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            continue;
        }
        let place = *places.entry(key).or_insert(found.len());
        if place == found.len() {
            found.push((key, Vec::new()));
        }
        found[place].1.push((rest, text));
    }
    found
}

/// What a field needs to know of the rest of the form.
struct FormContext<'a> {
    language: Lang,
    field_of: &'a HashMap<String, String>,
    group_of: &'a HashMap<String, String>,
}

fn field(texts: &NamedTexts<'_>, field_id: String, around: &FormContext<'_>) -> Field {
    let FormContext { language, field_of, group_of } = *around;
    let kind = Kind::ALL.into_iter().find(|kind| kind.word() == one(texts, "kind")).unwrap_or_default();
    let bound = |name: &str| optional(texts, name).filter(|_| kind.has_bounds()).map(|text| text.trim().to_owned());
    let resolved = |text: &str| field_of.get(text).cloned().unwrap_or_else(|| text.to_owned());
    let rows = |list: &str| parts(texts, list);
    let depends = rows("depends").into_iter().map(|(_, row)| resolved(one(&row, "field")));
    Field {
        field_id,
        label: one(texts, "label").to_owned(),
        intent: optional(texts, "intent"),
        required: is_ticked(texts, "required"),
        kind,
        options: if kind.has_options() { options(one(texts, "options")) } else { Vec::new() },
        allow_other: kind.has_options() && is_ticked(texts, "allow_other"),
        min: bound("min"),
        max: bound("max"),
        when: rows("when").into_iter().filter_map(|(_, row)| condition(&row, resolved)).collect(),
        depends_on: depends.filter(|id| !id.is_empty()).collect(),
        group: optional(texts, "group").map(|text| group_of.get(&text).cloned().unwrap_or(text)),
        hidden: is_ticked(texts, "hidden"),
        sensitive: is_ticked(texts, "sensitive"),
        follow_ups: number(texts, "follow_ups"),
        facts: facts(rows("facts"), language),
    }
}

fn group(texts: &NamedTexts<'_>, group_id: String) -> Group {
    let Group { min, max, .. } = new_group();
    Group {
        group_id,
        item: one(texts, "item").to_owned(),
        min: number(texts, "min").unwrap_or(min),
        max: number(texts, "max").unwrap_or(max),
    }
}

/// A group as it is added.
pub(super) fn new_group() -> Group {
    Group { group_id: String::new(), item: String::new(), min: 1, max: 10 }
}

/// `value | label`, one on each line.
fn options(text: &str) -> Vec<Choice> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .map(|line| match line.split_once('|') {
            Some((value, label)) if !label.trim().is_empty() => {
                Choice { value: value.trim().to_owned(), label: Some(label.trim().to_owned()) }
            }
            Some((value, _)) => Choice::plain(value.trim()),
            None => Choice::plain(line),
        })
        .collect()
}

/// A row without a field says nothing and is dropped; one without a value stays, so that its author is told.
fn condition(row: &NamedTexts<'_>, resolved: impl Fn(&str) -> String) -> Option<Condition> {
    let field = resolved(one(row, "field"));
    let value = one(row, "value").trim();
    let blank = Condition { field, ..Condition::default() };
    if blank.field.is_empty() {
        return None;
    }
    let text = || (!value.is_empty()).then(|| value.to_owned());
    Some(match one(row, "test") {
        "is_not" => Condition { is_not: one_or_more(value), ..blank },
        "more_than" => Condition { more_than: text(), ..blank },
        "less_than" => Condition { less_than: text(), ..blank },
        "answered" => Condition { answered: Some(true), ..blank },
        "unanswered" => Condition { answered: Some(false), ..blank },
        _ => Condition { is: one_or_more(value), ..blank },
    })
}

fn one_or_more(text: &str) -> Option<OneOrMore> {
    let mut values: Vec<String> =
        text.split(';').map(str::trim).filter(|value| !value.is_empty()).map(str::to_owned).collect();
    match values.len() {
        0 => None,
        1 => values.pop().map(OneOrMore::One),
        _ => Some(OneOrMore::Any(values)),
    }
}

/// A fact that does not say when it is known well enough is known as soon as it is known.
fn facts(rows: Vec<(&str, NamedTexts<'_>)>, language: Lang) -> Vec<Fact> {
    let is_filled = |(_, row): &(&str, NamedTexts<'_>)| row.iter().any(|(_, text)| !text.trim().is_empty());
    let rows: Vec<_> = rows.into_iter().filter(is_filled).collect();
    let mut taken: BTreeSet<String> = rows.iter().map(|(_, row)| one(row, "key").trim().to_owned()).collect();
    let made = rows.iter().map(|(_, row)| {
        let key = one(row, "key").trim();
        let fact = one(row, "fact").to_owned();
        Fact {
            fact_key: match key {
                "" => distinct(&mut taken, slug(&fact).unwrap_or_else(|| "fact".to_owned())),
                key => key.to_owned(),
            },
            done_criteria: match one(row, "done") {
                done if done.trim().is_empty() => {
                    language.pick(format!("「{fact}」がわかる。"), format!("It is known: {fact}"))
                }
                done => done.to_owned(),
            },
            fact,
            questioning_hints: optional(row, "hints"),
        }
    });
    made.collect()
}

/// The ids, those that are missing made from the labels.
fn made_ids(fields: &[(&str, NamedTexts<'_>)], groups: &[(&str, NamedTexts<'_>)]) -> Vec<String> {
    let typed = |texts: &NamedTexts<'_>| one(texts, "field_id").trim().to_owned();
    let of_groups = groups.iter().map(|(_, texts)| one(texts, "group_id").trim().to_owned());
    let mut taken: BTreeSet<String> = fields.iter().map(|(_, texts)| typed(texts)).chain(of_groups).collect();
    let made = fields.iter().map(|(_, texts)| {
        let id = typed(texts);
        if !id.is_empty() {
            return id;
        }
        let kind = Kind::ALL.into_iter().find(|kind| kind.word() == one(texts, "kind")).unwrap_or_default();
        distinct(&mut taken, slug(one(texts, "label")).unwrap_or_else(|| kind.word().to_owned()))
    });
    made.collect()
}

fn made_group_ids(groups: &[(&str, NamedTexts<'_>)], fields: &[String]) -> Vec<String> {
    let typed = |texts: &NamedTexts<'_>| one(texts, "group_id").trim().to_owned();
    let mut taken: BTreeSet<String> =
        groups.iter().map(|(_, texts)| typed(texts)).chain(fields.iter().cloned()).collect();
    let made = groups.iter().map(|(_, texts)| match typed(texts) {
        id if id.is_empty() => distinct(&mut taken, slug(one(texts, "item")).unwrap_or_else(|| "group".to_owned())),
        id => id,
    });
    made.collect()
}

/// The ASCII words of a text with at least one letter among them, as an id.
fn slug(text: &str) -> Option<String> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    let mut id = String::new();
    for word in words.filter(|word| word.bytes().any(|byte| byte.is_ascii_alphabetic())) {
        let between = if id.is_empty() { "" } else { "_" };
        if id.len() + between.len() + word.len() > LONGEST_ID {
            break;
        }
        id += between;
        id += &word.to_ascii_lowercase();
    }
    (!id.is_empty()).then_some(id)
}

/// The id, with a number where it is taken.
pub(super) fn distinct(taken: &mut BTreeSet<String>, id: String) -> String {
    let numbered = (2..).map(|number| format!("{id}_{number}"));
    let free = std::iter::once(id.clone()).chain(numbered).find(|id| !taken.contains(id)).unwrap_or(id);
    taken.insert(free.clone());
    free
}

fn one<'a>(pairs: &[(&'a str, &'a str)], name: &str) -> &'a str {
    pairs.iter().rev().find(|(known, _)| *known == name).map_or("", |(_, text)| text)
}

/// A text as browsers send it, with the line ends that the log has.
fn optional(pairs: &NamedTexts<'_>, name: &str) -> Option<String> {
    let text = one(pairs, name).replace("\r\n", "\n");
    (!text.trim().is_empty()).then_some(text)
}

/// What is no number is beyond every limit, so that its author is told.
fn number(pairs: &NamedTexts<'_>, name: &str) -> Option<u32> {
    let text = one(pairs, name).trim();
    (!text.is_empty()).then(|| text.parse().unwrap_or(u32::MAX))
}

fn is_ticked(pairs: &NamedTexts<'_>, name: &str) -> bool {
    !one(pairs, name).is_empty()
}
