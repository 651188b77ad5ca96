//! What the tour says.

use std::path::Path;

use crate::screen::{Screen, fold, pad};

/// The first screen.
pub fn welcome(screen: &Screen) -> String {
    let title = screen.paint.strong("Enza 円座");
    let what = screen.pick(
        "人とエージェントが交代で進めるセッションの実行環境",
        "a runtime for sessions in which people and agents take turns",
    );
    let paragraphs = screen.pick(
        [
            "セッションは、書き足すだけのイベントの記録です。アプリケーションは、その記録に対するいくつかの純粋な関数で、\
             エンジンがそれを動かします。だから、いつ止まっても何も失われず、どのプロンプトも後からそのまま作り直せ、\
             取り返しのつかないことの前には人の確認が入ります。",
            "これから短いセッションを一つ、実際に行います。答えるのは台本、尋ねるのは代役です\
             (規則で動く代わりのもので、言語モデルではありません)。",
        ],
        [
            "A session is an append-only log of events. An application is a few pure functions over it, and an engine \
             drives them. So a crash loses nothing, every prompt can be rendered again byte for byte, and a person is \
             asked before anything that cannot be undone.",
            "Here is a short session, for real. A script answers; the understudy asks (a rule-based stand-in, not a \
             language model).",
        ],
    );
    let paragraphs = paragraphs.map(|text| fold(text, screen.width() - 4).join("\n"));
    format!("{title}  {what}\n\n{}\n", paragraphs.join("\n\n"))
}

/// The line above the events.
pub fn log_head(screen: &Screen, events: usize, file: &Path) -> String {
    let file = file.display();
    let (sent, head) = screen.pick(
        (format!("送信しました: {file}"), format!("このセッションのイベント {events}件の、終わりの部分:")),
        (format!("Submitted: {file}"), format!("The session is {events} events. The last of them:")),
    );
    format!("\n{sent}\n\n{}", screen.paint.strong(&head))
}

/// What to do next.
pub fn what_now(screen: &Screen, session: &str, reply: u64, (command, what): (&str, &'static str)) -> String {
    let head = screen.paint.strong(screen.pick("このセッションを調べるには", "Look at this very session"));
    let lines = [
        (format!("enza session show {session}"), screen.pick("状態と答え", "where it stands")),
        (format!("enza session events {session}"), screen.pick("すべてのイベント", "every event")),
        (format!("enza prompt {session} {reply}"), screen.pick("返事のもとのプロンプト", "the prompt behind a reply")),
        (format!("enza session replay {session}"), screen.pick("記録から作り直して比べる", "fold it anew and compare")),
        (command.to_owned(), what),
        ("enza --help".to_owned(), screen.pick("すべてのコマンド", "every command")),
    ];
    let column = lines.iter().map(|(command, _)| command.len()).max().unwrap_or(0) + 2;
    let lines = lines.map(|(command, what)| format!("  {}{}", pad(&command, column), screen.paint.faint(what)));
    format!("\n{head}\n{}", lines.join("\n"))
}
