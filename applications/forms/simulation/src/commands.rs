//! What the owner, the respondents and the stranger ask of a form next.
//!
//! A run has few turns, so a form that is not published or has no link is mostly brought on. An edit says in its
//! description which edition it was made from, so that the log shows whether an older one was taken.

use std::collections::BTreeMap;

use enza_forms::{Command, Going, Link, LinkKind, LinkUse, Rules, Secret, State, Webhook};
use enza_interview::{Field, Form, Kind};
use enza_kernel::text::Lang;
use enza_kernel::time::Timestamp;

use super::dice::Dice;
use super::{AFTER_WORDS, STRANGER};

/// Stands before the number of the edition that an edit was made from.
pub const MADE_FROM: &str = "made from edition ";

/// What is asked next. The words begin with the session's name.
pub fn next(state: &State, words: &str, dice: &mut Dice) -> Command {
    if dice.below(12) == 0 {
        return of_a_stranger(state, words, dice);
    }
    if state.failure().is_some() {
        return match dice.below(3) {
            0 => edit(state, dice),
            1 => describe(state, words, dice),
            _ => Command::RetryModel,
        };
    }
    if state.published().is_none() && dice.below(3) > 0 {
        return if state.publishable().is_ok() { Command::Publish } else { edit(state, dice) };
    }
    if state.links().values().all(|link| link.is_revoked) && dice.below(2) == 0 {
        return make_link(state, words, dice);
    }
    match dice.below(30) {
        0 | 1 => describe(state, words, dice),
        2..=4 => edit(state, dice),
        5 => old_edit(state, dice),
        6 | 7 => Command::Publish,
        8 | 9 => make_link(state, words, dice),
        10 | 11 => Command::RevokeLink { token: token(state, dice) },
        12 => Command::Close,
        13 => Command::Reopen,
        14 if state.card().is_open => Command::Close,
        14 => Command::Reopen,
        15..=18 => Command::SetRules { rules: rules(state, dice) },
        19 => Command::SetWebhook { webhook: webhook(words, dice) },
        20..=22 => Command::Receive { session: session(state, dice) },
        23 => Command::Forget { session: session(state, dice), copies: dice.below(2), why: Going::Respondent },
        _ => Command::Admit { token: token(state, dice), session: session(state, dice) },
    }
}

/// What somebody else does at the same moment.
pub fn rival(command: Command) -> Option<Command> {
    let rival = match command {
        Command::Edit { form, edition } => {
            Command::Edit { form: Form { title: format!("{} too", form.title), ..form }, edition }
        }
        // The owner writes by hand what the architect is being asked for.
        Command::Describe { sentence } => {
            let (_, edition) = sentence.rsplit_once(MADE_FROM)?;
            let edition = edition.parse().ok()?;
            Command::Edit { form: made_from(Form::sample(Lang::En), edition), edition }
        }
        Command::Admit { token, session } => Command::Admit { token, session: format!("{session}x") },
        Command::RevokeLink { token } => Command::Admit { token, session: "justintime".to_owned() },
        Command::Close => Command::Publish,
        Command::Publish => Command::Close,
        Command::SetWebhook { .. } => Command::SetWebhook { webhook: None },
        Command::Begin { .. }
        | Command::Reopen
        | Command::SetRules { .. }
        | Command::MakeLink { .. }
        | Command::Receive { .. }
        | Command::Forget { .. }
        | Command::RetryModel => return None,
    };
    Some(rival)
}

/// What a form may be wanted for.
pub fn wish(dice: &mut Dice, lang: Lang) -> &'static str {
    lang.pick(
        dice.pick(&[
            "訪問報告。日付、顧客名、内容、次の予定",
            "懇親会の出欠。氏名、メール、参加(はい/いいえ)",
            "何でもよいので聞いてください",
        ]),
        dice.pick(&[
            "a visit report with date, customer, what was said and next step",
            "a sign-up for the dinner: name, e-mail, dish (fish, meat, none), remarks (optional)",
            "anything, really",
        ]),
    )
}

fn describe(state: &State, words: &str, dice: &mut Dice) -> Command {
    let wish = wish(dice, state.draft().language);
    Command::Describe { sentence: format!("{words}{AFTER_WORDS}{wish}, {MADE_FROM}{}", state.card().edition) }
}

fn edit(state: &State, dice: &mut Dice) -> Command {
    let edition = state.card().edition;
    Command::Edit { form: made_from(changed(state, dice), edition), edition }
}

/// From a window that was left open.
fn old_edit(state: &State, dice: &mut Dice) -> Command {
    let edition = state.card().edition.saturating_sub(1 + dice.below(2));
    Command::Edit { form: made_from(changed(state, dice), edition), edition }
}

