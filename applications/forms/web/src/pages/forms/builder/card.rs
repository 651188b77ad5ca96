//! A field of the draft as a card: what is always wanted in sight, the seldom ones folded away.
//!
//! Which entries fit the chosen kind is shown by style alone, so that it is right before any script runs. Rows of
//! conditions, references and facts end with an empty one; filling it is how another is made.

use enza_interview::{Condition, Fact, Field, Kind, OneOrMore};
use enza_server::design::{Field as Entry, FieldKind, checkbox, field as entry};
use enza_server::words::Words;
use maud::{Markup, html};

use super::typed::TypedDraft;

/// The key of the card that new ones are made from; no card that was sent has it.
pub(super) const BLANK: &str = "BLANK";
const MOST_FOLLOW_UPS: u32 = 5;

/// A field with its key, and what else there is to point to.
pub(super) struct Card<'a> {
    /// The draft around it.
    pub typed: &'a TypedDraft,
    /// Its key on the page.
    pub key: &'a str,
    /// Its place; past the end for a new one.
    pub place: usize,
    pub field: &'a Field,
    pub faults: Vec<&'a str>,
}

/// The card.
pub(super) fn card(words: Words, card: &Card<'_>) -> Markup {
    let Card { key, field, place, .. } = *card;
    let name = |part: &str| format!("fields[{key}].{part}");
    let number = (place + 1).to_string();
    let heading = format!("field-{key}-title");
    let shown = if field.label.trim().is_empty() { words.say("builder.unnamed") } else { field.label.trim() };
    html! {
        li.field-card id={ "field-" (key) } data-key=(key) data-has-faults[!card.faults.is_empty()] {
            div.card-head {
                button.handle type="button" data-drag tabindex="-1" aria-hidden="true" hidden { (grip()) }
                span.card-place data-place { (number) }
                h3.card-name id=(heading) tabindex="-1" data-unnamed=(words.say("builder.unnamed")) { (shown) }
                (moves(words, card))
            }
            div role="group" aria-labelledby=(heading) {
                ul.card-faults data-faults { @for fault in &card.faults { li.error { (fault) } } }
                div.card-main {
                    (entry(words, &Entry::dense(&name("label"), words.say("builder.label"), &field.label)))
                    (kinds(words, &name("kind"), field.kind))
                }
                (by_kind(words, key, field))
                (entry(words, &Entry {
                    kind: FieldKind::Area { rows: 1 },
                    hint: Some(words.say("builder.intent_hint")),
                    ..Entry::dense(&name("intent"), words.say("builder.intent"), field.intent.as_deref().unwrap_or_default())
                }))
                (checkbox(&name("required"), words.say("builder.required"), field.required))
                (facts(words, key, &field.facts))
                (seldom(words, card))
            }
        }
    }
}

fn moves(words: Words, card: &Card<'_>) -> Markup {
    let Card { key, place, .. } = *card;
    let last = card.typed.form.fields.len().saturating_sub(1);
    let shown = if card.field.label.trim().is_empty() { words.say("builder.unnamed") } else { card.field.label.trim() };
    let press = |act: &str| format!("{act}:{key}");
    let about = |label: &str| format!("{label}: {shown}");
    html! {
        div.card-moves {
            button.button.quiet type="submit" name="press" value=(press("up")) data-press="up" disabled[place == 0]
                aria-label=(about(words.say("builder.up"))) title=(words.say("builder.up_title")) { span aria-hidden="true" { "↑" } }
            button.button.quiet type="submit" name="press" value=(press("down")) data-press="down" disabled[place == last]
                aria-label=(about(words.say("builder.down"))) title=(words.say("builder.down_title")) { span aria-hidden="true" { "↓" } }
            button.button.quiet type="submit" name="press" value=(press("duplicate")) data-press="duplicate"
                aria-label=(about(words.say("builder.duplicate"))) { (words.say("builder.duplicate")) }
            button.button.quiet type="submit" name="press" value=(press("remove")) data-press="remove"
                aria-label=(about(words.say("builder.remove"))) { (words.say("builder.remove")) }
        }
    }
}

fn kinds(words: Words, name: &str, chosen: Kind) -> Markup {
    let kinds = Kind::ALL.map(|kind| (kind.word(), words.of("field-kind", kind.word())));
    let kinds = Entry {
        kind: FieldKind::Select { options: &kinds },
        class: Some("kind"),
        ..Entry::dense(name, words.say("builder.kind"), chosen.word())
    };
    entry(words, &kinds)
}

