//! Links: the public one made and withdrawn, single ones made in numbers, listed, withdrawn, and taken along as CSV.

use std::collections::BTreeMap;

use axum::extract::Path;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use enza_forms::{Link, LinkKind, LinkUse};
use enza_kernel::conversation::Digest;
use enza_server::access::{Allowed, ToRead, ToWrite, audit};
use enza_server::actions::IdempotencyKey;
use enza_server::csv_cell::quoted;
use enza_server::design::{Field, FieldKind, Tone, Weight, badge, button, field, link_button, table, time};
use enza_server::extract::FormBody;
use enza_server::pages::PageContext;
use enza_server::problem::Problem;
use enza_server::words::Words;
use maud::{Markup, html};
use serde::Deserialize;
use uuid::Uuid;

use super::{ShareFlash, SharePageExtras, back, draw};
use crate::actions::forms::{self, LinkSpec, LoadedForm, MOST_AT_ONCE};
use crate::pages::forms::export::file_name;

/// How many links are shown; the file has them all.
const SHOWN: usize = 100;

/// What to do with the public link.
#[derive(Debug, Deserialize)]
pub(super) struct PublicLinkInput {
    act: String,
}

/// Links to make, as they were typed.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct LinksInput {
    count: String,
    note: String,
    prefill: String,
    /// The idempotency key.
    key: String,
}

/// A link to withdraw.
#[derive(Debug, Deserialize)]
pub(super) struct RevokeLinkInput {
    token: String,
}

/// Makes, replaces or withdraws the public link.
pub(super) async fn public(
    here: PageContext,
    allowed: Allowed<ToWrite>,
    Path(id): Path<String>,
    FormBody(act): FormBody<PublicLinkInput>,
) -> Result<Response, Problem> {
    let caller = allowed.0;
    let change = async {
        let held = forms::load(&here.app, &caller, &id).await?;
        if act.act != "revoke" {
            let wish = LinkSpec { kind: LinkKind::Public, count: 1, note: String::new(), prefill: BTreeMap::new() };
            forms::make_links(&here.app, &caller, &id, &wish, IdempotencyKey::default()).await?;
        }
        // The new one is there before the old ones go.
        if act.act != "make" {
            let live = forms::links_of(&held, LinkKind::Public).into_iter().filter(|(_, link)| !link.is_revoked);
            for (token, _) in live {
                forms::revoke_link(&here.app, &caller, &id, token).await?;
            }
        }
        Ok(())
    };
    let changed = change.await;
    back(&here, &caller, &id, "public", changed, if act.act == "revoke" { "revoked" } else { "linked" }).await
}

/// Makes single links.
pub(super) async fn make(
    here: PageContext,
    allowed: Allowed<ToWrite>,
    Path(id): Path<String>,
    FormBody(wish): FormBody<LinksInput>,
) -> Result<Response, Problem> {
    let caller = allowed.0;
    let made = match wish.read() {
        Ok(links) => {
            let content = format!("{id}\n{}\n{}\n{}", wish.count, wish.note, wish.prefill);
            let once = IdempotencyKey::of(caller.name(), &wish.key, &Digest::of(content.as_bytes()));
            let once = if wish.key.is_empty() { IdempotencyKey::default() } else { once };
            forms::make_links(&here.app, &caller, &id, &links, once).await.map(drop)
        }
        Err(problem) => Err(problem),
    };
    match made {
        Ok(()) => back(&here, &caller, &id, "links", Ok(()), "made").await,
        Err(problem) => {
            let fresh = SharePageExtras { links: wish, ..SharePageExtras::refused("links", &here, &problem) };
            draw(&here, &caller, &id, &ShareFlash::default(), &fresh).await
        }
    }
}

/// Withdraws a link.
pub(super) async fn revoke(
    here: PageContext,
    allowed: Allowed<ToWrite>,
    Path(id): Path<String>,
    FormBody(gone): FormBody<RevokeLinkInput>,
) -> Result<Response, Problem> {
    let revoked = forms::revoke_link(&here.app, &allowed.0, &id, &gone.token).await;
    back(&here, &allowed.0, &id, "links", revoked, "revoked").await
}

/// The single links that nobody has used yet, as CSV: address, note, and what each fills in.
pub(super) async fn csv(
    here: PageContext,
    allowed: Allowed<ToRead>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let held = forms::load(&here.app, &allowed.0, &id).await?;
    let mut text = String::from("link,note,prefill,made_at\r\n");
    for (token, link) in forms::links_of(&held, LinkKind::Single) {
        if link.is_revoked || link.used != LinkUse::No {
            continue;
        }
        let made_at = jiff::Timestamp::from_millisecond(link.made_at.0).map(|at| at.to_string()).unwrap_or_default();
        let cells = [
            forms::address_of(&here.app, &held.row.id, token),
            link.note.clone(),
            written(&link.prefill, "; "),
            made_at,
        ];
        text += &cells.map(|cell| quoted(&cell)).join(",");
        text += "\r\n";
    }
    audit(&here.app, allowed.0.name(), crate::LINKS_EXPORTED, held.row.id.as_str(), &allowed.0.from).await?;
    let name = file_name(&format!("{} links", held.state.card().title), "csv");
    // The mark at the front tells spreadsheets that it is UTF-8.
    let headers = [(CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()), (CONTENT_DISPOSITION, name)];
    Ok((headers, format!("\u{FEFF}{text}")).into_response())
}