/// The draft with a change, sound or not.
fn changed(state: &State, dice: &mut Dice) -> Form {
    let mut form = Form::clone(state.draft());
    let number = dice.below(1_000_000);
    if form.title.trim().is_empty() {
        form.title = "A form".to_owned();
    }
    match dice.below(8) {
        0 => form.fields.truncate(1),
        1 => form.fields.clear(),
        2 => form.title = String::new(),
        3 if !form.fields.is_empty() => form.fields[0].kind = dice.pick(&Kind::ALL),
        4 if !form.fields.is_empty() => form.fields[0].required ^= true,
        5 if !form.fields.is_empty() => form.fields.push(form.fields[0].clone()),
        6 => form.title = format!("Form {number}"),
        _ => form.fields.push(Field::new(&format!("f{number}"), &format!("Field {number}"), dice.pick(&Kind::ALL))),
    }
    // An empty draft is mostly filled, or nothing would ever be published.
    if form.fields.is_empty() && dice.below(4) > 0 {
        form.fields = Form::sample(form.language).fields;
    }
    form
}

fn made_from(form: Form, edition: u64) -> Form {
    Form { description: Some(format!("{MADE_FROM}{edition}")), ..form }
}

fn make_link(state: &State, words: &str, dice: &mut Dice) -> Command {
    let published = state.published().map(|published| published.form.fields.iter());
    let mut fields = state.draft().fields.iter().chain(published.into_iter().flatten());
    let known = fields.next().map(|field| field.field_id.clone());
    let prefill = match (dice.below(6), known) {
        (0 | 1, Some(field)) => BTreeMap::from([(field, "known before".to_owned())]),
        (2, _) => BTreeMap::from([("no such field".to_owned(), "x".to_owned())]),
        (_, _) => BTreeMap::new(),
    };
    Command::MakeLink {
        token: format!("token{:07}", dice.below(10_000_000)),
        kind: dice.pick(&[LinkKind::Public, LinkKind::Single, LinkKind::Single]),
        note: secret(words),
        prefill,
    }
}

/// A receiver, whose address nobody but the owner is shown; now and then none, or one that does not do.
fn webhook(words: &str, dice: &mut Dice) -> Option<Webhook> {
    let url = format!("https://hooks.example/{}/{}", secret(words), dice.below(1_000));
    match dice.below(5) {
        0 => None,
        1 => Some(Webhook { url, secret: Secret::new("short") }),
        _ => Some(Webhook { url, secret: Secret::new(format!("whsec_{}", "QUJD".repeat(8))) }),
    }
}

fn rules(state: &State, dice: &mut Dice) -> Rules {
    let closes = match dice.below(5) {
        0 | 1 => Some(Timestamp(last_seen(state).0 + 1 + dice.below(20_000) as i64)),
        2 => state.rules().closes,
        _ => None,
    };
    let most_answers = match dice.below(4) {
        0 | 1 => Some(dice.below(3)),
        2 => Some(state.received().max(1)),
        _ => None,
    };
    Rules { closes, most_answers, keep_days: dice.pick(&[None, Some(30), Some(0)]), ..state.rules().clone() }
}

/// The latest time that the state knows of: nobody hands a role the clock.
fn last_seen(state: &State) -> Timestamp {
    let links = state.links().values().map(|link| link.made_at);
    links.chain(state.published().map(|published| published.at)).max().unwrap_or(Timestamp(1_700_000_000_000))
}

/// Some link's token; now and then none that there is.
fn token(state: &State, dice: &mut Dice) -> String {
    let tokens: Vec<&String> = state.links().keys().collect();
    if tokens.is_empty() || dice.below(12) == 0 { "nosuchlink".to_owned() } else { dice.pick(&tokens).clone() }
}

/// A new interview, or one that a single link knows.
fn session(state: &State, dice: &mut Dice) -> String {
    let used = |link: &Link| match &link.used {
        LinkUse::By(session) => Some(session.clone()),
        LinkUse::No | LinkUse::ByAForgotten => None,
    };
    let known: Vec<String> = state.links().values().filter_map(used).collect();
    if known.is_empty() || dice.below(3) > 0 {
        return format!("interview{}", dice.below(1 << 40));
    }
    dice.pick(&known)
}

/// Everything that somebody else may not ask for.
fn of_a_stranger(state: &State, words: &str, dice: &mut Dice) -> Command {
    let edition = state.card().edition;
    match dice.below(4) {
        0 => Command::Edit { form: Form { title: STRANGER.to_owned(), ..changed(state, dice) }, edition },
        1 => Command::Describe { sentence: format!("{words}{AFTER_WORDS}{STRANGER}") },
        2 => {
            let (token, kind) = (format!("{STRANGER}{:04}", dice.below(10_000)), LinkKind::Public);
            Command::MakeLink { token, kind, note: String::new(), prefill: BTreeMap::new() }
        }
        _ => {
            let (url, secret) = (format!("https://{STRANGER}.example/"), format!("whsec_{}", "QUJD".repeat(8)));
            Command::SetWebhook { webhook: Some(Webhook { url, secret: Secret::new(secret) }) }
        }
    }
}

/// The session's secret, as the simulation knows it.
fn secret(words: &str) -> String {
    format!("secret-of-{}", words.split(' ').next().unwrap_or_default())
}