fn by_kind(words: Words, key: &str, field: &Field) -> Markup {
    let name = |part: &str| format!("fields[{key}].{part}");
    let options: Vec<String> = field
        .options
        .iter()
        .map(|option| match &option.label {
            Some(label) => format!("{} | {label}", option.value),
            None => option.value.clone(),
        })
        .collect();
    html! {
        div.for-options {
            (entry(words, &Entry {
                kind: FieldKind::Area { rows: 4 },
                hint: Some(words.say("builder.options_hint")),
                ..Entry::dense(&name("options"), words.say("builder.options"), &options.join("\n"))
            }))
            (checkbox(&name("allow_other"), words.say("builder.allow_other"), field.allow_other))
        }
        div.for-bounds {
            (entry(words, &Entry {
                hint: Some(words.say("builder.bounds_hint")),
                ..Entry::dense(&name("min"), words.say("builder.min"), field.min.as_deref().unwrap_or_default())
            }))
            (entry(words, &Entry::dense(&name("max"), words.say("builder.max"), field.max.as_deref().unwrap_or_default())))
        }
    }
}

/// What a good answer must yield.
fn facts(words: Words, key: &str, facts: &[Fact]) -> Markup {
    let blank = Fact::default();
    html! {
        details.fold open[!facts.is_empty()] {
            summary { (words.say("builder.facts")) @if !facts.is_empty() { span.figures { (facts.len()) } } }
            p.hint { (words.say("builder.facts_hint")) }
            div.rows data-rows {
                @for (nth, fact) in facts.iter().chain(std::iter::once(&blank)).enumerate() {
                    div.fact-row data-row {
                        (entry(words, &Entry::dense(&format!("fields[{key}].facts[{nth}].fact"), words.say("builder.fact"), &fact.fact)))
                        (entry(words, &Entry {
                            placeholder: Some(words.say("builder.done_usual")),
                            ..Entry::dense(&format!("fields[{key}].facts[{nth}].done"), words.say("builder.done"), &fact.done_criteria)
                        }))
                        (entry(words, &Entry::dense(&format!("fields[{key}].facts[{nth}].hints"), words.say("builder.hints"),
                            fact.questioning_hints.as_deref().unwrap_or_default())))
                        (entry(words, &Entry {
                            placeholder: Some(words.say("builder.made")),
                            ..Entry::dense(&format!("fields[{key}].facts[{nth}].key"), words.say("builder.fact_key"), &fact.fact_key)
                        }))
                    }
                }
            }
        }
    }
}

fn seldom(words: Words, card: &Card<'_>) -> Markup {
    let Card { key, field, .. } = *card;
    let name = |part: &str| format!("fields[{key}].{part}");
    let follow_ups = field.follow_ups.map(|most| most.to_string()).unwrap_or_default();
    let is_used = !field.when.is_empty() || !field.depends_on.is_empty() || field.group.is_some() || field.hidden;
    html! {
        details.fold open[is_used || field.sensitive || field.follow_ups.is_some()] {
            summary { (words.say("builder.more")) }
            div.more {
                (entry(words, &Entry {
                    hint: Some(words.say("builder.id_hint")),
                    placeholder: Some(words.say("builder.made")),
                    ..Entry::dense(&name("field_id"), words.say("builder.id"), &field.field_id)
                }))
                (conditions(words, card))
                (dependencies(words, card))
                (groups(words, card))
                (entry(words, &Entry {
                    kind: FieldKind::Figure { least: 0, most: MOST_FOLLOW_UPS },
                    placeholder: Some(words.say("builder.usual")),
                    ..Entry::dense(&name("follow_ups"), words.say("builder.follow_ups"), &follow_ups)
                }))
                (checkbox(&name("hidden"), words.say("builder.hidden"), field.hidden))
                (checkbox(&name("sensitive"), words.say("builder.sensitive"), field.sensitive))
            }
        }
    }
}

fn conditions(words: Words, card: &Card<'_>) -> Markup {
    let rows = card.field.when.iter().flat_map(tests);
    let tests =
        ["is", "is_not", "more_than", "less_than", "answered", "unanswered"].map(|test| (test, words.of("test", test)));
    html! {
        fieldset.rows data-rows {
            legend { (words.say("builder.when")) }
            @for (nth, (field, test, value)) in rows.chain(std::iter::once(blank_test())).enumerate() {
                @let name = |part: &str| format!("fields[{}].when[{nth}].{part}", card.key);
                div.condition-row data-row {
                    (reference(words, card, &name("field"), words.say("builder.when_field"), &field))
                    (entry(words, &Entry {
                        kind: FieldKind::Select { options: &tests },
                        class: Some("test"),
                        ..Entry::dense(&name("test"), words.say("builder.when_test"), test)
                    }))
                    (entry(words, &Entry::dense(&name("value"), words.say("builder.when_value"), &value)))
                }
            }
        }
    }
}

