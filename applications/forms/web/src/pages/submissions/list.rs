//! The list of a form's sheets, with its filter, and the figures below it.

use enza_forms::State as FormState;
use enza_interview::{Field, Form};
use enza_server::access::{Allowed, ToRead};
use enza_server::design::{Tone, Weight, badge, button, empty, link_button, table, time};
use enza_server::drawing::figures as written;
use enza_server::extract::{PathParams, QueryParams};
use enza_server::pages::PageContext;
use enza_server::problem::Problem;
use enza_server::words::Words;
use maud::{Markup, html};

use super::query::SheetListQuery;
use super::{address, draw, figures, value};
use crate::actions::forms::{self, LoadedForm};
use crate::actions::submissions::{self, Sheet, SheetPage, Status, base_of, is_sensitive};
use crate::exports::ExportFormat;

/// How many sheets a page shows.
const AT_A_TIME: usize = 25;
/// How many values a row shows.
const VALUES: usize = 2;

pub(super) async fn show(
    here: PageContext,
    allowed: Allowed<ToRead>,
    PathParams(id): PathParams<String>,
    QueryParams(wish): QueryParams<SheetListQuery>,
) -> Result<Markup, Problem> {
    let words = here.words;
    let held = forms::load(&here.app, &allowed.0, &id).await?;
    let sheets = submissions::all(&here.app, &held.row.id, &held.state).await?;
    let cursor = Some(wish.after.as_str()).filter(|after| !after.is_empty());
    let page = submissions::page(&sheets, &wish.wanted(), cursor, AT_A_TIME)?;
    let body = html! {
        @if sheets.is_empty() {
            @let share = format!("/forms/{}/share", held.row.id);
            (empty(words.say("submissions.none"), words.say("submissions.none_what"),
                Some(link_button(&share, words.say("submissions.to_share"), Weight::Plain))))
        } @else {
            (owed(words, &held, &sheets))
            (figures::totals(words, &held.state, &sheets))
            section.part {
                h2 { (words.say("submissions.list")) }
                (statuses(words, &held, &wish, &page))
                (filter(words, &held, &wish))
                @if page.sheets.is_empty() {
                    (empty(words.say("submissions.no_match"), words.say("submissions.no_match_what"),
                        Some(link_button(&address(&held), words.say("submissions.show_all"), Weight::Plain))))
                } @else {
                    (rows(words, &held, &page.sheets))
                }
                (pages(words, &held, &wish, &page))
                (files(words, &held, &wish))
            }
            (figures::drawings(words, &held.state, &sheets))
        }
    };
    Ok(draw(&here, &held, words.say("submissions.title"), &body))
}

/// The badge of a status.
pub(super) fn status_badge(words: Words, status: Status) -> Markup {
    let tone = match status {
        Status::InProgress => Tone::Live,
        Status::Confirming => Tone::Warn,
        Status::Submitted => Tone::Good,
        Status::GivenUp => Tone::Plain,
    };
    badge(words.of("submission-status", status.word()), tone)
}

/// What has not arrived at the receiver stands before everything else.
fn owed(words: Words, held: &LoadedForm, sheets: &[Sheet]) -> Markup {
    let open = sheets.iter().filter(|sheet| sheet.status == Status::Submitted && !sheet.delivered).count();
    if open == 0 || held.state.webhook().is_none() {
        return html! {};
    }
    let text = words.fill("submissions.owed", &[("count", &open.to_string())]);
    html! {
        div.notice.warn {
            p.notice-title { (text) }
            p { a href={ (address(held)) "/deliveries" } { (words.say("submissions.see_owed")) } }
        }
    }
}

fn statuses(words: Words, held: &LoadedForm, wish: &SheetListQuery, page: &SheetPage) -> Markup {
    let all: usize = page.counts.iter().map(|(_, count)| count).sum();
    let way = |status: &str, label: &str, count: usize| {
        let is_here = wish.status == status;
        html! {
            a href=(wish.in_status(status).address(&address(held))) aria-current=[is_here.then_some("true")] {
                span { (label) " " span.count { (written::count(count as u64)) } }
            }
        }
    };
    html! {
        nav.choice-row.statuses aria-label=(words.say("submissions.status")) {
            (way("", words.say("submissions.all"), all))
            @for (status, count) in page.counts { (way(status.word(), words.of("submission-status", status.word()), count)) }
        }
    }
}

