//! An answer to a gate, as its form sends it, and the page on which a file is written anew before it is taken.
//!
//! A box that is not ticked is not sent, so what was left out is told from the gate as it stands; if that is another gate
//! by now, nothing is answered. With nothing ticked a yes is a no, as it is in the terminal.

use std::collections::BTreeMap;

use axum::extract::Path;
use axum::http::HeaderMap;
use axum::response::Response;
use enza_kernel::conversation::Digest;
use enza_kernel::gate::{FileAsked, Given, Leeway, Pick, Scope, Verdict};
use enza_kernel::limits;
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::composer::UnsentWords;
use super::contents;
use super::gate::{by_hunks, counts_as_no};
use super::orders::{back_with, tell, to_the_page};
use crate::access::{Allowed, Caller, Onlooker, ToRead, ToWrite};
use crate::actions::IdempotencyKey;
use crate::actions::sessions::{self, AcceptedCommand};
use crate::design::{Field, FieldKind, Weight, card, field, link_button, verdict_button};
use crate::extract::{FormBody, wants_json};
use crate::pages::PageContext;
use crate::problem::Problem;

/// An answer, as a form sends it.
#[derive(Debug, Deserialize)]
pub(super) struct GateAnswerInput {
    gate: String,
    /// None where the form was sent by an Enter and not by one of its two buttons.
    verdict: Option<Verdict>,
    #[serde(default)]
    note: String,
    #[serde(default)]
    yes_scope: Scope,
    #[serde(default)]
    no_scope: Scope,
    /// Whether the form had boxes to tick.
    boxes: Option<String>,
    /// The idempotency key.
    #[serde(default)]
    key: String,
    /// What was ticked: `file-0`, `hunk-0-2`, `op-1`; and what was written: `content-0`.
    #[serde(flatten)]
    rest: BTreeMap<String, String>,
}

/// Answers a gate.
pub(super) async fn answer(
    here: PageContext,
    allowed: Allowed<ToWrite>,
    Path(id): Path<String>,
    headers: HeaderMap,
    FormBody(reply): FormBody<GateAnswerInput>,
) -> Result<Response, Problem> {
    let caller = allowed.0;
    let sent = match reply.verdict {
        Some(verdict) => send(&here, &caller, &id, verdict, &reply).await.map(Some),
        None => Ok(None),
    };
    match sent {
        Ok(Some(accepted)) if wants_json(&headers) => Ok(tell(accepted)),
        Ok(_) => Ok(to_the_page(&id)),
        Err(problem) if wants_json(&headers) => Err(problem),
        Err(problem) => {
            back_with(&here, &caller, &id, problem, UnsentWords { note: reply.note, ..UnsentWords::default() }).await
        }
    }
}

async fn send(
    here: &PageContext,
    caller: &Caller,
    id: &str,
    verdict: Verdict,
    reply: &GateAnswerInput,
) -> Result<AcceptedCommand, Problem> {
    let note = limits::NOTE.check_optional(&reply.note).map_err(Problem::Text)?;
    let given = match verdict {
        Verdict::Yes => {
            let floor = sessions::show(&here.app, &Onlooker::of(caller), id, here.lang()).await?.floor;
            // Which boxes there were is known of the open gate alone. Where that is none, or another by now, the application
            // says why it takes no answer; or that it has taken this one, where it comes a second time.
            match floor.gate {
                Some(open) if open.id == reply.gate => yes(&floor.leeway, reply),
                Some(_) | None => Given::new(Verdict::Yes, None),
            }
        }
        Verdict::No => Given { scope: reply.no_scope, ..Given::new(Verdict::No, None) },
    };
    let given = Given { note: Some(note).filter(|note| !note.is_empty()), ..given };
    sessions::answer_gate(&here.app, caller, id, &reply.gate, given, once(caller, reply), here.lang()).await
}

/// The name of an answer under the key that the page drew for it, made from what was sent: what it comes to depends on the
/// gate, which is closed by the time that it comes again.
fn once(caller: &Caller, reply: &GateAnswerInput) -> IdempotencyKey {
    if reply.key.is_empty() {
        return IdempotencyKey::default();
    }
    let GateAnswerInput { gate, verdict, note, yes_scope, no_scope, boxes, rest, key } = reply;
    let content = json!([gate, verdict, note, yes_scope, no_scope, boxes, rest]).to_string();
    IdempotencyKey::of(caller.name(), key, &Digest::of(content.as_bytes()))
}

fn yes(leeway: &Leeway, reply: &GateAnswerInput) -> Given {
    let picks: Vec<Pick> = leeway.files.iter().filter_map(|file| pick(file, reply)).collect();
    let is_ticked = |place: u32| reply.boxes.is_none() || reply.rest.contains_key(&format!("op-{place}"));
    let places = leeway.operations.iter().map(|one| one.place);
    let left: Vec<u32> = places.filter(|place| !is_ticked(*place)).collect();
    let takes_nothing = picks.iter().filter(|pick| pick.hunks.as_ref().is_some_and(Vec::is_empty)).count();
    let can_be_left = leeway.files.len() + leeway.operations.len();
    if counts_as_no(leeway) && can_be_left > 0 && takes_nothing + left.len() == can_be_left {
        return Given::new(Verdict::No, None);
    }
    Given { scope: reply.yes_scope, picks, left, ..Given::new(Verdict::Yes, None) }
}

