//! `/form`: what is left of a form, one field after the other, without a word of a model.
//!
//! Every line is read by its field's kind here, so that what cannot be read is asked for again at once; all of them are
//! then sent together. What the answers bring along, further items of a group or fields with conditions, is asked for in
//! the next round. A field that must yield facts is still looked at by the reviewer.

use std::collections::{BTreeMap, BTreeSet};

use enza_interview::{Command, Field, FieldRecord, ReadContext, Stage, State, read};
use enza_kernel::application::Phase;
use enza_terminal::screen::fold;
use enza_terminal::setup;
use enza_terminal::trouble::Trouble;

use super::answers::KeyboardLine;
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

/// Fills in the rest. False where the person leaves.
pub(super) async fn fill(conversation: &mut Conversation<'_>, moment: &IdleSession) -> Result<bool, Trouble> {
    let screen = conversation.screen;
    screen.say(&screen.faintly(words::filling(screen.lang)))?;
    let mut offered = BTreeSet::new();
    let mut state = moment.state.clone();
    loop {
        let open: Vec<String> = open(&state).map(|record| record.id().to_owned()).collect();
        let new: Vec<String> = open.into_iter().filter(|id| offered.insert(id.clone())).collect();
        if new.is_empty() {
            if offered.is_empty() {
                screen.say(&screen.faintly(words::nothing_open(screen.lang)))?;
            }
            return Ok(true);
        }
        let mut answers = BTreeMap::new();
        let (mut is_enough, mut is_gone) = (false, false);
        for id in new {
            let Some(record) = state.record(&id) else { continue };
            match entry(conversation, &state, record).await? {
                FieldEntry::Text(text) => drop(answers.insert(id, text)),
                FieldEntry::Left => {}
                FieldEntry::Enough => is_enough = true,
                FieldEntry::Gone => is_gone = true,
            }
            if is_enough || is_gone {
                break;
            }
        }
        if !answers.is_empty() {
            conversation.send(&Command::Fill { answers }, false).await?;
        }
        if is_gone {
            return Ok(false);
        }
        let moment = conversation.watch.at_rest().await?;
        let goes_on = moment.phase != Phase::Ended && moment.state.stage() == Stage::Interviewing;
        if is_enough || !goes_on {
            return Ok(true);
        }
        state = moment.state;
    }
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
    let screen = conversation.screen;
    let field = state.field_of(record);
    screen.say(&question::entry(screen, state, record, setup::now()))?;
    loop {
        let line = match conversation.prepared(record.id()).await? {
            Some(text) => text,
            None => match conversation.read("> ").await? {
                KeyboardLine::Typed(text) => text,
                KeyboardLine::Gone => return Ok(FieldEntry::Gone),
                // The conversation says what is asked and that nobody is there.
                KeyboardLine::Nobody => return Ok(FieldEntry::Enough),
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
                        screen.say(&screen.paint.warn(&fold(&unread.say(screen.lang), screen.width()).join("\n")))?;
                    }
                }
            }
            ParsedAnswer::Back | ParsedAnswer::Form => return Ok(FieldEntry::Enough),
            ParsedAnswer::Quit => return Ok(FieldEntry::Gone),
            ParsedAnswer::Fields => screen.say(&question::table(screen, state))?,
            ParsedAnswer::Keep
            | ParsedAnswer::Change(_)
            | ParsedAnswer::Retry
            | ParsedAnswer::Abandon
            | ParsedAnswer::Help
            | ParsedAnswer::Nonsense(_) => {
                screen.say(&screen.faintly(words::filling(screen.lang)))?;
            }
        }
    }
}

/// An optional field is left empty, a required one for later.
fn left(field: &Field) -> FieldEntry {
    if field.required { FieldEntry::Left } else { FieldEntry::Text(String::new()) }
}
