//! A field of the draft as a card: what is always wanted in sight, the seldom ones folded away.
//!
//! Which entries fit the chosen kind is shown by style alone, so that it is right before any script runs. Rows of
//! conditions, references and facts end with an empty one; filling it is how another is made.

use enza_interview::{Condition, Fact, Field, Kind, OneOrMore};
use enza_server::words::Words;
use maud::{Markup, html};

use super::entries::{Entry, area, figure, id_of, line, pick, tick};
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
                    (line(&Entry::new(&name("label"), words.say("builder.label"), &field.label)))
                    (kinds(words, &name("kind"), field.kind))
                }
                (by_kind(words, key, field))
                (area(&Entry {
                    hint: Some(words.say("builder.intent_hint")),
                    ..Entry::new(&name("intent"), words.say("builder.intent"), field.intent.as_deref().unwrap_or_default())
                }, 1))
                (tick(&name("required"), words.say("builder.required"), field.required))
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
    pick("kind", &Entry::new(name, words.say("builder.kind"), chosen.word()), &kinds)
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
            (area(&Entry {
                hint: Some(words.say("builder.options_hint")),
                ..Entry::new(&name("options"), words.say("builder.options"), &options.join("\n"))
            }, 4))
            (tick(&name("allow_other"), words.say("builder.allow_other"), field.allow_other))
        }
        div.for-bounds {
            (line(&Entry {
                hint: Some(words.say("builder.bounds_hint")),
                ..Entry::new(&name("min"), words.say("builder.min"), field.min.as_deref().unwrap_or_default())
            }))
            (line(&Entry::new(&name("max"), words.say("builder.max"), field.max.as_deref().unwrap_or_default())))
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
                        (line(&Entry::new(&format!("fields[{key}].facts[{nth}].fact"), words.say("builder.fact"), &fact.fact)))
                        (line(&Entry {
                            placeholder: Some(words.say("builder.done_usual")),
                            ..Entry::new(&format!("fields[{key}].facts[{nth}].done"), words.say("builder.done"), &fact.done_criteria)
                        }))
                        (line(&Entry::new(&format!("fields[{key}].facts[{nth}].hints"), words.say("builder.hints"),
                            fact.questioning_hints.as_deref().unwrap_or_default())))
                        (line(&Entry {
                            placeholder: Some(words.say("builder.made")),
                            ..Entry::new(&format!("fields[{key}].facts[{nth}].key"), words.say("builder.fact_key"), &fact.fact_key)
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
                (line(&Entry {
                    hint: Some(words.say("builder.id_hint")),
                    placeholder: Some(words.say("builder.made")),
                    ..Entry::new(&name("field_id"), words.say("builder.id"), &field.field_id)
                }))
                (conditions(words, card))
                (dependencies(words, card))
                (groups(words, card))
                (figure(&Entry {
                    placeholder: Some(words.say("builder.usual")),
                    ..Entry::new(&name("follow_ups"), words.say("builder.follow_ups"), &follow_ups)
                }, 0, MOST_FOLLOW_UPS))
                (tick(&name("hidden"), words.say("builder.hidden"), field.hidden))
                (tick(&name("sensitive"), words.say("builder.sensitive"), field.sensitive))
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
                    (pick("test", &Entry::new(&name("test"), words.say("builder.when_test"), test), &tests))
                    (line(&Entry::new(&name("value"), words.say("builder.when_value"), &value)))
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
    let is_earlier = earlier.clone().any(|(field, _)| field.field_id == id);
    let element = id_of(name);
    html! {
        div.field {
            label for=(element) { (label) }
            select.reference id=(element) name=(name) {
                option value="" { (words.say("builder.none")) }
                @if !id.is_empty() && !is_earlier { option value=(id) selected { (id) } }
                @for (field, key) in earlier {
                    option value={ "@" (key) } selected[field.field_id == id] { (shown(words, &field.label)) }
                }
            }
        }
    }
}

fn groups(words: Words, card: &Card<'_>) -> Markup {
    let form = &card.typed.form;
    let chosen = card.field.group.as_deref().unwrap_or_default();
    let is_known = form.groups.iter().any(|group| group.group_id == chosen);
    let name = format!("fields[{}].group", card.key);
    let element = id_of(&name);
    html! {
        div.field {
            label for=(element) { (words.say("builder.group")) }
            select.group-reference id=(element) name=(name) {
                option value="" { (words.say("builder.none")) }
                @if !chosen.is_empty() && !is_known { option value=(chosen) selected { (chosen) } }
                @for (group, key) in form.groups.iter().zip(&card.typed.group_keys) {
                    option value={ "@" (key) } selected[group.group_id == chosen] { (shown(words, &group.item)) }
                }
            }
        }
    }
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
