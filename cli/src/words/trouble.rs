//! What is said when something goes wrong: what happened, why, and what to do next.

use std::fmt::Write as _;

use clap::error::{ContextKind, ErrorKind};
use enza_kernel::application::Reason as _;
use enza_kernel::text::{Lang, Said};
use enza_kernel::time::Seq;
use enza_runtime::engine::Declined;
use enza_runtime::seams::store::{Failure, SessionId};

use crate::backstage::short;
use crate::trouble::Trouble;

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
        Trouble::Usage(error) => usage(error, lang),
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
        Trouble::Store(failure) => store(failure, lang),
        Trouble::Declined(declined) => declined_by(declined, lang),
        Trouble::UnknownSession { part, near } => unknown_session(part, near, lang),
        Trouble::AmbiguousSession { part, matches } => said(
            (
                format!("「{part}」に当てはまるセッションがいくつもあります:\n{}", names(matches)),
                "IDをもう少し長く入力してください。",
            ),
            (format!("Several sessions begin or end with {part:?}:\n{}", names(matches)), "Type more of the id."),
        ),
        Trouble::OtherApplication { session, application } => said(
            (
                format!("{} は {application} のセッションで、インタビューではありません。", short(session)),
                "enza session list --application interview で探してください。",
            ),
            (
                format!("{} is a session of {application}, not an interview.", short(session)),
                "Find one with: enza session list --application interview",
            ),
        ),
        Trouble::UnknownApplication { name, known } => {
            let known = known.join(", ");
            Said::new(
                lang.pick(
                    format!("「{name}」というアプリケーションはありません。"),
                    format!("There is no application {name:?}."),
                ),
                lang.pick(format!("あるのは {known} です。"), format!("There is: {known}.")),
            )
        }
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
        Trouble::File { path, why } => said(
            (format!("{} を読めません: {why}", path.display()), "ファイルの場所と中身を確かめてください。"),
            (format!("{} cannot be read: {why}.", path.display()), "Make sure of the file's place and content."),
        ),
        Trouble::Form(fault) => fault.say(lang),
        Trouble::AtQuestion { session, question } => Said::new(
            lang.pick(
                format!("答える人がいません。質問: {question}"),
                format!("A question is open and nobody is there to answer: {question}"),
            ),
            resume(
                lang,
                session,
                lang.pick(
                    "端末で続けるか、--answers で答えを渡してください",
                    "Go on at a terminal, or with --answers FILE",
                ),
            ),
        ),
        Trouble::AtGate { session, intent } => Said::new(
            lang.pick(
                format!("確認に答える人がいません: {intent}"),
                format!("A gate is open and nobody is there to answer: {intent}."),
            ),
            resume(
                lang,
                session,
                lang.pick("端末で続けるか、--yes を付けてください", "Go on at a terminal, or with --yes"),
            ),
        ),
        Trouble::Stuck { session, why } => {
            Said::new(why.clone(), resume(lang, session, lang.pick("端末で続けてください", "Go on at a terminal")))
        }
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
        Trouble::Violations { seeds, application } => violations(seeds, application.as_deref(), lang),
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
        Trouble::Interrupted { session: Some(session) } => Said::new(
            lang.pick("中断しました。受け付けた内容は残っています。", "Interrupted. What was acknowledged is kept."),
            resume(lang, session, lang.pick("続けられます", "Go on with it")),
        ),
        Trouble::Interrupted { session: None } | Trouble::NobodyReads => said(
            ("中断しました。".to_owned(), "もう一度実行できます。"),
            ("Interrupted.".to_owned(), "It can be run again."),
        ),
    }
}

fn resume(lang: Lang, session: &SessionId, how: &str) -> String {
    let session = short(session);
    lang.pick(
        format!("{how}: enza interview run --session {session}"),
        format!("{how}: enza interview run --session {session}"),
    )
}

fn names(sessions: &[SessionId]) -> String {
    sessions.iter().map(|session| format!("  {session}")).collect::<Vec<_>>().join("\n")
}

