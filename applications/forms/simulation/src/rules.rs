//! What a form promises, held against a whole log.
//!
//! The promises are written down here a second time, without a look at how the application keeps them: from the events
//! alone, never from its state. Events of one time belong to one decision.

use std::collections::BTreeMap;

use enza_forms::{Author, Card, CloseReason, Event, LinkKind, Rules};
use enza_interview::Form;
use enza_kernel::time::Timestamp;
use enza_runtime::seams::store::Recorded;

use super::commands::MADE_FROM;
use super::{STRANGER, event};

/// What a log breaks, by name.
pub fn broken(log: &[Recorded]) -> Vec<String> {
    let mut watch = RuleChecker::default();
    for recorded in log {
        match event(recorded) {
            Some(event) => watch.look(&event, recorded),
            None => watch.say(format!("event {} cannot be read", recorded.seq)),
        }
    }
    watch.broken
}

/// What has been seen so far.
#[derive(Default)]
struct RuleChecker {
    draft: Form,
    edition: u64,
    is_open: bool,
    versions: BTreeMap<u64, Form>,
    rules: Rules,
    links: BTreeMap<String, SeenLink>,
    received: u64,
    /// Whether the architect owes a draft: the owner asked for one, and there was none since.
    is_wished: bool,
    /// When the architect last wrote.
    architect_wrote: Option<Timestamp>,
    broken: Vec<String>,
}

struct SeenLink {
    kind: LinkKind,
    uses: u64,
    is_revoked: bool,
}

impl RuleChecker {
    fn look(&mut self, event: &Event, recorded: &Recorded) {
        if recorded.stored.body.contains(STRANGER) {
            self.say("somebody else than the owner changed the form");
        }
        let at = recorded.at;
        match event {
            Event::Begun { form, .. } => self.draft = form.clone(),
            Event::Edited { form, by, card } => self.edited(form, *by, card, at),
            Event::Described { .. } => self.is_wished = true,
            Event::Published { form, card } => self.published(form, card, at),
            Event::Closed { why, .. } => self.closed(*why, at),
            Event::Reopened { .. } => self.opened(at),
            Event::RulesSet { rules } => self.rules = rules.clone(),
            Event::LinkMade { token, kind, prefill, .. } => self.link_made(token, *kind, prefill),
            Event::LinkRevoked { token, .. } => {
                if let Some(link) = self.links.get_mut(token) {
                    link.is_revoked = true;
                }
            }
            Event::Admitted { token, version, .. } => self.admitted(token, *version, at),
            Event::Received { count, .. } => {
                self.received += 1;
                if *count != self.received {
                    self.say("a submission was not counted once");
                }
            }
            // A single link whose interview is forgotten stays used; the webhook is the server's to read.
            Event::Forgotten { .. } | Event::WebhookSet { .. } | Event::Stepped(_) => {}
        }
    }

    fn edited(&mut self, form: &Form, by: Author, card: &Card, at: Timestamp) {
        let newest = self.newest();
        if (card.version, card.is_open) != (newest, self.is_open) {
            self.say("an edit changed what is published");
        }
        match by {
            Author::Owner => {
                let described = form.description.as_deref().unwrap_or_default();
                let made_from = described.strip_prefix(MADE_FROM).and_then(|edition| edition.parse().ok());
                if made_from.is_some_and(|edition: u64| edition != self.edition) {
                    self.say("an edit of an older edition was taken");
                }
            }
            Author::Architect => {
                if !self.is_wished {
                    self.say("the architect overwrote a draft that nobody asked it to");
                }
                if form.clone().checked().as_ref() != Ok(form) {
                    self.say("the architect wrote a form that cannot be asked");
                }
                self.architect_wrote = Some(at);
            }
        }
        self.is_wished = false;
        self.draft = form.clone();
        self.edition += 1;
        if card.edition != self.edition {
            self.say("an edition was left out");
        }
    }

    fn published(&mut self, form: &Form, card: &Card, at: Timestamp) {
        if self.architect_wrote == Some(at) {
            self.say("the architect's draft was published without the owner");
        }
        if self.draft.clone().checked().as_ref() != Ok(form) {
            self.say("a version is not the draft of its moment");
        }
        match self.versions.get(&card.version) {
            Some(_) => self.say("a published version was changed"),
            None if card.version != self.newest() + 1 => self.say("a version was left out"),
            None => {}
        }
        self.versions.insert(card.version, form.clone());
        self.opened(at);
    }

    fn opened(&mut self, at: Timestamp) {
        if self.date_has_come(at) {
            self.say("the form was opened with a close date that had passed");
        }
        self.is_open = true;
    }

    fn closed(&mut self, why: CloseReason, at: Timestamp) {
        match why {
            CloseReason::Date if !self.date_has_come(at) => self.say("the form was closed by a date that had not come"),
            CloseReason::Date | CloseReason::Owner => {}
        }
        self.is_open = false;
    }

    fn link_made(&mut self, token: &str, kind: LinkKind, prefill: &BTreeMap<String, String>) {
        let newest = self.versions.last_key_value().map(|(_, form)| form);
        let has =
            |field: &str| [Some(&self.draft), newest].into_iter().flatten().any(|form| form.find(field).is_some());
        if !prefill.keys().all(|field| has(field)) {
            self.say("a link fills in a field that there is not");
        }
        let link = SeenLink { kind, uses: 0, is_revoked: false };
        if self.links.insert(token.to_owned(), link).is_some() {
            self.say("a token was given twice");
        }
    }

    fn admitted(&mut self, token: &str, version: u64, at: Timestamp) {
        let (newest, is_past) = (self.newest(), self.date_has_come(at));
        let is_full = self.rules.most_answers.is_some_and(|most| self.received >= most);
        let (is_known, is_revoked, is_used) = match self.links.get_mut(token) {
            Some(link) => {
                link.uses += 1;
                (true, link.is_revoked, link.kind == LinkKind::Single && link.uses > 1)
            }
            None => (false, false, false),
        };
        let promises = [
            (is_known, "somebody was admitted by a link that there is not"),
            (!is_revoked, "a revoked link admitted somebody"),
            (!is_used, "a single link admitted twice"),
            (self.versions.contains_key(&version), "somebody was admitted to a version that was not published"),
            (version == newest, "somebody was admitted to another version than the newest"),
            (self.is_open, "a closed form admitted somebody"),
            (!is_past, "a form admitted somebody after its close date"),
            (!is_full, "a full form admitted somebody"),
        ];
        for (_, broken) in promises.into_iter().filter(|(holds, _)| !holds) {
            self.say(broken);
        }
    }

    fn newest(&self) -> u64 {
        self.versions.last_key_value().map_or(0, |(version, _)| *version)
    }

    fn date_has_come(&self, at: Timestamp) -> bool {
        self.rules.closes.is_some_and(|closes| at >= closes)
    }

    fn say(&mut self, broken: impl Into<String>) {
        self.broken.push(broken.into());
    }
}
