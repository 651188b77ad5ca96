//! The page of the builder: how the form stands, the draft as cards, and the preview beside it.
//!
//! The parts that change when a draft is saved are drawn by functions of their own, so that a page that was kept up to
//! date by a script looks as one that was loaded anew.

use enza_forms::State;
use enza_interview::{Field, Group, Kind, Order};
use enza_server::assets;
use enza_server::design::{Field as Entry, FieldKind, Tone, Weight, badge, button, field as entry, notice};
use enza_server::pages::PageContext;
use enza_server::words::Words;
use maud::{Markup, html};

use super::card::{BLANK, Card, card};
use super::faults::{FaultText, FormPart, faults, of_part};
use super::preview::preview;
use super::typed::{TypedDraft, new_group};
use crate::actions::forms::LoadedForm;
use crate::pages::forms::head::{self, Tab};

const MOST_ITEMS: u32 = 20;
const MOST_FOLLOW_UPS: u32 = 5;

/// The page, with what is to be said above the draft.
pub(super) fn page(here: &PageContext, held: &LoadedForm, typed: &TypedDraft, above: &Markup) -> Markup {
    let words = here.words;
    let at = format!("/forms/{}", held.row.id);
    let told = faults(words, &typed.form);
    let body = html! {
        (style())
        div.builder #builder data-form=(held.row.id) data-edition=(typed.edition) data-saving=(words.say("builder.saving"))
            data-saved=(words.say("builder.saved")) data-unsaved=(words.say("builder.unsaved")) data-moved=(words.say("builder.moved"))
            data-removed=(words.say("builder.removed")) data-undo=(words.say("builder.undo")) data-undone=(words.say("builder.undone"))
            data-added=(words.say("builder.added")) data-gone=(words.say("builder.gone")) {
            (head::head(here, held, Tab::Form))
            (above)
            (rewriting(here, held))
            form #draft method="post" action=(at) novalidate {
                // What Enter in a line presses, and what a browser without scripts saves with.
                button.aloud type="submit" name="press" value="save" tabindex="-1" { (words.say("builder.save")) }
                div.builder-bar {
                    div #standing data-part="standing" { (standing(words, &held.state, typed, &told)) }
                    div.row {
                        span.saved #saved role="status" {}
                        noscript { button.button.plain type="submit" name="press" value="save" { (words.say("builder.save")) } }
                        button.button.plain type="submit" name="press" value="try" { (words.say("builder.try")) }
                        (publish_button(words, &held.state, typed, &told))
                    }
                }
                div #problems data-part="problems" { (problems(words, typed, &told)) }
                div.builder-columns {
                    div.builder-main {
                        (whole(words, typed))
                        section.part {
                            h2 { (words.say("builder.fields")) }
                            p.hint { (words.say("builder.fields_hint")) }
                            ol.field-cards #cards { @for place in 0..typed.form.fields.len() { (card_at(words, typed, &told, place)) } }
                            div.row { button.button.plain type="submit" name="press" value="add" data-press="add" { (words.say("builder.add")) } }
                        }
                        (groups(words, typed, &told))
                    }
                    aside.builder-preview #preview data-part="preview" { (preview(words, &typed.form, here.app.now())) }
                }
                // The last of the form: where it is missing, so may be fields.
                input type="hidden" name="edition" value=(typed.edition);
            }
            p.aloud #announced aria-live="assertive" {}
            template #blank-card { (blank_card(words, typed)) }
            template #blank-group { (group_card(words, BLANK, &new_group(), &[])) }
            (meanwhile(words, &at))
        }
        script type="module" src=(assets::address("builder.js")) {}
    };
    here.page(&head::title(words, held), &body)
}

/// The style of all pages of forms.
pub(in crate::pages::forms) fn style() -> Markup {
    html! { link rel="stylesheet" href=(assets::address("forms.css")); }
}

/// Which version there is, and whether the draft says something else.
pub(super) fn standing(words: Words, state: &State, typed: &TypedDraft, told: &[FaultText]) -> Markup {
    let version = state.card().version.to_string();
    let has_changed = has_changed(state, typed);
    html! {
        p.row.standing-line {
            (head::state_badge(words, state))
            @if state.published().is_some() {
                span { (words.fill("builder.version", &[("version", &version)])) }
                @if has_changed { (badge(&words.fill("builder.changed", &[("version", &version)]), Tone::Warn)) }
            }
            @if !told.is_empty() { a href="#problems" { (words.fill("builder.problem_count", &[("count", &told.len().to_string())])) } }
        }
    }
}

