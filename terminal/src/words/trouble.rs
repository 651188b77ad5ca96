//! What is said when something goes wrong: what happened, why, and what to do next.

use std::fmt::Write as _;

use enza_kernel::text::{Lang, Said};
use enza_kernel::time::Seq;
use enza_runtime::engine::Declined;
use enza_runtime::seams::store::SessionId;

use crate::setup::short_id;
use crate::trouble::{Trouble, UnderWay};
use crate::words::{backup, command_line, many, model_trouble, serve, store, talk, words};

/// Where a code is explained.
pub fn page(lang: Lang, code: &str) -> String {
    words(lang).fill("trouble.page", &[("code", &code)])
}

/// The words for it.
pub fn say(trouble: &Trouble, lang: Lang) -> Said {
    match trouble {
        Trouble::Usage(error) => command_line::say(error, lang),
        Trouble::NoHome => words(lang).said("trouble.no_home", &[]),
        Trouble::Folder { path, why } => {
            words(lang).said("trouble.folder", &[("path", &path.display()), ("why", &why)])
        }
        Trouble::Address { address, why } => serve::address(lang, address, why),
        Trouble::AccountsNeeded { address } => serve::accounts_needed(lang, address),
        Trouble::PublicUnfit { url } => serve::public_unfit(lang, url),
        Trouble::ProxyUnfit { typed } => serve::proxy_unfit(lang, typed),
        Trouble::LogLevel { level } => serve::log_level(lang, level),
        Trouble::NoTraces => serve::no_traces(lang),
        Trouble::NoPerson { name } => serve::no_person(lang, name),
        Trouble::Store(failure) => store::say(failure, lang),
        Trouble::Declined(declined) => declined_by(declined, lang),
        Trouble::UnknownSession { part, near } => unknown_session(part, near, lang),
        Trouble::AmbiguousSession { part, matches } => {
            words(lang).said("trouble.ambiguous_session", &[("part", &part), ("matches", &names(matches))])
        }
        Trouble::OtherApplication { session, called, wanted } => words(lang).said(
            "trouble.other_application",
            &[
                ("session", &short_id(session)),
                ("application", &called.say(lang)),
                ("wanted", &wanted.called(lang)),
                ("name", &wanted.name()),
            ],
        ),
        Trouble::UnknownApplication { name, known } => {
            let known = known.join(", ");
            words(lang).said("trouble.unknown_application", &[("name", &name), ("known", &known)])
        }
        Trouble::NoOpening { application, known, begins } => talk::no_opening(lang, application, known, *begins),
        Trouble::Model(trouble) => model_trouble::say(trouble, lang),
        Trouble::NothingToPull { name } => model_trouble::unknown_weights(name, lang),
        Trouble::Pull(trouble) => model_trouble::pull(trouble, lang),
        Trouble::ModelSilent { model, why } => model_trouble::silent(model, why, lang),
        Trouble::NoSuchEvent { seq, head } => {
            words(lang).said("trouble.no_such_event", &[("seq", &seq), ("head", &head)])
        }
        Trouble::HasForks { forks } => words(lang).said("trouble.has_forks", &[("forks", &names(forks))]),
        Trouble::HasFamily { count } => words(lang).said("trouble.has_family", &[("count", &count)]),
        Trouble::File { path, why } => words(lang).said("trouble.file", &[("path", &path.display()), ("why", &why)]),
        Trouble::Application(trouble) => trouble.say(lang),
        Trouble::NeedsYes => words(lang).said("trouble.needs_yes", &[]),
        Trouble::ReplayDiffers { seqs, snapshot_agrees } => replay(seqs, *snapshot_agrees, lang),
        Trouble::PromptDiffers { seq } => words(lang).said("trouble.prompt_differs", &[("seq", &seq)]),
        Trouble::Violations { replays } => violations(replays, lang),
        Trouble::NotWell { count } => words(lang).said("trouble.not_well", &[("count", &many(lang, *count, "check"))]),
        Trouble::Backup { path, why } => backup::untaken(lang, path, why),
        Trouble::Interrupted { under_way: Some(UnderWay { resume, .. }) } => {
            words(lang).said("trouble.interrupted_session", &[("resume", &resume)])
        }
        Trouble::Interrupted { under_way: None } | Trouble::NobodyReads => words(lang).said("trouble.interrupted", &[]),
    }
}

fn names(sessions: &[SessionId]) -> String {
    sessions.iter().map(|session| format!("  {session}")).collect::<Vec<_>>().join("\n")
}

fn unknown_session(part: &str, near: &[SessionId], lang: Lang) -> Said {
    let mut message = words(lang).fill("trouble.unknown_session", &[("part", &part)]);
    if !near.is_empty() {
        let _ = write!(message, "{}\n{}", words(lang).say("trouble.unknown_session_newest"), names(near));
    }
    let hint = words(lang).say("trouble.unknown_session_hint");
    Said::new(message, hint)
}

fn replay(seqs: &[Seq], snapshot_agrees: bool, lang: Lang) -> Said {
    let mut parts = Vec::new();
    if !snapshot_agrees {
        parts.push(words(lang).say("trouble.replay_snapshot").to_owned());
    }
    if !seqs.is_empty() {
        let list = seqs.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        parts.push(words(lang).fill("trouble.replay_prompts", &[("list", &list)]));
    }
    let parts = parts.join(lang.pick("、", "; "));
    words(lang).said("trouble.replay", &[("parts", &parts)])
}

fn violations(replays: &[String], lang: Lang) -> Said {
    let count = replays.len();
    let list = replays.join("\n  ");
    words(lang).said("trouble.violations", &[("count", &count), ("list", &list)])
}

fn declined_by(declined: &Declined, lang: Lang) -> Said {
    match declined {
        Declined::Refused(refused) => refused.say(lang).clone(),
        Declined::Failed(failure) => store::say(failure, lang),
        Declined::UnknownSession(session) => unknown_session(session.as_str(), &[], lang),
        Declined::UnknownApplication(name) => {
            words(lang).said("trouble.declined_unknown_application", &[("name", &name)])
        }
        Declined::NameTaken(session) => words(lang).said("trouble.declined_name_taken", &[("session", &session)]),
        Declined::Malformed(why) => words(lang).said("trouble.declined_malformed", &[("why", &why)]),
        Declined::TooLarge { bytes, most } => {
            words(lang).said("trouble.declined_too_large", &[("bytes", &bytes), ("most", &most)])
        }
        Declined::Contended => words(lang).said("trouble.declined_contended", &[]),
    }
}