/// The part of the page.
pub(super) fn part(here: &PageContext, held: &LoadedForm, fresh: &SharePageExtras) -> Markup {
    let words = here.words;
    let at = format!("/forms/{}", held.row.id);
    let links = forms::links_of(held, LinkKind::Single);
    let live = links.iter().filter(|(_, link)| !link.is_revoked);
    let unused = live.clone().filter(|(_, link)| link.used == LinkUse::No).count();
    let count = if fresh.links.count.is_empty() { "1" } else { &fresh.links.count };
    html! {
        p.hint { (words.say("share.single_what")) }
        form.form method="post" action={ (at) "/links" } {
            input type="hidden" name="key" value=(Uuid::now_v7());
            @if let Some(why) = fresh.trouble_at("links") { p.error role="alert" { (why) } }
            div.link-entries {
                (field(words, &Field { value: count, kind: FieldKind::Number, required: true, ..Field::new("count", words.say("share.count")) }))
                (field(words, &Field {
                    value: &fresh.links.note, hint: Some(words.say("share.note_hint")), ..Field::new("note", words.say("share.note"))
                }))
            }
            details.fold open[!fresh.links.prefill.is_empty()] {
                summary { (words.say("share.prefill")) }
                (field(words, &Field {
                    value: &fresh.links.prefill,
                    kind: FieldKind::Area { rows: 3 },
                    hint: Some(&words.fill("share.prefill_hint", &[("field", super::example_field(held))])),
                    ..Field::new("prefill", words.say("share.prefill_values"))
                }))
            }
            (button(words.say("share.make_links"), Weight::Plain))
        }
        @if live.clone().next().is_some() {
            div.row.apart {
                p.soft { (words.fill("share.unused_of", &[("unused", &unused.to_string()), ("all", &live.clone().count().to_string())])) }
                @if unused > 0 { (link_button(&format!("{at}/links.csv"), words.say("share.csv"), Weight::Quiet)) }
            }
            (table(&["share.link", "share.note", "share.link_state", "share.made", "share.action"].map(|key| words.say(key)),
                live.take(SHOWN).map(|(token, link)| row(here, held, token, link)).collect()))
        }
    }
}

fn row(here: &PageContext, held: &LoadedForm, token: &str, link: &Link) -> Vec<Markup> {
    let words = here.words;
    let address = forms::address_of(&here.app, &held.row.id, token);
    let element = format!("link-{token}");
    vec![
        html! {
            div.copy-row {
                input.entry.link-entry id=(element) type="text" value=(address) readonly data-selects aria-label=(words.say("share.link"));
                button.button.quiet type="button" data-copies=(element) hidden { (words.say("share.copy")) }
            }
        },
        html! { (link.note) @if !link.prefill.is_empty() { " " span.hint { (written(&link.prefill, ", ")) } } },
        used_badge(words, &link.used),
        time(words, link.made_at),
        html! {
            form method="post" action={ "/forms/" (held.row.id) "/links/revoke" } {
                input type="hidden" name="token" value=(token);
                (button(words.say("share.revoke"), Weight::Quiet))
            }
        },
    ]
}

fn used_badge(words: Words, used: &LinkUse) -> Markup {
    match used {
        LinkUse::No => badge(words.say("share.unused"), Tone::Plain),
        LinkUse::By(_) => badge(words.say("share.used"), Tone::Good),
        LinkUse::ByAForgotten => badge(words.say("share.used_deleted"), Tone::Good),
    }
}

impl LinksInput {
    fn read(&self) -> Result<LinkSpec, Problem> {
        let unfit = |why: String| Problem::BodyUnfit(why);
        let count = self.count.trim().parse().map_err(|_| unfit(format!("1…{MOST_AT_ONCE}")))?;
        let mut prefill = BTreeMap::new();
        for line in self.prefill.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (field, value) = line.split_once('=').ok_or_else(|| unfit(line.to_owned()))?;
            prefill.insert(field.trim().to_owned(), value.trim().to_owned());
        }
        Ok(LinkSpec { kind: LinkKind::Single, count, note: self.note.clone(), prefill })
    }
}

fn written(prefill: &BTreeMap<String, String>, between: &str) -> String {
    let pairs: Vec<String> = prefill.iter().map(|(field, value)| format!("{field}={value}")).collect();
    pairs.join(between)
}