fn unknown_session(part: &str, near: &[SessionId], lang: Lang) -> Said {
    let mut message =
        lang.pick(format!("「{part}」というセッションはありません。"), format!("There is no session {part:?}."));
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

fn violations(seeds: &[u64], application: Option<&str>, lang: Lang) -> Said {
    let list = seeds.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let first = seeds.first().copied().unwrap_or_default();
    let only = application.map(|name| format!(" --application {name}")).unwrap_or_default();
    Said::new(
        lang.pick(
            format!("約束が破られた種があります: {list}"),
            format!("Promises were broken in these seeds: {list}."),
        ),
        lang.pick(
            format!("同じことを再現するには: enza simulate --seed {first}{only}"),
            format!("Play one again: enza simulate --seed {first}{only}"),
        ),
    )
}

fn declined_by(declined: &Declined, lang: Lang) -> Said {
    match declined {
        Declined::Refused(refused) => refused.say(lang).clone(),
        Declined::Failed(failure) => store(failure, lang),
        Declined::UnknownSession(session) => unknown_session(session.as_str(), &[], lang),
        Declined::UnknownApplication(name) => Said::new(
            lang.pick(
                format!("この版の enza は「{name}」を知りません。"),
                format!("This build of enza does not know {name:?}."),
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

/// What a failing database says. The technical text stays at the end, for whoever must look into it.
fn store(failure: &Failure, lang: Lang) -> Said {
    let said = |ja: (String, &str), en: (String, &str)| {
        let (message, hint) = lang.pick(ja, en);
        Said::new(message, hint)
    };
    match failure {
        Failure::Unreachable(why) => said(
            (
                format!("データベースに接続できません: {why}"),
                "サーバーが動いているか、--database のアドレスが正しいかを確かめてください。受け付けられた内容は残っています。",
            ),
            (
                format!("The database cannot be reached: {why}."),
                "Make sure that the server runs and that --database is right. What was acknowledged is kept.",
            ),
        ),
        Failure::Full(why) => said(
            (format!("ディスクに空きがありません: {why}"), "空きを作ってから、もう一度試してください。"),
            (format!("There is no room left on the disk: {why}."), "Make room, then try again."),
        ),
        Failure::ReadOnly(why) => said(
            (
                format!("データベースに書き込めません: {why}"),
                "ファイルとフォルダーの権限を直すか、--data で書き込める場所を選んでください。",
            ),
            (
                format!("The database may not be written: {why}."),
                "Correct the permissions of file and folder, or choose another place with --data.",
            ),
        ),
        Failure::Damaged(why) => said(
            (
                format!("データベースが壊れているか、enza のものではありません: {why}"),
                "ファイルはそのまま残してあります。写しを取り、控えから戻すか、--data で新しい場所を使ってください。",
            ),
            (
                format!("The database is damaged, or not one of enza's: {why}."),
                "The file was left as it is. Copy it, then restore a backup, or use another place with --data.",
            ),
        ),
        Failure::Newer { found, known } => said(
            (
                format!("データベースは新しい版の enza のものです(版 {found}。この enza は {known} まで)。"),
                "新しい enza を使うか、--data で別の場所を使ってください。データベースには触れていません。",
            ),
            (
                format!(
                    "The database was made by a newer enza: schema version {found}, this build knows up to {known}."
                ),
                "Use the newer enza, or another place with --data. The database was not touched.",
            ),
        ),
        Failure::Unreadable(why) => said(
            (
                format!("この版の enza では読めないイベントがあります: {why}"),
                "記録した版(またはそれより新しい版)の enza で開いてください。記録には触れていません。",
            ),
            (
                format!("There is an event that this build cannot read: {why}."),
                "Open it with the version of enza that recorded it, or a newer one. The log was not touched.",
            ),
        ),
        Failure::Other(why) => said(
            (
                format!("データベースに断られました: {why}"),
                "enza doctor を実行し、原因がわからなければこの文面とともに報告してください。",
            ),
            (
                format!("The database refused: {why}."),
                "Run enza doctor; if it finds nothing, report this with the text above.",
            ),
        ),
    }
}

/// What was wrong with the command line.
fn usage(error: &clap::Error, lang: Lang) -> Said {
    let named = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let (argument, value) = (named(ContextKind::InvalidArg), named(ContextKind::InvalidValue));
    let message = match error.kind() {
        ErrorKind::UnknownArgument => {
            lang.pick(format!("「{argument}」という引数はありません。"), format!("There is no argument {argument:?}."))
        }
        ErrorKind::InvalidSubcommand => {
            let word = named(ContextKind::InvalidSubcommand);
            lang.pick(format!("「{word}」というコマンドはありません。"), format!("There is no command {word:?}."))
        }
        ErrorKind::InvalidValue if value.is_empty() => {
            lang.pick(format!("「{argument}」に値がありません。"), format!("{argument} needs a value."))
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => lang.pick(
            format!("「{value}」は {argument} の値として使えません。"),
            format!("{value:?} will not do for {argument}."),
        ),
        ErrorKind::MissingRequiredArgument => {
            lang.pick(format!("足りない引数があります: {argument}"), format!("An argument is missing: {argument}."))
        }
        ErrorKind::ArgumentConflict => {
            let other = named(ContextKind::PriorArg);
            lang.pick(
                format!("{argument} と {other} は一緒に使えません。"),
                format!("{argument} and {other} do not go together."),
            )
        }
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            lang.pick("コマンドの続きが足りません。".to_owned(), "The command is not complete.".to_owned())
        }
        _ => error.kind().as_str().unwrap_or("?").to_owned(),
    };
    let close = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand].map(named);
    let close = close.iter().find(|text| !text.is_empty());
    let help = lang.pick(
        "使い方は enza --help、または enza コマンド --help で確かめられます。",
        "See enza --help, or enza COMMAND --help.",
    );
    let hint = match close {
        Some(close) => lang.pick(format!("「{close}」のことですか? {help}"), format!("Did you mean {close}? {help}")),
        None => help.to_owned(),
    };
    Said::new(message, hint)
}