fn filter(words: Words, held: &LoadedForm, wish: &SheetListQuery) -> Markup {
    let newest = held.state.published().map_or(0, |published| published.version);
    html! {
        form.filter.sheet-filter method="get" action=(address(held)) role="search" {
            @if !wish.status.is_empty() { input type="hidden" name="status" value=(wish.status); }
            label.aloud for="filter-text" { (words.say("submissions.search")) }
            input.entry #filter-text type="search" name="text" value=(wish.text) placeholder=(words.say("submissions.search")) autocomplete="off";
            label.day { span { (words.say("submissions.from")) } input.entry type="date" name="from" value=(wish.from); }
            label.day { span { (words.say("submissions.to")) } input.entry type="date" name="to" value=(wish.to); }
            @if newest > 1 {
                label.aloud for="filter-version" { (words.say("submissions.version")) }
                select.entry #filter-version name="version" {
                    option value="" { (words.say("submissions.any_version")) }
                    @for version in (1..=newest).rev() {
                        option value=(version) selected[wish.version == version.to_string()] { (words.fill("submissions.version_number", &[("number", &version.to_string())])) }
                    }
                }
            }
            (button(words.say("submissions.filter"), Weight::Plain))
        }
    }
}

fn rows(words: Words, held: &LoadedForm, sheets: &[Sheet]) -> Markup {
    let form = form_of(&held.state);
    let shown = shown_fields(form);
    let labels: Vec<&str> = shown.iter().map(|field| field.label.as_str()).collect();
    let heads: Vec<&str> = [words.say("submissions.started"), words.say("submissions.status")]
        .into_iter()
        .chain(labels)
        .chain(
            ["submissions.progress", "submissions.version", "submissions.language", "submissions.tokens"]
                .map(|key| words.say(key)),
        )
        .collect();
    let total = form.fields.iter().filter(|field| !field.hidden && field.group.is_none()).count();
    let row = |sheet: &Sheet| {
        let mut cells = vec![
            html! { a.sheet-link href={ (address(held)) "/" (sheet.session) } { (time(words, sheet.opened_at)) } },
            status_badge(words, sheet.status),
        ];
        cells.extend(shown.iter().map(|field| cell(words, &held.state, sheet, field)));
        let done = sheet
            .answers
            .iter()
            .filter(|answer| {
                base_of(form, &answer.field_id).is_some_and(|field| !field.hidden && field.group.is_none())
            })
            .count();
        cells.push(html! { @if sheet.status == Status::Submitted { (words.say("submissions.complete")) } @else { span.figures { (done.min(total)) " / " (total) } } });
        cells.push(html! { @if let Some(version) = sheet.version { (version) } @else { "—" } });
        cells.push(html! { (sheet.bootstrap.language.as_deref().unwrap_or("—")) });
        cells.push(html! { (written::short(sheet.spent.total())) });
        cells
    };
    html! { div.sheets { (table(&heads, sheets.iter().map(row).collect())) } }
}

fn cell(words: Words, state: &FormState, sheet: &Sheet, field: &Field) -> Markup {
    let Some(answer) = sheet.answers.iter().find(|answer| answer.field_id == field.field_id) else {
        return html! { span.absent { "—" } };
    };
    match &answer.value {
        Some(text) => {
            html! { span.brief-value { (value::brief(words, Some(field), text, is_sensitive(state, &field.field_id))) } }
        }
        None => value::absent(words, answer.absence),
    }
}

/// The form that lists are arranged by: the published one, or what there is of it.
fn form_of(state: &FormState) -> &Form {
    state.published().map_or(state.draft(), |published| &published.form)
}

/// The fields whose values a row shows: the first that stand for themselves.
fn shown_fields(form: &Form) -> Vec<&Field> {
    form.fields.iter().filter(|field| !field.hidden && field.group.is_none()).take(VALUES).collect()
}

fn pages(words: Words, held: &LoadedForm, wish: &SheetListQuery, page: &SheetPage) -> Markup {
    html! {
        div.row.apart {
            @if !wish.after.is_empty() {
                (link_button(&wish.after("").address(&address(held)), words.say("submissions.first_page"), Weight::Quiet))
            }
            @if let Some(next) = &page.next {
                (link_button(&wish.after(next).address(&address(held)), words.say("submissions.next_page"), Weight::Plain))
            }
        }
    }
}

fn files(words: Words, held: &LoadedForm, wish: &SheetListQuery) -> Markup {
    let wish = wish.after("");
    html! {
        div.files {
            p.soft { @if wish.is_narrow() { (words.say("submissions.files_narrow")) } @else { (words.say("submissions.files")) } }
            div.row {
                @for format in ExportFormat::ALL {
                    (link_button(&wish.address(&format!("{}.{}", address(held), format.ending())), words.of("export-format", format.ending()), Weight::Plain))
                }
            }
        }
    }
}
