//! What is said when something goes wrong: what happened, why, and what to do next.

use std::fmt::Write as _;

use enza_kernel::text::{Lang, Said};
use enza_kernel::time::Seq;
use enza_runtime::engine::Declined;
use enza_runtime::seams::store::SessionId;

use crate::setup::short_id;
use crate::trouble::{Trouble, UnderWay, WantedApplication};
use crate::words::{backup, command_line, model_trouble, serve, store, talk};

/// Where a code is explained.
pub fn page(lang: Lang, code: &str) -> String {
    lang.pick(format!("コード {code}: docs/errors/{code}.md"), format!("code {code}: docs/errors/{code}.md"))
}

/// The words for it.
pub fn say(trouble: &Trouble, lang: Lang) -> Said {
    let said = |ja: (String, &str), en: (String, &str)| {
        let (message, hint) = lang.pick(ja, en);
        Said::new(message, hint)
    };
    match trouble {
        Trouble::Usage(error) => command_line::say(error, lang),
        Trouble::NoHome => said(
            (
                "データのフォルダーを決められません。HOME が設定されていません。".to_owned(),
                "--data DIR でフォルダーを指定してください。",
            ),
            ("No data folder: HOME is not set.".to_owned(), "Name one with --data DIR."),
        ),
        Trouble::Folder { path, why } => said(
            (
                format!("フォルダー {} を使えません: {why}", path.display()),
                "書き込めるフォルダーを --data DIR で指定するか、権限を直してください。",
            ),
            (
                format!("The folder {} cannot be used: {why}.", path.display()),
                "Name a folder that you may write with --data DIR, or correct its permissions.",
            ),
        ),
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
        Trouble::AmbiguousSession { part, matches } => said(
            (
                format!("「{part}」に当てはまるセッションがいくつもあります:\n{}", names(matches)),
                "IDをもう少し長く入力してください。",
            ),
            (format!("Several sessions begin or end with \"{part}\":\n{}", names(matches)), "Type more of the id."),
        ),
        Trouble::OtherApplication { session, application, wanted: WantedApplication { name, ja, en } } => Said::new(
            lang.pick(
                format!("{} は {application} のセッションで、{ja}ではありません。", short_id(session)),
                format!("{} is a session of {application}, not {en}.", short_id(session)),
            ),
            lang.pick(
                format!("enza session list --application {name} で探してください。"),
                format!("Find one with: enza session list --application {name}"),
            ),
        ),
        Trouble::UnknownApplication { name, known } => {
            let known = known.join(", ");
            Said::new(
                lang.pick(
                    format!("「{name}」というアプリケーションはありません。"),
                    format!("There is no application \"{name}\"."),
                ),
                lang.pick(format!("あるのは {known} です。"), format!("There is: {known}.")),
            )
        }
        Trouble::NoOpening { application, known, begins } => talk::no_opening(lang, application, known, *begins),
        Trouble::Model(trouble) => model_trouble::say(trouble, lang),
        Trouble::NothingToPull { name } => model_trouble::unknown_weights(name, lang),
        Trouble::Pull(trouble) => model_trouble::pull(trouble, lang),
        Trouble::ModelSilent { model, why } => model_trouble::silent(model, why, lang),
        Trouble::NoSuchEvent { seq, head } => Said::new(
            lang.pick(format!("{seq}番のイベントはありません。"), format!("There is no event {seq}.")),
            lang.pick(format!("1 から {head} の番号を指定してください。"), format!("Give a number from 1 to {head}.")),
        ),
        Trouble::HasForks { forks } => said(
            (
                format!("このセッションのイベントを、分岐したセッションが使っています:\n{}", names(forks)),
                "先に分岐のほうを削除してください。",
            ),
            (format!("Forks of this session need its events:\n{}", names(forks)), "Delete the forks first."),
        ),
        Trouble::HasFamily { count } => said(
            (
                format!("このセッションに、{count}件のセッションが属しています。"),
                "先にそれらを削除してください(一覧は enza session list --of ID)。",
            ),
            (
                format!("Sessions that belong to this one: {count}."),
                "Delete those first (enza session list --of ID shows them).",
            ),
        ),
        Trouble::File { path, why } => said(
            (format!("{} を読めません: {why}", path.display()), "ファイルの場所と中身を確かめてください。"),
            (format!("{} cannot be read: {why}.", path.display()), "Make sure of the file's place and content."),
        ),
        Trouble::Application(trouble) => trouble.say(lang),
        Trouble::NeedsYes => said(
            ("削除してよいか、答える人がいません。".to_owned(), "よければ --yes を付けてください。"),
            ("Nobody is there to say that it may be deleted.".to_owned(), "If it may, add --yes."),
        ),
        Trouble::ReplayDiffers { seqs, snapshot_agrees } => replay(seqs, *snapshot_agrees, lang),
        Trouble::PromptDiffers { seq } => said(
            (
                format!("{seq}番の返事のプロンプトが、記録されたものと違います。"),
                "そのときと同じ版の enza で試し、それでも違えば報告してください。",
            ),
            (
                format!("The prompt of reply {seq} is not the recorded one."),
                "Try the version of enza that recorded it; if it still differs, report it.",
            ),
        ),
        Trouble::Violations { replays } => violations(replays, lang),
        Trouble::NotWell { count } => said(
            (
                format!("{count}件の問題が見つかりました。"),
                "上の fail の行に従って直し、もう一度 enza doctor を実行してください。",
            ),
            (
                format!("{count} found that {} not work.", if *count == 1 { "does" } else { "do" }),
                "Do what the lines marked fail say, and run enza doctor again.",
            ),
        ),
        Trouble::Backup { path, why } => backup::untaken(lang, path, why),
        Trouble::Interrupted { under_way: Some(UnderWay { resume, .. }) } => Said::new(
            lang.pick("中断しました。受け付けた内容は残っています。", "Interrupted. What was acknowledged is kept."),
            format!("{}: {resume}", lang.pick("続けられます", "Go on with it")),
        ),
        Trouble::Interrupted { under_way: None } | Trouble::NobodyReads => said(
            ("中断しました。".to_owned(), "もう一度実行できます。"),
            ("Interrupted.".to_owned(), "It can be run again."),
        ),
    }
}

