//! What is said to a person at the companion's keyboard.

use std::path::Path;

use enza_companion::State;
use enza_kernel::text::Lang;
use enza_models::choice::{Chosen, ModelRef};
use enza_terminal::screen::figures::{count, decimals, dollars};
use enza_terminal::screen::{Columns, Screen, width};
use enza_terminal::words::models;

use crate::mentions::{MissingMention, MissingReason};

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
    format!("{}\n{}", columns.lines(screen.width()).join("\n"), screen.faintly(hint))
}

/// Where it stands, in one line.
pub fn status(lang: Lang, state: &State, commander: &ModelRef) -> String {
    let (step, status) = state.position();
    let mut parts =
        vec![step.say(lang).to_owned(), status.say(lang).to_owned(), state.settings.mode.say(lang).to_owned()];
    let behind = state.desks.iter().filter(|desk| desk.id != state.focus && !desk.aside).count();
    if behind > 0 {
        parts.push(lang.pick(format!("背景 {behind}"), format!("{behind} behind")));
    }
    parts.extend(spent(lang, state));
    // Whoever commands answers most of what is said.
    parts.push(models::name(lang, commander));
    parts.join(" · ")
}

/// What was used: tokens, of how many, and what they cost.
pub fn spent(lang: Lang, state: &State) -> Vec<String> {
    let (usage, ledger) = (&state.cast.usage, &state.cast.ledger);
    let tokens = count(usage.input + usage.output);
    let mut parts = vec![match ledger.limit {
        Some(limit) => {
            lang.pick(format!("{tokens}/{} トークン", count(limit)), format!("{tokens}/{} tokens", count(limit)))
        }
        None => lang.pick(format!("{tokens} トークン"), format!("{tokens} tokens")),
    }];
    if usage.cost > 0 {
        parts.push(dollars(usage.cost, decimals(usage.cost)));
    }
    parts
}

/// Where one answers a gate.
pub fn gate_prompt(lang: Lang, columns: usize) -> &'static str {
    /// What is typed behind it.
    const ROOM: usize = 3;
    let words = lang.pick(
        "[y]はい [n]いいえ [s]この会話 [p]常に [ns/np]常に断る [h]部分 [e]編集 [v]全文 > ",
        "[y]es [n]o [s]ession [p]roject [ns/np] never [h]unks [e]dit [v]iew > ",
    );
    if width(words) + ROOM > columns { "[y/n/s/p/ns/np/h/e/v] > " } else { words }
}

/// What can be answered at a gate.
pub fn gate_answers(lang: Lang) -> &'static str {
    lang.pick(
        "y はい、n いいえ(n 理由)、s このセッションでは常に、p このフォルダーでは常に、ns このセッションでは常に断る、np このフォルダーでは常に断る、h 部分ごとに選ぶ、e 自分で編集、v すべて表示。ほかは会話になります。",
        "y yes, n no (n and a reason), s always in this session, p always in this folder, ns never in this session, np never in this folder, h hunk by hunk, e edit it yourself, v view all. Anything else is talk.",
    )
}

/// What an answer for longer would hold for, and whether it is asked about again all the same.
pub fn lasting(lang: Lang, rules: &[String], asks_again: bool) -> String {
    let rules = rules.join(lang.pick("、", ", "));
    let again = lang.pick(
        "。リスクが低いものに限ります。この内容は、次も確認します。",
        ", as far as the risk is low. What is asked here is asked again next time.",
    );
    let again = if asks_again { again } else { "" };
    lang.pick(
        format!("s・p・ns・np が効く範囲: {rules}{again}"),
        format!("s, p, ns and np would hold for: {rules}{again}"),
    )
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
    screen.faintly(&text)
}

/// A file was named with `@`.
pub fn attached(lang: Lang, path: &str) -> String {
    lang.pick(format!("添えました: {path}"), format!("With it: {path}"))
}

/// Something that was forbidden is allowed again.
pub fn lifted(lang: Lang, text: &str) -> String {
    lang.pick(format!("解きました: {text}"), format!("Lifted: {text}"))
}

/// A rule of the session is gone.
pub fn rule_forgotten(lang: Lang, rule: &str) -> String {
    lang.pick(format!("このルールを消しました: {rule}"), format!("This rule is gone: {rule}"))
}

/// More tokens may be used.
pub fn budget_raised(lang: Lang, tokens: u64) -> String {
    lang.pick(
        format!("トークンの予算を {} にしました。", count(tokens)),
        format!("The budget is {} tokens now.", count(tokens)),
    )
}

