//! From an answer to a value: every answer is reviewed, by a rule where a rule can, else by the reviewer.
//!
//! A rule reviews what is nothing but a value of the field's kind, what was written into the field itself, and the
//! respondent's plain "I don't know". Whatever a reviewer calls a value is read by the field's kind once more, and what
//! has nothing of the respondent's words in it is not taken for theirs.

use enza_kernel::agent;
use enza_kernel::application::Draft;
use enza_kernel::moves::NotMoved;
use enza_kernel::review::ReviewStep;

use super::{move_field, open, set_aside};
use crate::event::{DecidedBy, Event, Source};
use crate::findings::{Conclusion, Finding, Stance};
use crate::form::{Field, Kind};
use crate::state::{DONE, FieldRecord, INTERVIEWING, REVIEWER, REVIEWING, State};
use crate::values::{self, Absence, ReadContext, ValueFault};
use crate::{Interview, prompts, words};

/// How many messages in a row may be no answer before they count as one.
const MOST_ASIDES: u32 = 5;
/// How many other fields one message may answer.
const MOST_OTHERS: usize = 8;

/// An answer to a field: reviewed by a rule at once, or handed to the reviewer.
pub(crate) fn answered(draft: &mut Draft<'_, Interview>, id: &str, text: &str, source: Source) -> Result<(), NotMoved> {
    answered_by(draft, id, text, source, ReviewedBy::Either)
}

/// Who may judge an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReviewedBy {
    /// A rule where one can, else the reviewer.
    Either,
    /// A rule alone, since the reviewer has stopped.
    Rule,
    /// Nobody has to: it is about other fields, by their names.
    Elsewhere,
}

/// The same, where it is said who may judge.
pub(crate) fn answered_by(
    draft: &mut Draft<'_, Interview>,
    id: &str,
    text: &str,
    source: Source,
    judge: ReviewedBy,
) -> Result<(), NotMoved> {
    open(draft, id, None)?;
    give(draft, id, text, source);
    let Some(record) = draft.state.record(id) else { return Ok(()) };
    let field = draft.state.field_of(record);
    // An option may be called "private" or "none": what is a value is taken for one first.
    let value = match judge {
        ReviewedBy::Either => by_rule(&draft.state, field, text, source),
        ReviewedBy::Rule => read_here(&draft.state, field, text).ok(),
        ReviewedBy::Elsewhere => None,
    };
    let elsewhere = || Finding { stance: Stance::Elsewhere, ..Finding::default() };
    let value = value.map(Finding::value_is).or_else(|| (judge == ReviewedBy::Elsewhere).then(elsewhere));
    let is_said = source == Source::Question;
    let finding = value.or_else(|| {
        let absence = values::read_absence(text).filter(|_| is_said)?;
        Some(Finding::absent(absence, field, draft.state.lang()))
    });
    match finding {
        Some(finding) => {
            move_field(draft, id, REVIEWING)?;
            take_finding(draft, id, finding, DecidedBy::Rule)
        }
        None => begin_review(draft, id),
    }
}

/// The respondent leaves a field without a value: an optional one empty, a required one for later.
pub(crate) fn declined(draft: &mut Draft<'_, Interview>, id: &str, absence: Absence) -> Result<(), NotMoved> {
    let Some(record) = draft.state.record(id) else { return Ok(()) };
    let finding = Finding::absent(absence, draft.state.field_of(record), draft.state.lang());
    if !finding.passed {
        set_aside(draft, id);
        return Ok(());
    }
    open(draft, id, None)?;
    draft.record(Event::FieldDeclined { field_id: id.to_owned(), absence });
    move_field(draft, id, REVIEWING)?;
    let step = Some(ReviewStep::Passed);
    draft.record(Event::Reviewed { field_id: id.to_owned(), finding: finding.clone(), step, by: DecidedBy::Rule });
    close(draft, id, &finding, false, Some(absence))
}

/// Hands a field's answers to a reviewer, in a thread of its own that starts from a written summary.
pub(crate) fn begin_review(draft: &mut Draft<'_, Interview>, id: &str) -> Result<(), NotMoved> {
    move_field(draft, id, REVIEWING)?;
    let Some(record) = draft.state.record(id) else { return Ok(()) };
    let Some(thread) = record.thread.clone() else { return Ok(()) };
    let summary = prompts::so_far(&draft.state, record);
    agent::start(draft, &thread, REVIEWER, &summary);
    Ok(())
}