fn names(sessions: &[SessionId]) -> String {
    sessions.iter().map(|session| format!("  {session}")).collect::<Vec<_>>().join("\n")
}

fn unknown_session(part: &str, near: &[SessionId], lang: Lang) -> Said {
    let mut message =
        lang.pick(format!("「{part}」というセッションはありません。"), format!("There is no session \"{part}\"."));
    if !near.is_empty() {
        let _ = write!(message, "{}\n{}", lang.pick("最近のセッション:", " The newest:"), names(near));
    }
    let hint = lang.pick(
        "enza session list で探してください。別のデータなら --data か --database を付けます。",
        "Find it with enza session list; for other data, add --data or --database.",
    );
    Said::new(message, hint)
}

fn replay(seqs: &[Seq], snapshot_agrees: bool, lang: Lang) -> Said {
    let mut parts = Vec::new();
    if !snapshot_agrees {
        parts.push(lang.pick("スナップショットの状態が違います".to_owned(), "the snapshot's state differs".to_owned()));
    }
    if !seqs.is_empty() {
        let list = seqs.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        parts.push(
            lang.pick(format!("プロンプトが違う返事: {list}"), format!("the prompts of these replies differ: {list}")),
        );
    }
    let parts = parts.join(lang.pick("、", "; "));
    Said::new(
        lang.pick(
            format!("作り直した結果が記録と違います: {parts}。"),
            format!("The replay is not what is recorded: {parts}."),
        ),
        lang.pick(
            "enza prompt ID SEQ で見比べ、記録したときと同じ版の enza でも違えば報告してください。",
            "Look with enza prompt ID SEQ; if the version that recorded it differs too, report it.",
        ),
    )
}

fn violations(replays: &[String], lang: Lang) -> Said {
    let count = replays.len();
    let list = replays.join("\n  ");
    Said::new(
        lang.pick(format!("{count}個の種で約束が破られました。"), format!("Promises were broken in {count} seeds.")),
        lang.pick(format!("同じことを再現するには:\n  {list}"), format!("Play them again:\n  {list}")),
    )
}

fn declined_by(declined: &Declined, lang: Lang) -> Said {
    match declined {
        Declined::Refused(refused) => refused.say(lang).clone(),
        Declined::Failed(failure) => store::say(failure, lang),
        Declined::UnknownSession(session) => unknown_session(session.as_str(), &[], lang),
        Declined::UnknownApplication(name) => Said::new(
            lang.pick(
                format!("この版の enza は「{name}」を知りません。"),
                format!("This build of enza does not know \"{name}\"."),
            ),
            lang.pick("それを含む版の enza を使ってください。", "Use a build of enza that has it."),
        ),
        Declined::NameTaken(session) => Said::new(
            lang.pick(
                format!("「{session}」というセッションはもうあります。"),
                format!("There is a session {session} already."),
            ),
            lang.pick(
                "別の名前にするか、そのセッションを続けてください。",
                "Choose another name, or go on with that one.",
            ),
        ),
        Declined::Malformed(why) => Said::new(
            lang.pick(format!("コマンドとして読めません: {why}"), format!("Not a command: {why}.")),
            lang.pick("enza --help で使い方を確かめてください。", "Look at enza --help."),
        ),
        Declined::TooLarge { bytes, most } => Said::new(
            lang.pick(
                format!("{most}バイトまでですが、{bytes}バイトあります。"),
                format!("It has {bytes} bytes; {most} are allowed."),
            ),
            lang.pick("短くするか、いくつかに分けてください。", "Shorten it, or send it in parts."),
        ),
        Declined::Contended => Said::new(
            lang.pick(
                "ほかの人やプロセスが同時に書き込んでいて、割り込めませんでした。",
                "Others wrote to this session at the same time, and were faster every time.",
            ),
            lang.pick("少し待ってから、もう一度試してください。", "Wait a moment and try again."),
        ),
    }
}