/// An item of what is held in mind is another now.
pub fn minded(lang: Lang, item: (&str, &str), text: &str) -> String {
    let item = lang.pick(item.0, item.1);
    match text.is_empty() {
        true => lang.pick(format!("「{item}」を空にしました。"), format!("Cleared in mind: {item}.")),
        false => lang.pick(format!("「{item}」を変えました: {text}"), format!("In mind now, {item}: {text}")),
    }
}

/// A task goes on behind.
pub fn sent_back(lang: Lang, title: &str) -> String {
    lang.pick(
        format!("背景で続けます: {title}(/tasks で様子を見る)"),
        format!("It goes on behind: {title} (/tasks shows how far it is)"),
    )
}

/// A task is in front.
pub fn brought_forward(lang: Lang, title: &str) -> String {
    lang.pick(format!("前に出しました: {title}"), format!("In front now: {title}"))
}

/// Which model answers, and how to change it.
pub fn model(lang: Lang, chosen: &Chosen, given: &[(&'static str, ModelRef)]) -> String {
    let mut lines = vec![models::name(lang, &chosen.pick)];
    lines.extend(given.iter().map(|(role, pick)| format!("  {role}: {}", models::name(lang, pick))));
    lines.push(
        lang.pick(
            "変えるには(この実行の間): /model 提供元/モデル、または /model planner 提供元/モデル\n\
             役: commander、planner、executor、reviewer、specialist(後の3つ)。ずっと変えるには: enza model use",
            "To change it for this run: /model PROVIDER/MODEL, or /model planner PROVIDER/MODEL\n\
             Roles: commander, planner, executor, reviewer, specialist (the last three). For good: enza model use",
        )
        .to_owned(),
    );
    lines.join("\n")
}

/// Another model answers from now on.
pub fn recast(lang: Lang, role: Option<&str>, pick: &ModelRef) -> String {
    let name = models::name(lang, pick);
    match role {
        Some(role) => lang.pick(
            format!("次の呼び出しから、{role} は {name} が務めます(この実行の間)。"),
            format!("From the next call on, {name} is the {role}, for this run."),
        ),
        None => lang.pick(
            format!("次の呼び出しから、{name} が答えます(この実行の間)。"),
            format!("From the next call on, {name} answers, for this run."),
        ),
    }
}

/// There is no such role.
pub fn no_such_role(lang: Lang, role: &str) -> String {
    lang.pick(
        format!("{role} という役はありません。commander、planner、executor、reviewer、specialist から選んでください。"),
        format!("There is no role {role}. Choose commander, planner, executor, reviewer or specialist."),
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

/// What a fork is.
pub fn forked(lang: Lang) -> &'static str {
    lang.pick(
        "分岐しました。会話はこのターンの前から続き、ファイルは今のままです(ファイルも戻すには /rewind)。",
        "Forked: the talk goes on from before this turn, and files stay as they are (/rewind takes them back too).",
    )
}

/// What a rewind is.
pub fn rewound(lang: Lang) -> &'static str {
    lang.pick("ファイルも会話も、このターンの前に戻りました。", "Files and talk are as they were before this turn.")
}

/// In which session it goes on.
pub fn turned_to(lang: Lang, told: &str, child: &str, parent: &str) -> String {
    lang.pick(
        format!("{told}\n今のセッションは {child} です。元の {parent} も残っています。"),
        format!("{told}\nThis is session {child} now; {parent} is still there."),
    )
}

/// The three ways back.
pub fn ways_back(lang: Lang) -> &'static str {
    lang.pick(
        "/undo N  ファイルだけ戻す\n/fork N  会話だけ戻す(分岐)\n/rewind N  両方を戻す",
        "/undo N  takes files back\n/fork N  goes back in the talk, in a fork\n/rewind N  does both",
    )
}

/// There is no such task.
pub fn no_such_task(lang: Lang) -> &'static str {
    lang.pick("その作業はありません。/tasks で確かめてください。", "There is no such task. Look with /tasks.")
}

/// Whose words are shown as they come.
pub fn watching(lang: Lang, task: Option<u32>) -> String {
    match task {
        Some(task) => lang.pick(
            format!("作業 {task} の言葉を表示します(/watch で元に戻す)。"),
            format!("Showing the words of task {task} as they come (/watch ends it)."),
        ),
        None => lang.pick("手前の作業の言葉を表示します。", "Showing the words of what is in front.").to_owned(),
    }
}