fn dependencies(words: Words, card: &Card<'_>) -> Markup {
    let blank = String::new();
    html! {
        fieldset.rows data-rows {
            legend { (words.say("builder.depends")) }
            p.hint { (words.say("builder.depends_hint")) }
            @for (nth, field) in card.field.depends_on.iter().chain(std::iter::once(&blank)).enumerate() {
                div data-row {
                    (reference(words, card, &format!("fields[{}].depends[{nth}].field", card.key), words.say("builder.when_field"), field))
                }
            }
        }
    }
}

/// A choice among the fields before this one. What points elsewhere is kept as it is, so that its author sees it.
fn reference(words: Words, card: &Card<'_>, name: &str, label: &str, id: &str) -> Markup {
    let earlier = card.typed.form.fields.iter().zip(&card.typed.keys).take(card.place);
    let earlier: Vec<Target<'_>> =
        earlier.map(|(field, key)| Target { key, id: &field.field_id, label: &field.label }).collect();
    one_of(words, &earlier, "reference", name, label, id)
}

fn groups(words: Words, card: &Card<'_>) -> Markup {
    let form = &card.typed.form;
    let known = form.groups.iter().zip(&card.typed.group_keys);
    let known: Vec<Target<'_>> =
        known.map(|(group, key)| Target { key, id: &group.group_id, label: &group.item }).collect();
    let name = format!("fields[{}].group", card.key);
    let chosen = card.field.group.as_deref().unwrap_or_default();
    one_of(words, &known, "group-reference", &name, words.say("builder.group"), chosen)
}

/// What can be pointed to: its key on the page, its id in the draft, and what it is called.
struct Target<'a> {
    key: &'a str,
    id: &'a str,
    label: &'a str,
}

/// A choice among these, sent by their keys; or none. What is not among them is sent by its id.
fn one_of(words: Words, known: &[Target<'_>], class: &str, name: &str, label: &str, chosen: &str) -> Markup {
    let sent: Vec<(String, String)> =
        known.iter().map(|one| (format!("@{}", one.key), shown(words, one.label))).collect();
    let is_known = known.iter().position(|one| !chosen.is_empty() && one.id == chosen);
    let mut options = vec![("", words.say("builder.none"))];
    if !chosen.is_empty() && is_known.is_none() {
        options.push((chosen, chosen));
    }
    options.extend(sent.iter().map(|(value, label)| (value.as_str(), label.as_str())));
    let value = is_known.map_or(chosen, |place| sent[place].0.as_str());
    entry(
        words,
        &Entry {
            kind: FieldKind::Select { options: &options },
            class: Some(class),
            ..Entry::dense(name, label, value)
        },
    )
}

fn shown(words: Words, label: &str) -> String {
    let label = label.trim();
    if label.is_empty() { words.say("builder.unnamed").to_owned() } else { label.to_owned() }
}

/// A condition as rows of one test each; all must hold, so it says the same.
fn tests(condition: &Condition) -> Vec<(String, &'static str, String)> {
    let Condition { field, is, is_not, more_than, less_than, answered } = condition;
    let several = |values: &OneOrMore| values.values().join("; ");
    let rows = [
        is.as_ref().map(|values| ("is", several(values))),
        is_not.as_ref().map(|values| ("is_not", several(values))),
        more_than.clone().map(|value| ("more_than", value)),
        less_than.clone().map(|value| ("less_than", value)),
        answered.map(|answered| (if answered { "answered" } else { "unanswered" }, String::new())),
    ];
    let mut rows: Vec<_> = rows.into_iter().flatten().map(|(test, value)| (field.clone(), test, value)).collect();
    if rows.is_empty() {
        rows.push((field.clone(), "is", String::new()));
    }
    rows
}

fn blank_test() -> (String, &'static str, String) {
    (String::new(), "is", String::new())
}

/// Six points to take hold of.
fn grip() -> Markup {
    html! {
        svg viewBox="0 0 10 16" focusable="false" {
            @for (x, y) in [(3, 3), (7, 3), (3, 8), (7, 8), (3, 13), (7, 13)] { circle cx=(x) cy=(y) r="1.3" {} }
        }
    }
}
