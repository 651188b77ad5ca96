//! What is said to a person at the companion's keyboard.

use std::path::Path;

use enza_applications::companion::State;
use enza_kernel::text::Lang;
use enza_models::choice::Chosen;

use crate::screen::figures::{count, decimals, dollars};
use crate::screen::{Columns, Screen, fold, pad, width};
use crate::words::models;

/// Where one types.
pub const PROMPT: &str = "> ";

/// The first lines.
pub fn head(screen: &Screen, folder: &Path, session: &str, chosen: &Chosen, turns: u32) -> String {
    let lang = screen.lang;
    let mut columns = Columns::bare();
    let mut line = |ja: &str, en: &str, text: String| columns.row([lang.pick(ja, en).to_owned(), text]);
    line("フォルダー", "folder", folder.display().to_string());
    line("モデル", "model", models::name(lang, &chosen.pick));
    let session = match turns {
        0 => session.to_owned(),
        _ => lang.pick(format!("{session}({turns}ターンの続き)"), format!("{session} (goes on after turn {turns})")),
    };
    line("セッション", "session", session);
    let hint = lang.pick("/help でコマンドの一覧、Ctrl-D で終了", "/help for what can be typed, Ctrl-D to leave");
    format!("{}\n{}", columns.lines(screen.width).join("\n"), screen.paint.faint(hint))
}

/// Where it stands, in one line.
pub fn status(lang: Lang, state: &State, chosen: &Chosen) -> String {
    let (step, status) = state.position();
    let (usage, ledger) = (&state.cast.usage, &state.cast.ledger);
    let mut parts =
        vec![step.say(lang).to_owned(), status.say(lang).to_owned(), state.settings.mode.say(lang).to_owned()];
    let behind = state.desks.iter().filter(|desk| desk.id != state.focus && !desk.aside).count();
    if behind > 0 {
        parts.push(lang.pick(format!("背景 {behind}"), format!("{behind} behind")));
    }
    let tokens = count(usage.input + usage.output);
    parts.push(match ledger.limit {
        Some(limit) => {
            lang.pick(format!("{tokens}/{} トークン", count(limit)), format!("{tokens}/{} tokens", count(limit)))
        }
        None => lang.pick(format!("{tokens} トークン"), format!("{tokens} tokens")),
    });
    if usage.cost > 0 {
        parts.push(dollars(usage.cost, decimals(usage.cost)));
    }
    parts.push(models::name(lang, &chosen.pick));
    parts.join(" · ")
}

/// Where one answers a gate.
pub fn gate_prompt(lang: Lang, width: usize) -> &'static str {
    if width < 60 {
        return lang.pick("[y/n/s/p/h/e/v] > ", "[y/n/s/p/h/e/v] > ");
    }
    lang.pick(
        "[y]はい [n]いいえ [s]この会話 [p]常に [h]部分 [e]編集 [v]全文 > ",
        "[y]es [n]o [s]ession [p]roject [h]unks [e]dit [v]iew > ",
    )
}

/// What can be answered at a gate.
pub fn gate_answers(lang: Lang) -> &'static str {
    lang.pick(
        "y はい、n いいえ(n 理由)、s このセッションでは常に、p このフォルダーでは常に、h 部分ごとに選ぶ、e 自分で編集、v すべて表示。ほかは会話になります。",
        "y yes, n no (n and a reason), s always in this session, p always in this folder, h hunk by hunk, e edit it yourself, v view all. Anything else is talk.",
    )
}

/// An agent failed.
pub fn stuck(lang: Lang, why: &str) -> String {
    lang.pick(format!("止まりました: {why}\n/retry でもう一度試します。"), format!("Stuck: {why}\n/retry tries again."))
}

/// Ctrl-C was pressed once.
pub fn once_more(lang: Lang) -> &'static str {
    lang.pick("もう一度 Ctrl-C を押すと終了します。", "Ctrl-C once more to leave.")
}

/// The person leaves.
pub fn left(screen: &Screen, session: &str) -> String {
    let text = screen.lang.pick(
        format!("続けるには: enza companion --resume {session}"),
        format!("Go on with it: enza companion --resume {session}"),
    );
    screen.paint.faint(&text)
}