/// An answer that was typed before its question was on the screen.
pub fn too_early(lang: Lang, is_put_back: bool) -> &'static str {
    if is_put_back {
        return lang.pick(
            "確認が表示される前に入力されたため、まだ送っていません。読んでから Enter を押してください。",
            "Typed before the question was shown, so it is not sent yet. Read it, then press Enter.",
        );
    }
    lang.pick(
        "確認が表示される前に入力されたため、使いませんでした。もう一度答えてください。",
        "Typed before the question was shown, so it was not taken. Please answer again.",
    )
}

/// Something named with `@` that is not handed over.
pub fn not_attached(lang: Lang, missing: &MissingMention) -> String {
    let why = not_attached_because(lang, missing.why);
    lang.pick(format!("添えていません: {}({why})", missing.name), format!("Not with it: {} ({why})", missing.name))
}

/// Why something is not handed over.
pub fn not_attached_because(lang: Lang, why: MissingReason) -> &'static str {
    match why {
        MissingReason::NotThere => lang.pick("見つかりません", "it is not there"),
        MissingReason::Outside => lang.pick("作業フォルダーの外にあります", "it is outside the folder of work"),
        MissingReason::Secret => lang.pick("秘密を含む名前です", "its name says that it holds secrets"),
        MissingReason::NoText => lang.pick("テキストではありません", "it is no text"),
        MissingReason::TooMany => lang.pick("一度に添えられる数を超えています", "there are too many at once"),
    }
}

/// The log was written.
pub fn exported(lang: Lang, path: &Path) -> String {
    lang.pick(format!("書き出しました: {}", path.display()), format!("Written to {}", path.display()))
}

/// Nothing could be written.
pub fn not_exported(lang: Lang, path: &Path, why: &std::io::Error) -> String {
    lang.pick(
        format!("{} に書き出せませんでした: {why}\n空き容量と権限を確かめて、もう一度試してください。", path.display()),
        format!(
            "{} could not be written: {why}\nLook at the disk and its permissions, then try again.",
            path.display()
        ),
    )
}

/// One hunk of a file.
pub fn hunk(lang: Lang, path: &str, number: usize, of: usize) -> String {
    lang.pick(format!("{path}  {of} 箇所中 {number} 箇所目"), format!("{path}  {number} of {of}"))
}

/// Whether a hunk is taken.
pub fn take_hunk(lang: Lang) -> &'static str {
    lang.pick("取り入れますか [y/n/e] ", "Take it? [y/n/e] ")
}

/// Whether a command is run, or a tool used.
pub fn take_operation(lang: Lang) -> &'static str {
    lang.pick("これを実行しますか [y/n] ", "Do this? [y/n] ")
}

/// A file that can only be taken whole.
pub fn not_by_hunks(lang: Lang, path: &str) -> String {
    lang.pick(
        format!("{path} は部分ごとに選べません。y か n で答えてください。"),
        format!("{path} cannot be picked hunk by hunk. Answer y or n."),
    )
}

/// A file that is asked about whole.
pub fn whole_file(lang: Lang, path: &str, added: u32, removed: u32) -> String {
    lang.pick(format!("{path}  全体(+{added} -{removed})"), format!("{path}  all of it (+{added} -{removed})"))
}

/// Whether a file is taken.
pub fn take_file(lang: Lang) -> &'static str {
    lang.pick("ファイル全体を取り入れますか [y/n/e] ", "Take the whole file? [y/n/e] ")
}

/// A file that cannot be left out where anything else is taken.
pub fn with_the_rest(lang: Lang, path: &str) -> String {
    lang.pick(
        format!("{path} は、ほかのどれかを取り入れるときに一緒に行われます。"),
        format!("{path} goes with the rest: it is done where anything else is taken."),
    )
}

/// A change of which not everything can be shown.
pub fn not_whole(lang: Lang, path: &str) -> String {
    lang.pick(
        format!("{path} の差分は、これ以上表示できません。"),
        format!("More of the diff of {path} cannot be shown."),
    )
}

/// There is no file in the question.
pub fn nothing_to_pick(lang: Lang) -> &'static str {
    lang.pick("選べる変更はありません。y か n で答えてください。", "There is no change to pick from. Answer y or n.")
}

/// Several files are edited on the way through their hunks.
pub fn one_file_only(lang: Lang) -> &'static str {
    lang.pick(
        "ファイルが複数あります。h で部分ごとに進み、編集したいところで e と答えてください。",
        "There are several files. h goes hunk by hunk; answer e where you want to edit.",
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
