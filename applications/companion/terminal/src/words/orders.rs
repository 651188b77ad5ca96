//! What can be typed at the companion's keyboard, and what is said where an order is wrong.

use enza_companion::{Event, Note};
use enza_kernel::text::{Lang, Said};
use enza_terminal::screen::{Screen, fold, pad, width};

use crate::headless_orders::Misplaced;

/// What is said of an event, with the orders behind it that do what it speaks of.
pub fn with_orders(lang: Lang, event: &Event, text: &str) -> String {
    let Event::Noted { note, .. } = event else { return text.to_owned() };
    let orders = match note {
        Note::Loop | Note::Idle => &["/reset"][..],
        Note::GivenUp { .. } | Note::ChecksFailed { .. } => &["/undo", "/reset"],
        Note::BudgetEnded { .. } => &["/budget N"],
        Note::NoModel { .. } => &["/retry"],
        Note::AwaitsAcceptance | Note::PlanAwaits => &["/accept"],
        Note::NotKept { .. } => &["/rules", "/lift"],
        Note::Mismatch(_)
        | Note::Doubt(_)
        | Note::Denied { .. }
        | Note::Failed { .. }
        | Note::Unknown { .. }
        | Note::ChangedSince { .. }
        | Note::PutBack { .. }
        | Note::TooLong { .. }
        | Note::Took { .. }
        | Note::PatternMissing => return text.to_owned(),
    };
    format!("{text} ({})", orders.join(lang.pick("、", ", ")))
}

/// Why a command was refused and what to do next, with the order behind it that shows what it speaks of.
pub fn refused(code: &str, message: &str, hint: &str) -> String {
    let order = match code {
        "no-such-task" => " (/tasks)",
        "no-such-turn" => " (/turns)",
        _ => "",
    };
    format!("{message} {hint}{order}")
}

/// What can be typed.
pub fn help(screen: &Screen, recipes: &[String]) -> String {
    const ALL: [(&str, &str, &str); 36] = [
        ("!…", "作業を止めて、すぐに伝える", "stops the work and is heard at once"),
        ("?…", "作業を続けたまま質問する", "asks beside the work, which goes on"),
        (
            "@FILE @DIR/",
            "ファイルやフォルダーの一覧を添える(Tab で補完)",
            "hands over a file or a list (Tab completes)",
        ),
        ("/plan /ask /edits", "計画だけ・確認する・低リスクの編集を許可", "plan only, ask, accept edits of low risk"),
        ("/tasks", "進行中の作業と、順番を待つ言葉", "what is under way, and what waits"),
        ("/watch [N]", "作業 N の言葉を表示する", "shows the words of task N as they come"),
        ("/stop [N]", "作業を止める", "stops a task"),
        ("/back", "作業を背景に回す", "lets the task go on behind"),
        ("/front N", "作業を前に出す", "brings a task to the front"),
        ("/turns", "ターンの一覧", "the turns"),
        ("/undo [N]", "ターン N からのファイルの変更を戻す", "takes back every change of files from turn N on"),
        ("/fork N", "ターン N の前から分岐する(ファイルはそのまま)", "another session from before turn N; files stay"),
        ("/rewind [N]", "ファイルも会話もターン N の前に戻す", "files and talk from before turn N"),
        ("/accept", "結果を受け入れる・計画を実行に移す", "accepts the result, or has the plan carried out"),
        ("/commit [MESSAGE]", "変更を git にコミットする", "commits what was changed, with git"),
        ("/reset", "作業を取りやめて最初に戻す", "clears the task away and begins anew"),
        ("/retry", "失敗をもう一度試す", "tries again after a failure"),
        ("/rules", "決まりと、禁じたこと", "the rules, and what is forbidden"),
        (
            "/allow /deny RULE",
            "決まりを足す: change src/**(前に --project でこのフォルダーの決まり)",
            "adds a rule: change src/** (--project before it: for this folder, for good)",
        ),
        ("/forget N", "このセッションの決まりを消す", "forgets a rule of this session"),
        ("/forbid TEXT", "触ってはいけないものを決める", "forbids changes to something"),
        ("/lift N", "禁じたことを解く", "lifts what was forbidden"),
        ("/settings", "設定と、その出どころ", "what is set, and where"),
        ("/mind [ITEM TEXT]", "心に留めていることを見る・変える", "what it holds in mind; changes an item"),
        ("/why", "動きの理由と、最後に断られた移動", "why it moved, and the last move that was refused"),
        ("/context /prompt", "文脈の内訳・最後のプロンプト", "what fills the window; the last prompt"),
        ("/cost /budget N", "使った量・トークンの上限を上げる", "what was used; allows more tokens"),
        ("/compact", "会話を要約して縮める", "shortens the conversation to its summary"),
        ("/model [[ROLE] NAME]", "使っているモデルを見る・変える", "which model answers; changes it for this run"),
        ("/servers", "サーバーとそのツール", "servers and their tools"),
        ("/edit", "エディターで書く(Ctrl-G)", "writes in your editor (Ctrl-G)"),
        ("/export [log]", "会話(または記録)をファイルに書き出す", "writes the talk (or the log) to a file"),
        ("/rename TITLE", "セッションに名前を付ける", "calls the session something"),
        (
            "/sessions [TEXT]",
            "このフォルダーのセッションを名前や会話で探す",
            "the sessions of this folder, by name or talk",
        ),
        ("/map", "フォルダーにあるもの", "what is in the folder"),
        ("/quit", "終了する(セッションは残る)", "leaves; the session stays"),
    ];
    let own =
        |name: &String| (format!("/{name}"), screen.lang.pick("自分のコマンド", "a command of your own").to_owned());
    let rows = ALL.map(|(order, ja, en)| (order.to_owned(), screen.lang.pick(ja, en).to_owned()));
    let rows: Vec<(String, String)> = rows.into_iter().chain(recipes.iter().map(own)).collect();
    let keys = screen.lang.pick(
        "Alt-Enter か行末の \\ で改行、↑↓ で履歴、Shift-Tab で次のモード、Ctrl-C で作業を止め、もう一度で終了、Ctrl-Z で中断、Ctrl-L で画面を消す",
        "Alt-Enter or a \\ at the end: another line. Up and down: history. Shift-Tab: the next mode. Ctrl-C: stops the work, twice leaves. Ctrl-Z: \
         stops the program. Ctrl-L: clears the window",
    );
    let keys = fold(keys, screen.width()).join("\n");
    format!("{}\n{}", listed(screen, &rows), screen.paint.faint(&keys))
}

