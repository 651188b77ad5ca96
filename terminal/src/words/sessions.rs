//! What the commands that look at sessions say.

use enza_kernel::application::Phase;
use enza_kernel::conversation::Digest;
use enza_kernel::text::Lang;

/// Names of lines of `session show`.
pub const SESSION: (&str, &str) = ("セッション", "session");
/// What it is called.
pub const TITLE: (&str, &str) = ("題", "title");
/// Its phase.
pub const PHASE: (&str, &str) = ("状態", "phase");
/// What it waits for.
pub const WAITS_FOR: (&str, &str) = ("待ち", "waits for");
/// When it was opened.
pub const OPENED: (&str, &str) = ("開始", "opened");
/// When it was last changed.
pub const CHANGED: (&str, &str) = ("更新", "changed");
/// How many events it has.
pub const EVENTS: (&str, &str) = ("イベント", "events");
/// Where it was forked.
pub const FORKED: (&str, &str) = ("分岐元", "forked");
/// What it belongs to.
pub const BELONGS: (&str, &str) = ("属する先", "belongs to");
/// What it used.
pub const USAGE: (&str, &str) = ("使用量", "usage");

/// Who replied in it.
pub const MODELS: (&str, &str) = ("モデル", "models");

/// The names of the columns of a list.
pub fn list_head(lang: Lang) -> [&'static str; 6] {
    lang.pick(
        ["ID", "種類", "状態", "イベント", "更新", "題"],
        ["ID", "application", "phase", "events", "changed", "title"],
    )
}

/// A phase, in a word.
pub fn phase(lang: Lang, phase: Phase) -> &'static str {
    match phase {
        Phase::Working => lang.pick("作業中", "working"),
        Phase::Waiting => lang.pick("返事待ち", "waiting"),
        Phase::Gate => lang.pick("確認待ち", "gate"),
        Phase::Stuck => lang.pick("停止中", "stuck"),
        Phase::Ended => lang.pick("終了", "ended"),
    }
}

/// There are none.
pub fn none(lang: Lang, begins: &str) -> String {
    lang.pick(
        format!("セッションはありません。始めるには: {begins}"),
        format!("There are no sessions. Start one with: {begins}"),
    )
}

/// There are none of these.
pub fn no_events(lang: Lang, after: u64, head: u64) -> String {
    lang.pick(
        format!("{after}番より後のイベントはありません(最後は{head}番)。"),
        format!("There are no events after {after}; the last is {head}."),
    )
}

/// Where a fork comes from.
pub fn forked_from(lang: Lang, parent: &str, at: u64) -> String {
    lang.pick(format!("{parent} の{at}番"), format!("from {parent} at {at}"))
}

/// What a session used.
pub fn usage(lang: Lang, calls: u64, input: u64, output: u64) -> String {
    lang.pick(
        format!("呼び出し {calls}回、入力 {input}、出力 {output} トークン"),
        format!("{calls} calls, {input} tokens in, {output} out"),
    )
}

/// And what that cost.
pub fn at_cost(lang: Lang, usage: &str, dollars: &str) -> String {
    lang.pick(format!("{usage}、{dollars}"), format!("{usage}, {dollars}"))
}

/// A watched session ended.
pub fn ended(lang: Lang) -> &'static str {
    lang.pick("セッションは終了しました。", "The session has ended.")
}

/// A fork was made.
pub fn forked(lang: Lang, child: &str, parent: &str, at: u64) -> String {
    lang.pick(
        format!("{child}\n{parent} の{at}番までを共有する、新しいセッションです。"),
        format!("{child}\nA new session that shares {parent} up to event {at}."),
    )
}

/// How to go on with it.
pub fn go_on(lang: Lang, resume: &str) -> String {
    lang.pick(format!("続けるには: {resume}"), format!("Go on with it: {resume}"))
}

/// A replay gave the same.
pub fn replayed(lang: Lang, events: u64, prompts: u64) -> String {
    lang.pick(
        format!(
            "同じです: {events}件のイベントから同じ状態に、{prompts}件のプロンプトはバイト単位で同じになりました。"
        ),
        format!("The same: {events} events lead to the same state, and {prompts} prompts to the same bytes."),
    )
}

/// The digest of a state.
pub fn digest(lang: Lang, state: &Digest) -> String {
    lang.pick(format!("状態のSHA-256: {state}"), format!("SHA-256 of the state: {state}"))
}

/// Asks before deleting.
pub fn really(lang: Lang, session: &str, title: &str, events: u64) -> String {
    lang.pick(
        format!("{session}「{title}」とその{events}件のイベントを削除しますか? 元には戻せません。[y/n] "),
        format!("Delete {session} \"{title}\" and its {}? This cannot be undone. [y/n] ", super::many(events, "event")),
    )
}

/// It was not deleted.
pub fn kept(lang: Lang) -> &'static str {
    lang.pick("削除しませんでした。", "Kept as it is.")
}

/// It was deleted.
pub fn deleted(lang: Lang, session: &str) -> String {
    lang.pick(format!("{session} を削除しました。"), format!("{session} is deleted."))
}

/// No prompt belongs to an event.
pub fn no_prompt(lang: Lang, seq: u64) -> String {
    lang.pick(
        format!("{seq}番のイベントには、もとになったプロンプトも、その直後に必要なプロンプトもありません。"),
        format!("No prompt is behind event {seq}, and none is due after it."),
    )
}

/// The line above a prompt.
pub fn prompt_head(lang: Lang, thread: &str, asked_at: u64) -> String {
    lang.pick(format!("{thread}({asked_at}番の時点)"), format!("{thread}, as of event {asked_at}"))
}

/// It is the recorded one.
pub fn prompt_exact(lang: Lang, digest: &Digest) -> String {
    lang.pick(
        format!("記録されたものとバイト単位で同じです ({digest})"),
        format!("byte for byte the recorded one ({digest})"),
    )
}

/// It is not.
pub fn prompt_differs(lang: Lang, digest: &Digest) -> String {
    lang.pick(format!("記録されたものと違います ({digest})"), format!("not the recorded one ({digest})"))
}

/// There is nothing to compare it with.
pub fn prompt_due(lang: Lang) -> &'static str {
    lang.pick(
        "このイベントの直後に必要なもので、返事の記録はここにはありません",
        "due after this event; no reply is recorded here",
    )
}

/// What a session is called, with what was said in it where that was looked for.
pub fn found_in(title: &str, line: Option<&str>) -> String {
    line.map_or_else(|| title.to_owned(), |line| format!("{title} · {line}"))
}

/// Not everything was looked through.
pub fn not_all_searched(lang: Lang, sessions: usize, events: usize) -> String {
    lang.pick(
        format!("会話の中は、新しい {sessions} 件のセッションの、それぞれ最初の {events} 件の出来事だけを探しました。"),
        format!(
            "What was said was looked for in the newest {sessions} sessions and the first {events} events of each only."
        ),
    )
}