/// Takes the result of a review: the field is closed, asked on, or put before the respondent; and other fields that the
/// same message answers go to a review of their own.
pub(crate) fn take_finding(
    draft: &mut Draft<'_, Interview>,
    id: &str,
    finding: Finding,
    by: DecidedBy,
) -> Result<(), NotMoved> {
    let Some(record) = draft.state.record(id).cloned() else { return Ok(()) };
    let field = draft.state.field_of(&record).clone();
    let others = finding.other_fields.clone().unwrap_or_default();
    let said = record.exchanges.last().map(|last| last.answer.clone()).unwrap_or_default();
    let finding = normalised(&draft.state, &field, &record, finding);
    let is_no_answer = matches!(finding.stance, Stance::Question | Stance::Elsewhere);
    let was_aside = record.exchanges.last().is_some_and(|last| last.source == Source::Aside);
    if is_no_answer && was_aside && record.value.is_some() {
        // What was taken for a correction was none: the answer stands as it was reviewed.
        let stands = Finding { field_value: record.value.clone(), passed: true, stance: Stance::Answer, ..finding };
        note(draft, id, &stands, Some(ReviewStep::Passed), by);
        close(draft, id, &stands, record.incomplete, None)?;
    } else if is_no_answer && record.asides < MOST_ASIDES {
        note(draft, id, &finding, None, by);
        move_field(draft, id, INTERVIEWING)?;
    } else {
        let step = record.review.next(finding.verdict());
        let conclusion = finding.conclude(&field, &step);
        note(draft, id, &finding, Some(step), by);
        conclude(draft, &record, &field, &finding, &conclusion)?;
    }
    for other in others.iter().take(MOST_OTHERS) {
        // Models like to name what is already known. An answer that stands is opened again only by words that take it back.
        let stands = draft.state.record(other).is_some_and(FieldRecord::is_done) && !values::retracts(&said);
        if !stands {
            volunteered(draft, id, other, &said)?;
        }
    }
    Ok(())
}

/// What was said about one field answers or corrects another, too.
pub(crate) fn volunteered(draft: &mut Draft<'_, Interview>, id: &str, other: &str, text: &str) -> Result<(), NotMoved> {
    let heard = draft.state.utterances;
    let Some(record) = draft.state.record(other) else { return Ok(()) };
    let is_new = other != id && record.heard != heard && !record.is_under_review();
    if !is_new || !draft.state.applies(record) || draft.state.field_of(record).hidden || text.is_empty() {
        return Ok(());
    }
    open(draft, other, None)?;
    give(draft, other, text, Source::Aside);
    let Some(record) = draft.state.record(other) else { return Ok(()) };
    match by_rule(&draft.state, draft.state.field_of(record), text, Source::Aside) {
        Some(value) => {
            move_field(draft, other, REVIEWING)?;
            take_finding(draft, other, Finding::value_is(value), DecidedBy::Rule)
        }
        None => begin_review(draft, other),
    }
}

/// The respondent wants to leave it at what was said, after the rounds are used up.
pub(crate) fn kept_as_is(draft: &mut Draft<'_, Interview>, id: &str) -> Result<(), NotMoved> {
    let Some(record) = draft.state.record(id).cloned() else { return Ok(()) };
    let last = record.finding.clone().unwrap_or_default();
    let finding = Finding { stance: Stance::Answer, passed: false, field_value: Some(record.said()), ..last };
    move_field(draft, id, REVIEWING)?;
    let step = ReviewStep::Escalated { feedback: finding.lacking() };
    note(draft, id, &finding, Some(step), DecidedBy::Rule);
    close(draft, id, &finding, true, None)
}

/// What a rule takes for the value of a field, so that no model needs to look at it.
pub(crate) fn by_rule(state: &State, field: &Field, text: &str, source: Source) -> Option<String> {
    let read = read_here(state, field, text).ok()?;
    let is_listed = !field.allow_other || field.options.iter().any(|option| read.contains(&option.value));
    let is_exact = field.facts.is_empty() && !field.kind.is_free_text() && is_listed;
    let is_written_in = match source {
        Source::Filled | Source::Link => field.facts.is_empty(),
        Source::Question | Source::Aside => false,
    };
    (is_exact || is_written_in).then_some(read)
}

/// What a text is as a value in this interview: read as the respondent writes, and a file only where it was taken in here.
pub(crate) fn read_here(state: &State, field: &Field, text: &str) -> Result<String, ValueFault> {
    let value = values::read(field, text, &read_context(state, &state.locale()))?;
    let was_taken = |digest: &str| state.files.iter().any(|known| known == digest);
    let is_foreign = field.kind == Kind::File && !values::digest_of(&value).is_some_and(was_taken);
    if is_foreign { Err(ValueFault::NotAFile) } else { Ok(value) }
}

/// With what eyes this respondent's answers are read.
pub(crate) fn read_context<'a>(state: &State, locale: &'a crate::locale::Locale) -> ReadContext<'a> {
    let today = state.today.parse().unwrap_or_else(|_| locale.today(state.seen));
    ReadContext { locale, today }
}

fn give(draft: &mut Draft<'_, Interview>, id: &str, text: &str, source: Source) {
    let on = draft.state.locale().today(draft.now().time).to_string();
    draft.record(Event::AnswerGiven { field_id: id.to_owned(), text: text.to_owned(), source, on });
}

