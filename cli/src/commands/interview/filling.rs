//! `/form`: what is left of a form, one field after the other, without a word of a model.
//!
//! Every line is read by its field's kind here, so that what cannot be read is asked for again at once; all of them are
//! then sent together. What the answers bring along, further items of a group or fields with conditions, is asked for in
//! the next round. A field that must yield facts is still looked at by the reviewer.

use std::collections::{BTreeMap, BTreeSet};

use enza_applications::interview::{Command, Field, Reading, Record, Stage, State, read};
use enza_kernel::application::Phase;

use super::answers::Line;
use super::conversation::Conversation;
use super::moment::Moment;
use super::typed::{Word, spelt_out, word};
use crate::backstage;
use crate::screen::fold;
use crate::trouble::Trouble;
use crate::words::{asking, interview as words};

/// What came of one field.
enum Entry {
    Text(String),
    Left,
    Enough,
    Gone,
}

/// Fills in the rest. False where the person leaves.
pub(super) async fn fill(conversation: &mut Conversation<'_>, moment: &Moment) -> Result<bool, Trouble> {
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
                Entry::Text(text) => drop(answers.insert(id, text)),
                Entry::Left => {}
                Entry::Enough => is_enough = true,
                Entry::Gone => is_gone = true,
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
fn open(state: &State) -> impl Iterator<Item = &Record> {
    super::typed::listed(state).filter(|record| !record.is_done())
}

/// Reads a line for a field, until it can be kept or the field is left.
async fn entry(conversation: &mut Conversation<'_>, state: &State, record: &Record) -> Result<Entry, Trouble> {
    let screen = conversation.screen;
    let field = state.field_of(record);
    screen.say(&asking::entry(screen, state, record, backstage::now()))?;
    loop {
        let line = match conversation.prepared(record.id()).await? {
            Some(text) => text,
            None => match conversation.read("> ").await? {
                Line::Typed(text) => text,
                Line::Gone => return Ok(Entry::Gone),
                // The conversation says what is asked and that nobody is there.
                Line::Nobody => return Ok(Entry::Enough),
            },
        };
        match word(&line) {
            Word::Answer(text) if text.is_empty() => return Ok(left(field)),
            Word::Leave(_) | Word::Later => return Ok(left(field)),
            Word::Answer(text) => {
                let text = spelt_out(field, &text, state, backstage::now());
                let locale = state.locale();
                let today = locale.today(backstage::now());
                match read(field, &text, &Reading { locale: &locale, today }) {
                    Ok(_) => return Ok(Entry::Text(text)),
                    Err(unread) => {
                        screen.say(&screen.paint.warn(&fold(&unread.say(screen.lang), screen.width()).join("\n")))?;
                    }
                }
            }
            Word::Back | Word::Form => return Ok(Entry::Enough),
            Word::Quit => return Ok(Entry::Gone),
            Word::Fields => screen.say(&asking::table(screen, state))?,
            Word::Keep | Word::Change(_) | Word::Retry | Word::Abandon | Word::Help | Word::Nonsense(_) => {
                screen.say(&screen.faintly(words::filling(screen.lang)))?;
            }
        }
    }
}

/// An optional field is left empty, a required one for later.
fn left(field: &Field) -> Entry {
    if field.required { Entry::Left } else { Entry::Text(String::new()) }
}
