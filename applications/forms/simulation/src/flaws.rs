//! Bugs planted into the forms, one for each check, to see that it can fail.

use std::sync::Arc;

use enza_forms::{Author, Card, CloseReason, Command, Event, Forms, Refusal, State};
use enza_interview::Form;
use enza_kernel::agent::{Step, ThreadEvent};
use enza_kernel::application::{Application, Entry, PromptRef, Standing};
use enza_kernel::conversation::Request;
use enza_kernel::effect::{AskModel, Effect, Outcome};
use enza_kernel::time::{Actor, Now};
use enza_runtime::host::ApplicationRegistry;
use enza_runtime::simulation::{Scenario, Violation, run_seed};
use enza_storage::Memory;

use super::FormsRole;

/// Whoever was not to be admitted is, for one reason or another.
const ADMITS_BY_UNKNOWN: u8 = 0;
const ADMITS_BY_REVOKED: u8 = 1;
const ADMITS_BY_USED: u8 = 2;
const ADMITS_UNPUBLISHED: u8 = 3;
const ADMITS_TO_CLOSED: u8 = 4;
const ADMITS_TO_FULL: u8 = 5;
/// Respondents are sent to the version before the newest.
const SENDS_BACK: u8 = 6;
/// A new version takes the number of the one before.
const RENUMBERS: u8 = 7;
/// A number is left out.
const SKIPS: u8 = 8;
/// Something is changed on the way from the draft to the version.
const REWORDS: u8 = 9;
/// What the architect writes is published at once.
const PUBLISHES: u8 = 10;
/// The architect is not called off when the owner edits.
const KEEPS_WRITING: u8 = 11;
/// The architect's form loses its title.
const UNTITLES: u8 = 12;
/// Nobody looks at which edition an edit was made from.
const OVERWRITES: u8 = 13;
/// An edition has the number of the one before.
const STANDS_STILL: u8 = 14;
/// An edit opens the form.
const OPENS: u8 = 15;
/// A close date that has passed stays when the form is opened.
const KEEPS_DATE: u8 = 16;
/// The owner's closing is put down to the date.
const BLAMES_DATE: u8 = 17;
/// A submission counts twice.
const MISCOUNTS: u8 = 18;
/// A link may fill in what it likes.
const PREFILLS: u8 = 19;
/// Everybody is taken for the owner.
const TRUSTS: u8 = 20;
/// A link that is withdrawn is made once more.
const REMAKES: u8 = 21;
/// The architect is shown the receiver.
const SHOWS: u8 = 22;

/// The forms with one of them.
struct Flawed<const FLAW: u8>(Forms);

impl<const FLAW: u8> Application for Flawed<FLAW> {
    type State = State;
    type Event = Event;
    type Command = Command;
    type Refusal = Refusal;

    const NAME: &'static str = Forms::NAME;
    const EVENT_VERSION: u16 = Forms::EVENT_VERSION;

    fn evolve(state: &mut State, entry: &Entry<Event>) {
        Forms::evolve(state, entry);
    }

    fn decide(&self, state: &State, command: Command, now: &Now) -> Result<Vec<Event>, Refusal> {
        let mut now = now.clone();
        if let (TRUSTS, Some(owner)) = (FLAW, state.owner()) {
            now.by = Actor::Person(owner.to_owned());
        }
        let command = match command {
            Command::Edit { form, .. } if FLAW == OVERWRITES => Command::Edit { form, edition: state.card().edition },
            other => other,
        };
        let events = match self.0.decide(state, command.clone(), &now) {
            Ok(events) => events,
            Err(refusal) => overlooked(FLAW, state, command, refusal)?,
        };
        Ok(spoilt(FLAW, state, events))
    }

    fn due(&self, state: &State) -> Vec<Effect> {
        self.0.due(state)
    }

    fn request(&self, state: &State, ask: &AskModel) -> Request {
        let mut request = self.0.request(state, ask);
        if let (SHOWS, Some(webhook)) = (FLAW, state.webhook()) {
            request.fresh.iter_mut().for_each(|part| part.text = format!("{} {}", part.text, webhook.url).into());
        }
        request
    }