/// Names and what stands behind them, all of it: below its name where the window is narrow.
pub fn listed(screen: &Screen, rows: &[(String, String)]) -> String {
    const LEAST: usize = 30;
    let column = rows.iter().map(|(name, _)| width(name)).max().unwrap_or(0) + 2;
    let is_narrow = screen.width() < column + LEAST;
    let indent = if is_narrow { 4 } else { column };
    let mut lines = Vec::new();
    for (name, text) in rows {
        let folded = fold(text, screen.width().saturating_sub(indent));
        let first = if is_narrow { "" } else { folded.first().map_or("", String::as_str) };
        lines.push(format!("{}{first}", pad(name, indent)).trim_end().to_owned());
        let rest = folded.iter().skip(usize::from(!is_narrow));
        lines.extend(rest.map(|line| format!("{}{line}", " ".repeat(indent))));
    }
    lines.join("\n")
}

/// An order with something wrong behind it.
pub fn unfit(lang: Lang, order: &str) -> String {
    let usage = match order {
        "/allow" | "/deny" => format!("{order} [--project] change src/**  ·  {order} run cargo test *"),
        "/forbid" => "/forbid src/auth".to_owned(),
        "/model" => lang.pick("/model [役] 提供元/モデル", "/model [ROLE] PROVIDER/MODEL").to_owned(),
        "/mind" => lang
            .pick(
                "/mind goal 文(goal、why、constraints、moves、questions。複数は ; で区切り、- で消す)",
                "/mind goal TEXT (goal, why, constraints, moves, questions; several with ;, and - clears)",
            )
            .to_owned(),
        "/export" => "/export [md|log]".to_owned(),
        _ => lang.pick(format!("{order} 番号"), format!("{order} N")),
    };
    lang.pick(format!("使い方: {usage}"), format!("Usage: {usage}"))
}

/// An order that there is not.
pub fn unknown(lang: Lang, order: &str) -> String {
    let gap = lang.pick("", " ");
    format!("{}{gap}{}", no_such(lang, order), listed_by(lang))
}

/// An order that cannot be obeyed where there is no keyboard.
pub fn misplaced(lang: Lang, misplaced: &Misplaced) -> Said {
    let message = match misplaced {
        Misplaced::Unknown(order) => no_such(lang, order),
        Misplaced::Unfit(order) => {
            lang.pick(format!("{order} の続きを読めません。"), format!("What stands behind {order} cannot be read."))
        }
        Misplaced::AtKeyboard(order) => lang.pick(
            format!("{order} は端末のキーボードでだけ使えます。"),
            format!("{order} makes sense at a keyboard alone."),
        ),
        Misplaced::Instead(order, _) => {
            lang.pick(format!("{order} はここでは使えません。"), format!("{order} does not work here."))
        }
        Misplaced::NoSession => lang.pick(
            "この指示は、始まっているセッションについてのものです。".to_owned(),
            "This order is about a session that was begun.".to_owned(),
        ),
    };
    let hint = match misplaced {
        Misplaced::Unknown(_) => listed_by(lang),
        Misplaced::Unfit(order) => unfit(lang, order),
        Misplaced::AtKeyboard(_) => lang.pick(
            "端末で続けてください: enza companion --continue".to_owned(),
            "Go on at a terminal: enza companion --continue".to_owned(),
        ),
        Misplaced::Instead(_, instead) => {
            lang.pick(format!("代わりに使えるもの: {instead}"), format!("Use this instead: {instead}"))
        }
        Misplaced::NoSession => lang.pick(
            "--continue か --resume ID を付けてください。".to_owned(),
            "Name the session: --continue or --resume ID.".to_owned(),
        ),
    };
    Said::new(message, hint)
}

fn no_such(lang: Lang, order: &str) -> String {
    lang.pick(format!("{order} というコマンドはありません。"), format!("There is no command {order}."))
}

fn listed_by(lang: Lang) -> String {
    lang.pick("/help で一覧を表示します。".to_owned(), "/help shows them all.".to_owned())
}
