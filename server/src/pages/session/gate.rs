//! The gate: five points, what is at stake, the change file by file, and the answer.
//!
//! Everything that decides belongs to one form, `gate-answer`, wherever it stands. Its first button is out of sight and
//! answers nothing: browsers press it for an Enter in a box, so a gate is answered by its two buttons alone. Whatever is
//! not shown by hunks is not taken by hunks: `by_hunks` says which files are, to the page and to whoever reads its form.

use enza_kernel::gate::{FileAsked, Gate, Leeway, Picking, Risk};
use enza_kernel::limits;
use maud::{Markup, html};
use uuid::Uuid;

use super::composer::UnsentWords;
use super::viewer::{Act, Viewer};
use crate::actions::sessions::SessionView;
use crate::design::{
    self, Field, FieldKind, FileSheet, Tone, Weight, badge, field, file_sheet, patch, read_patch, verdict_button,
};
use crate::words::Words;

/// The form that everything at a gate belongs to.
const FORM: &str = "gate-answer";

/// The gate as a card.
pub(super) fn gate(viewer: &Viewer, view: &SessionView, unsent: &UnsentWords) -> Markup {
    let Some(gate) = view.floor.gate.as_ref().filter(|_| viewer.may(Act::AnswerGates)) else { return html! {} };
    let words = viewer.words;
    let leeway = &view.floor.leeway;
    html! {
        section.gate aria-labelledby="gate-title" {
            header.row.apart {
                p.gate-kind { (words.say("session.gate")) }
                (risk(words, gate.risk))
            }
            h2 #gate-title .several[gate.ask.intent.contains('\n')] { (gate.ask.intent) }
            (points(words, gate))
            @if !leeway.files.is_empty() {
                (changes(viewer, view, gate))
            } @else if let Some(diff) = &gate.ask.diff {
                (content(words, diff))
            }
            @if !leeway.operations.is_empty() { (operations(words, leeway)) }
            (answer(viewer, view, gate, unsent))
        }
    }
}

/// Commands and tools, each of which can be left out.
fn operations(words: Words, leeway: &Leeway) -> Markup {
    html! {
        section.changes #operations {
            h3 { (words.say("session.operations")) }
            ul.operations {
                @for one in &leeway.operations {
                    li {
                        (take(&format!("op-{}", one.place), words.say("session.take_operation")))
                        " " code { (design::letters(&one.text)) }
                    }
                }
            }
        }
    }
}

fn points(words: Words, gate: &Gate) -> Markup {
    let ask = &gate.ask;
    html! {
        dl.points {
            @if !ask.grounds.is_empty() { div { dt { (words.say("session.grounds")) } dd { (ask.grounds) } } }
            @if !ask.impact.is_empty() { div { dt { (words.say("session.impact")) } dd { (ask.impact) } } }
            @if !ask.alternatives.is_empty() {
                div {
                    dt { (words.say("session.alternatives")) }
                    dd { ul { @for one in &ask.alternatives { li { (one) } } } }
                }
            }
            @if let Some(expires) = gate.expires {
                div { dt { (words.say("session.expires")) } dd { (design::time(words, expires)) } }
            }
        }
    }
}

/// A patch is drawn as one; anything else is shown as it stands, since a list's hyphen removes nothing.
fn content(words: Words, text: &str) -> Markup {
    let is_patch = text.lines().any(|line| line.starts_with("@@ "));
    html! {
        section.changes {
            h3 { (words.say("session.content")) }
            @if is_patch { (patch(words, text)) } @else { div.sheet { (text.trim_end()) } }
        }
    }
}

fn changes(viewer: &Viewer, view: &SessionView, gate: &Gate) -> Markup {
    let words = viewer.words;
    let leeway = &view.floor.leeway;
    html! {
        section.changes #changes {
            h3 { (words.say("session.changes")) }
            p.hint {
                (words.say("session.take_hint"))
                @if counts_as_no(leeway) { " " (words.say("session.take_none")) }
            }
            @for file in &leeway.files { (change(viewer, gate, file)) }
        }
    }
}