/// What is taken of a file; none where all of it is.
fn pick(file: &FileAsked, reply: &GateAnswerInput) -> Option<Pick> {
    let place = file.place;
    if let Some(content) = reply.rest.get(&format!("content-{place}")) {
        // A form sends line ends of its own.
        return Some(Pick { file: place, hunks: None, content: Some(content.replace("\r\n", "\n")) });
    }
    reply.boxes.as_ref()?;
    let is_ticked = |name: String| reply.rest.contains_key(&name);
    if !is_ticked(format!("file-{place}")) {
        return Some(Pick { file: place, hunks: Some(Vec::new()), content: None });
    }
    if !by_hunks(file) {
        return None;
    }
    let hunks: Vec<u32> = (1..=file.hunks).filter(|number| is_ticked(format!("hunk-{place}-{number}"))).collect();
    (hunks.len() < file.hunks as usize).then_some(Pick { file: place, hunks: Some(hunks), content: None })
}

/// A file of a gate, to be written anew.
pub(super) async fn edit(
    here: PageContext,
    allowed: Allowed<ToRead>,
    Path((id, gate, place)): Path<(String, String, u32)>,
) -> Result<Markup, Problem> {
    let words = here.words;
    let (file, text) = sessions::content(&here.app, &allowed.0, &id, &gate, place, here.lang()).await?;
    let view = sessions::show(&here.app, &Onlooker::of(&allowed.0), &id, here.lang()).await?;
    let viewer = contents::viewer(&here, &view);
    let (name, title) = (format!("content-{place}"), words.fill("session.edit_file", &[("path", &file.path)]));
    let entry = Field {
        value: &text,
        kind: FieldKind::Area { rows: 20 },
        required: true,
        hint: Some(words.say("session.edit_hint")),
        ..Field::new(&name, words.say("session.new_content"))
    };
    let body = html! {
        form.form.edit-file method="post" action=(viewer.below("gates")) {
            input type="hidden" name="gate" value=(gate);
            input type="hidden" name="key" value=(Uuid::now_v7());
            (field(words, &entry))
            div.row {
                (verdict_button("verdict", "yes", words.say("session.yes_edited"), Weight::Main))
                (link_button(viewer.page(), words.say("session.not_now"), Weight::Quiet))
            }
        }
    };
    Ok(here.page(&title, &card(Some(&title), body)))
}

#[cfg(test)]
mod tests {
    use enza_kernel::gate::{OperationAsked, Picking};

    use super::*;

    fn asked() -> Leeway {
        let file = FileAsked {
            place: 0,
            path: "a.py".to_owned(),
            to: None,
            added: 1,
            removed: 0,
            hunks: 1,
            diff: String::new(),
            remarks: Vec::new(),
            picking: Picking::Hunks,
            content: None,
        };
        let operations = vec![OperationAsked { place: 3, text: "run make".to_owned() }];
        Leeway { files: vec![file], operations, asks_more: true, lasting: Vec::new() }
    }

    fn ticked(names: &[&str]) -> Given {
        yes(&asked(), &sent(names))
    }

    /// A form with these boxes ticked.
    fn sent(names: &[&str]) -> GateAnswerInput {
        let rest = names.iter().map(|name| ((*name).to_owned(), "on".to_owned())).collect();
        GateAnswerInput {
            gate: "gate-1".to_owned(),
            verdict: Some(Verdict::Yes),
            note: String::new(),
            yes_scope: Scope::Once,
            no_scope: Scope::Once,
            boxes: Some("yes".to_owned()),
            key: String::new(),
            rest,
        }
    }

    #[test]
    fn a_command_of_the_same_gate_could_not_be_left_out() {
        let nothing = Pick { file: 0, hunks: Some(Vec::new()), content: None };
        assert_eq!(ticked(&["file-0", "op-3"]), Given::new(Verdict::Yes, None));
        assert_eq!(ticked(&["file-0"]), Given { left: vec![3], ..Given::new(Verdict::Yes, None) });
        assert_eq!(ticked(&["op-3"]), Given { picks: vec![nothing], ..Given::new(Verdict::Yes, None) });
        assert_eq!(ticked(&[]), Given::new(Verdict::No, None), "with nothing ticked a yes is a no");
    }

    #[test]
    fn a_file_that_moves_had_no_box_and_went_with_the_rest() {
        let moved = FileAsked {
            place: 1,
            path: "b.py".to_owned(),
            to: Some("c.py".to_owned()),
            hunks: 0,
            picking: Picking::Whole,
            ..asked().files.remove(0)
        };
        let leeway = Leeway { files: vec![asked().files.remove(0), moved], ..asked() };
        let nothing = Pick { file: 1, hunks: Some(Vec::new()), content: None };
        let left = Given { picks: vec![nothing], ..Given::new(Verdict::Yes, None) };
        assert_eq!(yes(&leeway, &sent(&["file-0", "op-3"])), left);
        assert_eq!(yes(&leeway, &sent(&["file-0", "file-1", "op-3"])), Given::new(Verdict::Yes, None));
        assert_eq!(yes(&leeway, &sent(&[])), Given::new(Verdict::No, None));
    }
}
