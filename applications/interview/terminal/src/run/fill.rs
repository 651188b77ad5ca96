//! `/form`: what is left of a form, one field after the other, without a word of a model.
//!
//! Every line is read by its field's kind here, so that what cannot be read is asked for again at once; all of them are
//! then sent together. What the answers bring along, further items of a group or fields with conditions, is asked for in
//! the next round. A field that must yield facts is still looked at by the reviewer.

use std::collections::{BTreeMap, BTreeSet};

use enza_interview::{Command, Field, FieldRecord, ReadContext, Stage, State, read};
use enza_terminal::screen::fold;
use enza_terminal::setup;
use enza_terminal::talk::Rest;
use enza_terminal::trouble::Trouble;

use super::conversation::Conversation;
use super::parse::{ParsedAnswer, parse_line, spelt_out};
use super::wait::IdleSession;
use crate::words::{interview as words, question};

/// What came of one field.
enum FieldEntry {
    Text(String),
    Left,
    Enough,
    Gone,
}

/// A rest that is being filled in: the fields that were offered so far.
#[derive(Default)]
pub(super) struct Filling(BTreeSet<String>);

/// Another round of it, in a session that rests. What the talk goes on with; none where there is nothing more to fill in.
pub(super) async fn round(
    conversation: &mut Conversation<'_>,
    moment: &IdleSession,
    mut filling: Filling,
) -> Result<Option<Rest>, Trouble> {
    let (screen, state) = (conversation.console.screen, &moment.state);
    let is_first = filling.0.is_empty();
    if is_first {
        conversation.console.say(&screen.faintly(words::filling(screen.lang)))?;
    } else if state.stage() != Stage::Interviewing {
        return Ok(None);
    }
    let open: Vec<String> = open(state).map(|record| record.id().to_owned()).collect();
    let new: Vec<String> = open.into_iter().filter(|id| filling.0.insert(id.clone())).collect();
    if new.is_empty() {
        if is_first {
            conversation.console.say(&screen.faintly(words::nothing_open(screen.lang)))?;
        }
        return Ok(None);
    }
    let mut answers = BTreeMap::new();
    let mut rest = Rest::Acted;
    let mut goes_on = Some(filling);
    for id in new {
        let Some(record) = state.record(&id) else { continue };
        match entry(conversation, state, record).await? {
            FieldEntry::Text(text) => drop(answers.insert(id, text)),
            FieldEntry::Left => {}
            FieldEntry::Enough => goes_on = None,
            FieldEntry::Gone => (goes_on, rest) = (None, Rest::Ends),
        }
        if goes_on.is_none() {
            break;
        }
    }
    if !answers.is_empty() {
        conversation.send(&Command::Fill { answers }, false).await?;
    }
    conversation.filling = goes_on;
    Ok(Some(rest))
}

/// The fields that are not done.
fn open(state: &State) -> impl Iterator<Item = &FieldRecord> {
    super::parse::listed(state).filter(|record| !record.is_done())
}

/// Reads a line for a field, until it can be kept or the field is left.
async fn entry(
    conversation: &mut Conversation<'_>,
    state: &State,
    record: &FieldRecord,
) -> Result<FieldEntry, Trouble> {
    let screen = conversation.console.screen;
    let field = state.field_of(record);
    conversation.console.say(&question::entry(screen, state, record, setup::now()))?;
    loop {
        let line = match conversation.prepared(record.id()).await? {
            Some(text) => text,
            // The conversation says what is asked and that nobody is there.
            None if !conversation.respondent.is_attended => return Ok(FieldEntry::Enough),
            None => match conversation.asked("> ").await? {
                Some(text) => text,
                None => return Ok(FieldEntry::Gone),
            },
        };
        match parse_line(&line) {
            ParsedAnswer::Answer(text) if text.is_empty() => return Ok(left(field)),
            ParsedAnswer::Leave(_) | ParsedAnswer::Later => return Ok(left(field)),
            ParsedAnswer::Answer(text) => {
                let text = spelt_out(field, &text, state, setup::now());
                let locale = state.locale();
                let today = locale.today(setup::now());
                match read(field, &text, &ReadContext { locale: &locale, today }) {
                    Ok(_) => return Ok(FieldEntry::Text(text)),
                    Err(unread) => {
                        let told = fold(&unread.say(screen.lang), screen.width()).join("\n");
                        conversation.console.say(&screen.paint.warn(&told))?;
                    }
                }
            }
            ParsedAnswer::Back | ParsedAnswer::Form => return Ok(FieldEntry::Enough),
            ParsedAnswer::Quit => return Ok(FieldEntry::Gone),
            ParsedAnswer::Fields => conversation.console.say(&question::table(screen, state))?,
            ParsedAnswer::Keep
            | ParsedAnswer::Change(_)
            | ParsedAnswer::Retry
            | ParsedAnswer::Abandon
            | ParsedAnswer::Help
            | ParsedAnswer::Nonsense(_) => {
                conversation.console.say(&screen.faintly(words::filling(screen.lang)))?;
            }
        }
    }
}

/// An optional field is left empty, a required one for later.
fn left(field: &Field) -> FieldEntry {
    if field.required { FieldEntry::Left } else { FieldEntry::Text(String::new()) }
}