fn change(viewer: &Viewer, gate: &Gate, file: &FileAsked) -> Markup {
    let words = viewer.words;
    let read = read_patch(&file.diff);
    let hunks = read.first().map_or(&[][..], |file| &file.hunks);
    let (place, by_hunks) = (file.place, by_hunks(file));
    let take_hunk = |number: usize| {
        let label = words.fill("session.take_part", &[("number", &number.to_string())]);
        html! { @if by_hunks { (take(&format!("hunk-{place}-{number}"), &label)) } }
    };
    let edit = viewer.may(Act::EditFiles) && file.content.is_some();
    let at = viewer.below(&format!("gates/{}/files/{place}", gate.id));
    let sheet = FileSheet {
        path: &file.path,
        to: file.to.as_deref(),
        counts: Some((file.added, file.removed)),
        remarks: &file.remarks,
        hunks,
        beside: take(&format!("file-{place}"), words.say("session.take")),
        beside_hunk: &take_hunk,
        below: html! {
            @if edit { p.file-foot { a.button.quiet href=(at) data-edits { (words.say("session.edit")) } } }
        },
    };
    html! {
        div.asked-file data-file=(place) data-whole=(words.say("session.edited")) data-undo=(words.say("session.unedit")) {
            (file_sheet(words, &sheet))
        }
    }
}

/// Something that can be left out.
fn take(name: &str, label: &str) -> Markup {
    html! { label.take { input type="checkbox" form=(FORM) name=(name) checked autocomplete="off"; span { (label) } } }
}

/// Whether a file is taken hunk by hunk: several hunks, and each of them shown.
pub(super) fn by_hunks(file: &FileAsked) -> bool {
    let shown: usize = read_patch(&file.diff).iter().map(|file| file.hunks.len()).sum();
    file.picking == Picking::Hunks && file.hunks > 1 && shown == file.hunks as usize
}

/// Whether a yes that takes nothing does nothing: then it is a no.
pub(super) fn counts_as_no(leeway: &Leeway) -> bool {
    !leeway.asks_more || !leeway.operations.is_empty()
}

fn answer(viewer: &Viewer, view: &SessionView, gate: &Gate, unsent: &UnsentWords) -> Markup {
    let words = viewer.words;
    let leeway = &view.floor.leeway;
    let remark = Field {
        value: &unsent.note,
        kind: FieldKind::Area { rows: 2 },
        limit: Some(limits::NOTE.graphemes),
        error: unsent.error.as_deref(),
        ..Field::new("note", words.say("session.remark"))
    };
    let lasts = !leeway.lasting.is_empty();
    html! {
        form.form.gate-answer id=(FORM) method="post" action=(viewer.below("gates")) data-gate=(gate.id) {
            button type="submit" hidden {}
            input type="hidden" name="gate" value=(gate.id);
            input type="hidden" name="key" value=(Uuid::now_v7());
            input type="hidden" name="boxes" value="yes";
            (field(words, &remark))
            div.answers {
                div.answer {
                    (verdict_button("verdict", "yes", words.say("session.yes"), Weight::Main))
                    @if lasts { (how_long("yes_scope", words.say("session.yes_how_long"), |scope| words.of("gate-yes", scope))) }
                }
                div.answer {
                    (verdict_button("verdict", "no", words.say("session.no"), Weight::Plain))
                    @if lasts { (how_long("no_scope", words.say("session.no_how_long"), |scope| words.of("gate-no", scope))) }
                }
            }
            @if lasts {
                details.lasting {
                    summary { (words.say("session.lasting")) }
                    ul { @for one in &leeway.lasting { li { code { (design::letters(one)) } } } }
                    p.hint { (words.say("session.always_asked")) }
                }
            }
        }
    }
}

fn how_long(name: &str, label: &str, said: impl Fn(&str) -> &'static str) -> Markup {
    html! {
        select.entry name=(name) aria-label=(label) autocomplete="off" {
            @for scope in ["once", "session", "project"] { option value=(scope) { (said(scope)) } }
        }
    }
}

fn risk(words: Words, risk: Risk) -> Markup {
    let tone = match risk {
        Risk::Low => Tone::Plain,
        Risk::Medium => Tone::Warn,
        Risk::High | Risk::Critical => Tone::Bad,
    };
    badge(&words.fill("session.risk", &[("risk", risk.word(words.0))]), tone)
}