/// A button that says why it cannot be pressed.
pub(super) fn publish_button(words: Words, state: &State, typed: &TypedDraft, told: &[FaultText]) -> Markup {
    let version = (state.card().version + 1).to_string();
    let why = match (told.is_empty(), has_changed(state, typed) || state.published().is_none()) {
        (false, _) => Some(words.say("builder.publish_faulty")),
        (true, false) => Some(words.say("builder.publish_same")),
        (true, true) => None,
    };
    html! {
        span.publish #publish data-part="publish" title=[why] {
            button.button.main type="submit" name="press" value="publish" disabled[why.is_some()]
                aria-describedby=[why.map(|_| "publish-why")] { (words.fill("builder.publish", &[("version", &version)])) }
            @if let Some(why) = why { span.aloud #publish-why { (why) } }
        }
    }
}

/// Everything that keeps the draft from being published, each with the way to it.
pub(super) fn problems(words: Words, typed: &TypedDraft, told: &[FaultText]) -> Markup {
    html! {
        @if !told.is_empty() {
            div.notice.warn role="status" {
                p.notice-title { (words.say("builder.problems")) }
                ul.problem-list {
                    @for told in told {
                        li { a href=(address_of(typed, told.part)) { (name_of(words, typed, told.part)) } " — " (told.text) }
                    }
                }
            }
        }
    }
}

/// Whether the draft says something else than the newest version. Space around texts says nothing.
fn has_changed(state: &State, typed: &TypedDraft) -> bool {
    let Some(published) = state.published() else { return true };
    typed.form.clone().checked().map_or(true, |form| form != *published.form)
}

fn address_of(typed: &TypedDraft, part: FormPart) -> String {
    match part {
        FormPart::Whole => "#title".to_owned(),
        FormPart::Field(place) => format!("#field-{}", typed.keys.get(place).map_or("", String::as_str)),
        FormPart::Group(place) => format!("#group-{}", typed.group_keys.get(place).map_or("", String::as_str)),
    }
}

fn name_of(words: Words, typed: &TypedDraft, part: FormPart) -> String {
    let named = |name: &str, place: usize| match name.trim() {
        "" => format!("{}. {}", place + 1, words.say("builder.unnamed")),
        name => format!("{}. {name}", place + 1),
    };
    match part {
        FormPart::Whole => words.say("builder.whole").to_owned(),
        FormPart::Field(place) => named(typed.form.fields.get(place).map_or("", |field| &field.label), place),
        FormPart::Group(place) => named(typed.form.groups.get(place).map_or("", |group| &group.item), place),
    }
}

/// What concerns the form as a whole.
fn whole(words: Words, typed: &TypedDraft) -> Markup {
    let form = &typed.form;
    let order = match form.order {
        Order::Free => "free",
        Order::Fixed => "fixed",
    };
    let follow_ups = form.follow_ups.map(|most| most.to_string()).unwrap_or_default();
    html! {
        section.part {
            h2.aloud { (words.say("builder.whole")) }
            (entry(words, &Entry::dense("title", words.say("builder.title"), &form.title)))
            (entry(words, &Entry {
                kind: FieldKind::Area { rows: 3 },
                hint: Some(words.say("builder.description_hint")),
                ..Entry::dense("description", words.say("builder.description"), form.description.as_deref().unwrap_or_default())
            }))
            details.fold open[form.consent.is_some()] {
                summary { (words.say("builder.settings")) }
                div.more {
                    (entry(words, &Entry {
                        kind: FieldKind::Area { rows: 3 },
                        hint: Some(words.say("builder.consent_hint")),
                        ..Entry::dense("consent", words.say("builder.consent"), form.consent.as_deref().unwrap_or_default())
                    }))
                    (entry(words, &Entry {
                        kind: FieldKind::Select { options: &[("ja", "日本語"), ("en", "English")] },
                        ..Entry::dense("language", words.say("builder.language"), &form.language.to_string())
                    }))
                    (entry(words, &Entry {
                        kind: FieldKind::Select {
                            options: &[("free", words.say("builder.order_free")), ("fixed", words.say("builder.order_fixed"))],
                        },
                        ..Entry::dense("order", words.say("builder.order"), order)
                    }))
                    (entry(words, &Entry {
                        kind: FieldKind::Figure { least: 0, most: MOST_FOLLOW_UPS },
                        placeholder: Some(words.say("builder.usual")),
                        ..Entry::dense("follow_ups", words.say("builder.follow_ups"), &follow_ups)
                    }))
                }
            }
        }
    }
}