/// A file was named with `@`.
pub fn attached(lang: Lang, path: &str) -> String {
    lang.pick(format!("添えました: {path}"), format!("With it: {path}"))
}

/// A rule for the folder was written.
pub fn kept(lang: Lang, file: &Path) -> String {
    lang.pick(
        format!("このフォルダーの決まりとして {} に書きました。", file.display()),
        format!("Written as a rule for this folder into {}.", file.display()),
    )
}

/// It was done, and there is nothing more to say.
pub fn done(lang: Lang) -> &'static str {
    lang.pick("変更しました。", "Done.")
}

/// Which model answers.
pub fn model(lang: Lang, chosen: &Chosen) -> String {
    let name = models::name(lang, &chosen.pick);
    lang.pick(
        format!("{name}\n変えるには: enza companion --continue --model 提供元/モデル"),
        format!("{name}\nTo change it: enza companion --continue --model PROVIDER/MODEL"),
    )
}

/// An order with something wrong behind it.
pub fn unfit(lang: Lang, order: &str) -> String {
    let usage = match order {
        "/allow" | "/deny" => format!("{order} change src/**  ·  {order} run cargo test *"),
        "/forbid" => lang.pick("/forbid src/auth", "/forbid src/auth").to_owned(),
        _ => lang.pick(format!("{order} 番号"), format!("{order} N")),
    };
    lang.pick(format!("使い方: {usage}"), format!("Usage: {usage}"))
}

/// An order that there is not.
pub fn unknown(lang: Lang, order: &str) -> String {
    lang.pick(
        format!("{order} というコマンドはありません。/help で一覧を表示します。"),
        format!("There is no command {order}. /help shows them all."),
    )
}

/// No turn changed anything.
pub fn nothing_to_undo(lang: Lang) -> &'static str {
    lang.pick("戻す変更はありません。", "There is nothing to take back.")
}

/// There is no such turn.
pub fn no_such_turn(lang: Lang) -> &'static str {
    lang.pick("そのターンはありません。/turns で確かめてください。", "There is no such turn. Look with /turns.")
}

/// Another session from an earlier turn.
pub fn forked(lang: Lang, child: &str, parent: &str) -> String {
    lang.pick(
        format!("{parent} から分岐して、{child} を続けます。ファイルはそのままです。"),
        format!("Forked from {parent}; this is {child} now. Files stay as they are."),
    )
}

/// The log was written.
pub fn exported(lang: Lang, path: &Path) -> String {
    lang.pick(format!("書き出しました: {}", path.display()), format!("Written to {}", path.display()))
}

/// One hunk of a file.
pub fn hunk(lang: Lang, path: &str, number: usize, of: usize) -> String {
    lang.pick(format!("{path}  {of} 箇所中 {number} 箇所目"), format!("{path}  {number} of {of}"))
}

/// Whether a hunk is taken.
pub fn take_hunk(lang: Lang) -> &'static str {
    lang.pick("取り入れますか [y/n] ", "Take it? [y/n] ")
}

/// A file that can only be taken whole.
pub fn not_by_hunks(lang: Lang, path: &str) -> String {
    lang.pick(
        format!("{path} は部分ごとに選べません。y か n で答えてください。"),
        format!("{path} cannot be picked hunk by hunk. Answer y or n."),
    )
}

/// There is no file in the question.
pub fn nothing_to_pick(lang: Lang) -> &'static str {
    lang.pick("選べる変更はありません。y か n で答えてください。", "There is no change to pick from. Answer y or n.")
}

/// Several files cannot be edited at once.
pub fn one_file_only(lang: Lang) -> &'static str {
    lang.pick(
        "編集できるのは、変更するファイルが1つのときだけです。h で部分ごとに選べます。",
        "Only a change of one file can be edited. h picks hunk by hunk.",
    )
}

/// The new content is no text, or is gone.
pub fn no_content(lang: Lang) -> &'static str {
    lang.pick("編集できる内容がありません。", "There is no text to edit.")
}