    fn settle(&self, state: &State, effect: &Effect, outcome: Outcome, now: &Now) -> Vec<Event> {
        spoilt(FLAW, state, self.0.settle(state, effect, outcome, now))
    }

    fn standing(state: &State) -> Standing {
        Forms::standing(state)
    }

    fn prompt_of(event: &Event) -> Option<PromptRef> {
        Forms::prompt_of(event)
    }
}

/// What happens where the flaw overlooks this reason to say no.
fn overlooked(flaw: u8, state: &State, command: Command, refusal: Refusal) -> Result<Vec<Event>, Refusal> {
    let is_overlooked = matches!(
        (flaw, &refusal),
        (ADMITS_BY_UNKNOWN, Refusal::LinkUnknown)
            | (ADMITS_BY_REVOKED, Refusal::LinkRevoked)
            | (ADMITS_BY_USED, Refusal::LinkUsed)
            | (ADMITS_UNPUBLISHED, Refusal::Unpublished)
            | (ADMITS_TO_CLOSED, Refusal::Closed)
            | (ADMITS_TO_FULL, Refusal::Full)
            | (PREFILLS, Refusal::UnknownField { .. })
    );
    match command {
        Command::Admit { token, session } if is_overlooked => {
            Ok(vec![Event::Admitted { token, session, version: state.card().version }])
        }
        Command::MakeLink { token, kind, note, prefill } if is_overlooked => {
            Ok(vec![Event::LinkMade { token, kind, note, prefill }])
        }
        _ => Err(refusal),
    }
}

/// The events with the flaw in them.
fn spoilt(flaw: u8, state: &State, events: Vec<Event>) -> Vec<Event> {
    let is_opening = events.iter().any(|event| matches!(event, Event::Reopened { .. } | Event::Published { .. }));
    let is_edit = events.iter().any(|event| matches!(event, Event::Edited { by: Author::Owner, .. }));
    let mut spoilt = Vec::new();
    for mut event in events {
        match (flaw, &mut event) {
            (SENDS_BACK, Event::Admitted { version, .. }) if *version > 1 => *version -= 1,
            (RENUMBERS, Event::Published { card, .. }) => card.version = 1,
            (SKIPS, Event::Published { card, .. }) => card.version += 1,
            (REWORDS, Event::Published { form, .. }) => form.title += "!",
            (UNTITLES, Event::Edited { form, by: Author::Architect, .. }) => form.title.clear(),
            (STANDS_STILL, Event::Edited { card, .. }) => card.edition -= 1,
            (OPENS, Event::Edited { card, .. }) => card.is_open = true,
            (BLAMES_DATE, Event::Closed { why, .. }) => *why = CloseReason::Date,
            (MISCOUNTS, Event::Received { count, .. }) => *count += 1,
            _ => {}
        }
        let is_dropped = match (flaw, &event) {
            (KEEPS_DATE, Event::RulesSet { .. }) => is_opening,
            (KEEPS_WRITING, Event::Stepped(Step { what: ThreadEvent::Closed, .. })) => is_edit,
            _ => false,
        };
        let more = match (flaw, &event) {
            (PUBLISHES, Event::Edited { form, by: Author::Architect, card }) => Some(published(form, card)),
            (REMAKES, Event::LinkRevoked { token, note }) => state.links().get(token).map(|link| Event::LinkMade {
                token: token.clone(),
                kind: link.kind,
                note: note.clone(),
                prefill: link.prefill.clone(),
            }),
            _ => None,
        };
        spoilt.extend(Some(event).filter(|_| !is_dropped).into_iter().chain(more));
    }
    spoilt
}

fn published(form: &Form, card: &Card) -> Event {
    let card = Card { version: card.version + 1, is_open: true, ..card.clone() };
    Event::Published { form: form.clone(), card }
}

/// Plays seeds until one of them shows this.
fn is_shown<const FLAW: u8>(what: &str, is_it: impl Fn(&Violation) -> bool) {
    let stage = Scenario {
        store: Arc::new(|| Arc::new(Memory::new())),
        repertoire: ApplicationRegistry::default().with(Flawed::<FLAW>(Forms::new())),
        roles: vec![Arc::new(FormsRole)],
        flaw: None,
    };
    let shows = |seed: &u64| run_seed(&stage, *seed).violations.iter().any(|(_, violation)| is_it(violation));
    assert!((1..=300).any(|seed| shows(&seed)), "no seed of 300 shows {what:?}");
}