fn card_at(words: Words, typed: &TypedDraft, told: &[FaultText], place: usize) -> Markup {
    let (key, field) = (&typed.keys[place], &typed.form.fields[place]);
    card(words, &Card { typed, key, place, field, faults: of_part(told, FormPart::Field(place)) })
}

fn blank_card(words: Words, typed: &TypedDraft) -> Markup {
    let field = Field::new("", "", Kind::Text);
    card(words, &Card { typed, key: BLANK, place: typed.form.fields.len(), field: &field, faults: Vec::new() })
}

fn groups(words: Words, typed: &TypedDraft, told: &[FaultText]) -> Markup {
    let groups = typed.form.groups.iter().zip(&typed.group_keys).enumerate();
    html! {
        section.part {
            h2 { (words.say("builder.groups")) }
            p.hint { (words.say("builder.groups_hint")) }
            ol.group-cards #groups {
                @for (place, (group, key)) in groups { (group_card(words, key, group, &of_part(told, FormPart::Group(place)))) }
            }
            div.row { button.button.plain type="submit" name="press" value="add-group" data-press="add-group" { (words.say("builder.add_group")) } }
        }
    }
}

fn group_card(words: Words, key: &str, group: &Group, faults: &[&str]) -> Markup {
    let name = |part: &str| format!("groups[{key}].{part}");
    html! {
        li.group-card id={ "group-" (key) } data-key=(key) {
            ul.card-faults data-faults { @for fault in faults { li.error { (fault) } } }
            div.group-entries {
                (entry(words, &Entry {
                    hint: Some(words.say("builder.item_hint")),
                    ..Entry::dense(&name("item"), words.say("builder.item"), &group.item)
                }))
                (entry(words, &Entry {
                    kind: FieldKind::Figure { least: 0, most: MOST_ITEMS },
                    ..Entry::dense(&name("min"), words.say("builder.least"), &group.min.to_string())
                }))
                (entry(words, &Entry {
                    kind: FieldKind::Figure { least: 1, most: MOST_ITEMS },
                    ..Entry::dense(&name("max"), words.say("builder.most"), &group.max.to_string())
                }))
                (entry(words, &Entry {
                    placeholder: Some(words.say("builder.made")),
                    ..Entry::dense(&name("group_id"), words.say("builder.id"), &group.group_id)
                }))
                button.button.quiet type="submit" name="press" value={ "remove-group:" (key) } data-press="remove-group" { (words.say("builder.remove")) }
            }
        }
    }
}

/// What to do when someone else, or another window, has changed the draft. Opened by a script.
fn meanwhile(words: Words, at: &str) -> Markup {
    html! {
        dialog.dialog #meanwhile aria-labelledby="meanwhile-title" {
            h2 #meanwhile-title { (words.say("builder.meanwhile")) }
            p { (words.say("builder.meanwhile_what")) }
            div.row {
                button.button.main type="submit" form="draft" formaction={ (at) "/copy" } data-keeps { (words.say("builder.keep_copy")) }
                button.button.plain type="button" data-theirs { (words.say("builder.load_theirs")) }
                button.button.grave type="button" data-mine { (words.say("builder.overwrite")) }
            }
        }
    }
}

/// The architect can write the draft anew from a sentence.
fn rewriting(here: &PageContext, held: &LoadedForm) -> Markup {
    let words = here.words;
    html! {
        details.fold.rewriting {
            summary { (words.say("builder.describe")) }
            form.form method="post" action={ "/forms/" (held.row.id) "/describe" } {
                (entry(words, &Entry {
                    kind: FieldKind::Area { rows: 2 },
                    hint: Some(words.say("builder.describe_hint")),
                    ..Entry::dense("sentence", words.say("builder.sentence"), "")
                }))
                @if here.app.models().current().understudy { p.hint { (words.say("forms.understudy")) } }
                (button(words.say("builder.describe_do"), Weight::Plain))
            }
        }
    }
}

/// Said above the draft where it could not be saved because another edition was.
pub(super) fn conflict(words: Words, at: &str) -> Markup {
    html! {
        (notice(Tone::Bad, words.say("builder.meanwhile"), words.say("builder.meanwhile_saved_again")))
        div.row {
            a.button.plain href=(at) target="_blank" { (words.say("builder.load_theirs")) }
            button.button.plain type="submit" form="draft" formaction={ (at) "/copy" } { (words.say("builder.keep_copy")) }
        }
    }
}