/// Nothing was edited.
pub fn unedited(lang: Lang) -> &'static str {
    lang.pick("編集されていません。確認は開いたままです。", "Nothing was edited; the question stays open.")
}

/// The editor did not come off.
pub fn no_editor(lang: Lang, why: &str) -> String {
    lang.pick(
        format!("エディターを使えませんでした({why})。EDITOR を設定してください。"),
        format!("The editor did not come off ({why}). Set EDITOR."),
    )
}

/// What can be typed.
pub fn help(screen: &Screen) -> String {
    const ALL: [(&str, &str, &str); 25] = [
        ("!…", "作業を止めて、すぐに伝える", "stops the work and is heard at once"),
        ("?…", "作業を続けたまま質問する", "asks beside the work, which goes on"),
        ("@FILE", "ファイルを添える(Tab で補完)", "hands a file over (Tab completes)"),
        ("/plan /ask /edits", "計画だけ・確認する・低リスクの編集を許可", "plan only, ask, accept edits of low risk"),
        ("/tasks", "進行中の作業と、順番を待つ言葉", "what is under way, and what waits"),
        ("/stop [N]", "作業を止める", "stops a task"),
        ("/back", "作業を背景に回す", "lets the task go on behind"),
        ("/front N", "作業を前に出す", "brings a task to the front"),
        ("/turns", "ターンの一覧", "the turns"),
        ("/undo [N]", "ターン N からの変更を戻す", "takes back every change from turn N on"),
        ("/fork N", "ターン N の前から分岐する", "another session from before turn N"),
        ("/accept", "結果を受け入れる", "accepts the result"),
        ("/reset", "作業を取りやめて最初に戻す", "clears the task away and begins anew"),
        ("/retry", "失敗をもう一度試す", "tries again after a failure"),
        ("/rules", "決まりと、禁じたこと", "the rules, and what is forbidden"),
        ("/allow /deny RULE", "決まりを足す: change src/**", "adds a rule: change src/**"),
        ("/forget N", "このセッションの決まりを消す", "forgets a rule of this session"),
        ("/forbid TEXT", "触ってはいけないものを決める", "forbids changes to something"),
        ("/lift N", "禁じたことを解く", "lifts what was forbidden"),
        ("/mind /why /context", "心に留めていること・理由・文脈", "what it holds in mind, why, and from what"),
        ("/cost /budget N", "使った量・トークンの上限を上げる", "what was used; allows more tokens"),
        ("/compact", "会話を要約して縮める", "shortens the conversation to its summary"),
        ("/model", "使っているモデル", "which model answers"),
        ("/export", "記録をファイルに書き出す", "writes the log to a file"),
        ("/quit", "終了する(セッションは残る)", "leaves; the session stays"),
    ];
    let rows = ALL.map(|(order, ja, en)| (order.to_owned(), screen.lang.pick(ja, en).to_owned()));
    let keys = screen.lang.pick(
        "Alt-Enter か行末の \\ で改行、↑↓ で履歴、Ctrl-C で作業を止め、もう一度で終了",
        "Alt-Enter or a \\ at the end: another line. Up and down: history. Ctrl-C: stops the work, twice leaves",
    );
    let keys = fold(keys, screen.width).join("\n");
    format!("{}\n{}", listed(screen, &rows), screen.paint.faint(&keys))
}

/// Names and what stands behind them, all of it: below its name where the window is narrow.
pub fn listed(screen: &Screen, rows: &[(String, String)]) -> String {
    const LEAST: usize = 30;
    let column = rows.iter().map(|(name, _)| width(name)).max().unwrap_or(0) + 2;
    let is_narrow = screen.width < column + LEAST;
    let indent = if is_narrow { 4 } else { column };
    let mut lines = Vec::new();
    for (name, text) in rows {
        let folded = fold(text, screen.width.saturating_sub(indent));
        let first = if is_narrow { "" } else { folded.first().map_or("", String::as_str) };
        lines.push(format!("{}{first}", pad(name, indent)).trim_end().to_owned());
        let rest = folded.iter().skip(usize::from(!is_narrow));
        lines.extend(rest.map(|line| format!("{}{line}", " ".repeat(indent))));
    }
    lines.join("\n")
}