fn is_caught<const FLAW: u8>(rule: &str) {
    is_shown::<FLAW>(
        rule,
        |violation| matches!(violation, Violation::RuleBroken { rule: broken, .. } if broken == rule),
    );
}

#[test]
fn an_admission_by_an_unknown_link_is_seen() {
    is_caught::<ADMITS_BY_UNKNOWN>("somebody was admitted by a link that there is not");
}

#[test]
fn an_admission_by_a_revoked_link_is_seen() {
    is_caught::<ADMITS_BY_REVOKED>("a revoked link admitted somebody");
}

#[test]
fn a_single_link_that_admits_twice_is_seen() {
    is_caught::<ADMITS_BY_USED>("a single link admitted twice");
}

#[test]
fn an_admission_to_nothing_published_is_seen() {
    is_caught::<ADMITS_UNPUBLISHED>("somebody was admitted to a version that was not published");
}

#[test]
fn an_admission_to_an_older_version_is_seen() {
    is_caught::<SENDS_BACK>("somebody was admitted to another version than the newest");
}

#[test]
fn an_admission_to_a_closed_form_is_seen() {
    is_caught::<ADMITS_TO_CLOSED>("a closed form admitted somebody");
}

#[test]
fn an_admission_after_the_close_date_is_seen() {
    is_caught::<ADMITS_TO_CLOSED>("a form admitted somebody after its close date");
}

#[test]
fn an_admission_to_a_full_form_is_seen() {
    is_caught::<ADMITS_TO_FULL>("a full form admitted somebody");
}

#[test]
fn a_published_version_that_changes_is_seen() {
    is_caught::<RENUMBERS>("a published version was changed");
}

#[test]
fn a_version_that_is_left_out_is_seen() {
    is_caught::<SKIPS>("a version was left out");
}

#[test]
fn a_version_that_is_not_the_draft_is_seen() {
    is_caught::<REWORDS>("a version is not the draft of its moment");
}

#[test]
fn a_draft_that_is_published_without_the_owner_is_seen() {
    is_caught::<PUBLISHES>("the architect's draft was published without the owner");
}

#[test]
fn an_architect_that_overwrites_the_owners_draft_is_seen() {
    is_caught::<KEEPS_WRITING>("the architect overwrote a draft that nobody asked it to");
}

#[test]
fn an_architects_form_that_cannot_be_asked_is_seen() {
    is_caught::<UNTITLES>("the architect wrote a form that cannot be asked");
}

#[test]
fn an_edit_of_an_older_edition_is_seen() {
    is_caught::<OVERWRITES>("an edit of an older edition was taken");
}

#[test]
fn an_edition_that_is_left_out_is_seen() {
    is_caught::<STANDS_STILL>("an edition was left out");
}

#[test]
fn an_edit_that_changes_what_is_published_is_seen() {
    is_caught::<OPENS>("an edit changed what is published");
}

#[test]
fn a_form_that_is_opened_past_its_date_is_seen() {
    is_caught::<KEEPS_DATE>("the form was opened with a close date that had passed");
}

#[test]
fn a_form_that_is_closed_before_its_date_is_seen() {
    is_caught::<BLAMES_DATE>("the form was closed by a date that had not come");
}

#[test]
fn a_submission_that_is_miscounted_is_seen() {
    is_caught::<MISCOUNTS>("a submission was not counted once");
}

#[test]
fn a_link_that_fills_in_an_unknown_field_is_seen() {
    is_caught::<PREFILLS>("a link fills in a field that there is not");
}

#[test]
fn a_token_that_is_given_twice_is_seen() {
    is_caught::<REMAKES>("a token was given twice");
}

#[test]
fn a_change_by_a_stranger_is_seen() {
    is_caught::<TRUSTS>("somebody else than the owner changed the form");
}

#[test]
fn an_architect_that_is_shown_the_receiver_is_seen() {
    is_shown::<SHOWS>("the secret", |violation| matches!(violation, Violation::SecretShown { .. }));
}