fn note(draft: &mut Draft<'_, Interview>, id: &str, finding: &Finding, step: Option<ReviewStep>, by: DecidedBy) {
    draft.record(Event::Reviewed { field_id: id.to_owned(), finding: finding.clone(), step, by });
}

fn conclude(
    draft: &mut Draft<'_, Interview>,
    record: &FieldRecord,
    field: &Field,
    finding: &Finding,
    conclusion: &Conclusion,
) -> Result<(), NotMoved> {
    let id = record.id.as_str();
    match conclusion {
        Conclusion::Close { incomplete } => close(draft, id, finding, *incomplete, finding.stance.absence()),
        Conclusion::AskOn => move_field(draft, id, INTERVIEWING),
        // The respondent was asked for help before: it is enough.
        Conclusion::AskForHelp if record.review.phase == enza_kernel::review::ReviewPhase::WithPerson => {
            if field.required {
                move_field(draft, id, INTERVIEWING)?;
                set_aside(draft, id);
                Ok(())
            } else {
                close(draft, id, finding, false, Some(finding.stance.absence().unwrap_or(Absence::Unknown)))
            }
        }
        Conclusion::AskForHelp => {
            move_field(draft, id, INTERVIEWING)?;
            let text =
                words::ask_for_help(draft.state.lang(), &draft.state.label(record), field.required, &finding.lacking());
            draft.record(Event::HelpAsked { field_id: id.to_owned(), text });
            Ok(())
        }
    }
}

/// Gives a field its value. What hangs on an answer that has changed is asked again.
fn close(
    draft: &mut Draft<'_, Interview>,
    id: &str,
    finding: &Finding,
    incomplete: bool,
    absence: Option<Absence>,
) -> Result<(), NotMoved> {
    let Some(record) = draft.state.record(id).cloned() else { return Ok(()) };
    let value = finding.value();
    let has_changed = record.value.is_some() && record.value != value;
    let source = |value: &String| values::sentence_of(&record.said(), value).to_owned();
    let fresh = value.as_ref().map(source).filter(|sentence| !sentence.is_empty());
    let stands = record.value.is_some() && !has_changed;
    let sentence = if stands { record.sentence.clone().or(fresh) } else { fresh.or(record.sentence.clone()) };
    move_field(draft, id, DONE)?;
    draft.record(Event::FieldClosed {
        field_id: id.to_owned(),
        label: draft.state.label(&record),
        absence: if value.is_none() { Some(absence.unwrap_or_default()) } else { None },
        sentence: sentence.filter(|_| value.is_some()),
        value,
        incomplete,
        lacking: if incomplete { finding.lacking() } else { Vec::new() },
    });
    if has_changed {
        for doubtful in draft.state.doubtful_after(id) {
            open(draft, &doubtful, Some(id))?;
        }
    }
    Ok(())
}

/// A finding with its value in the spelling in which it is kept, or with what is lacking instead.
fn normalised(state: &State, field: &Field, record: &FieldRecord, finding: Finding) -> Finding {
    if finding.stance != Stance::Answer {
        let finding = Finding { field_value: None, passed: finding.passed && !field.required, ..finding };
        // Whatever a model calls passed: a required field is not, without an answer.
        let says_nothing = !finding.passed && finding.lacking().is_empty();
        let why = match finding.stance.absence() {
            Some(absence) => words::needed(state.lang(), absence),
            None => words::unanswered(state.lang()),
        };
        return if says_nothing { Finding { feedback: Some(why.to_owned()), ..finding } } else { finding };
    }
    let Some(value) = finding.value() else { return finding };
    let said = record.said();
    let value = if field.kind.is_free_text() && !is_theirs(&value, &said, record.value.as_deref()) {
        said.clone()
    } else {
        value
    };
    match read_here(state, field, &value) {
        Ok(value) if values::is_grounded(field, &value, &said) || is_known(state, &value) => {
            Finding { field_value: Some(value), ..finding }
        }
        Ok(_) => Finding { stance: Stance::Elsewhere, field_value: None, passed: false, ..finding },
        Err(unread) => Finding { field_value: None, ..finding }.but_lacking(unread.say(state.lang())),
    }
}

/// Whether a value is that of another answer: "the same day".
fn is_known(state: &State, value: &str) -> bool {
    state.records.iter().any(|record| record.value() == Some(value))
}

/// Whether a text is made of the respondent's words: half of its pairs of letters are in what was said or known.
fn is_theirs(value: &str, said: &str, known: Option<&str>) -> bool {
    let fold = |text: &str| -> Vec<char> {
        text.chars().flat_map(char::to_lowercase).filter(|letter| letter.is_alphanumeric()).collect()
    };
    let pairs = |text: &str| -> std::collections::BTreeSet<(char, char)> {
        fold(text).windows(2).map(|pair| (pair[0], pair[1])).collect()
    };
    let theirs = pairs(&format!("{said} {}", known.unwrap_or_default()));
    let written = pairs(value);
    written.iter().filter(|pair| theirs.contains(pair)).count() * 2 >= written.len()
}
