//! Everything that the companion's terminal says, Japanese and English side by side.
//!
//! What the rules say (notes, refusals, the points of a gate) has its words in the application.

mod help;
pub mod looks;
pub mod talk;

pub use help::HELP;

use std::time::Duration;

use enza_applications::companion::State;
use enza_applications::companion::work::{Ended, Ran};
use enza_kernel::text::{Lang, Said};
use enza_runtime::seams::store::SessionId;

use crate::backstage::short;
use crate::commands::Halt;
use crate::screen::span;

/// Before what ended well, where there are no signs.
pub const DONE: (&str, &str) = ("完了: ", "Done: ");
/// Before what went wrong, where there are no signs.
pub const TROUBLE: (&str, &str) = ("問題: ", "Trouble: ");

/// Before what the companion says, where there is no layout to tell.
pub fn speaks(lang: Lang) -> &'static str {
    lang.pick("相棒: ", "Companion: ")
}

/// What is going on, in a line that is written over.
pub fn at_work(lang: Lang, state: &State, written: usize, since: Duration) -> String {
    const TURNS: [&str; 4] = ["◜", "◝", "◞", "◟"];
    let turn = TURNS[(since.as_millis() / 250) as usize % TURNS.len()];
    let (step, since) = (state.position().0.say(lang), span(since));
    if written == 0 {
        return lang.pick(format!("{turn} {step}  作業中  {since}"), format!("{turn} {step}  at work  {since}"));
    }
    lang.pick(
        format!("{turn} {step}  書いています  {since}  {written} 字"),
        format!("{turn} {step}  writing  {since}  {written} letters"),
    )
}

/// A message that waits.
pub fn queued(lang: Lang, text: &str) -> String {
    lang.pick(format!("順番を待っています: {text}"), format!("Waiting for its turn: {text}"))
}

/// How a command came off, and the end of what it printed.
pub fn ran(lang: Lang, ran: &Ran) -> String {
    const LAST: usize = 12;
    let ended = match ran.ended {
        Ended::Status(0) => lang.pick("コマンドが成功しました", "The command came off").to_owned(),
        Ended::Status(code) => lang.pick(
            format!("コマンドが終了コード {code} で終わりました"),
            format!("The command ended with status {code}"),
        ),
        Ended::Signal(signal) => lang.pick(
            format!("コマンドがシグナル {signal} で終わりました"),
            format!("The command was ended by signal {signal}"),
        ),
        Ended::OutOfTime => {
            lang.pick("コマンドを時間切れで止めました", "The command took too long and was stopped").to_owned()
        }
        Ended::TooManyProcesses => lang
            .pick(
                "プロセスが多すぎるため、コマンドを止めました",
                "The command started too many processes and was stopped",
            )
            .to_owned(),
    };
    let lines: Vec<&str> = ran.output.lines().collect();
    let last = &lines[lines.len().saturating_sub(LAST)..];
    let gap = if lines.len() > LAST { "…\n" } else { "" };
    format!("{ended}  {}\n{gap}{}", span(Duration::from_millis(ran.millis)), last.join("\n")).trim_end().to_owned()
}

/// Lines of a diff that are not shown.
pub fn more_lines(lang: Lang, count: usize) -> String {
    lang.pick(format!("… あと {count} 行(v ですべて表示)"), format!("… {count} more lines (v shows all)"))
}

/// The work goes in circles.
pub fn in_circles(lang: Lang) -> &'static str {
    lang.pick("同じことを繰り返しているため、止めました。", "It went in circles and was stopped.")
}

/// It did not come off, and nothing more is known.
pub fn did_not_come_off(lang: Lang) -> &'static str {
    lang.pick("うまくいきませんでした。", "It did not come off.")
}

/// What is remembered could not be written.
pub fn not_carried(lang: Lang, why: &std::io::Error) -> String {
    lang.pick(
        format!("次回に引き継ぐ内容を保存できませんでした: {why}"),
        format!("What should be remembered for the next session could not be written: {why}"),
    )
}

/// What a project wants that counts only once it is trusted.
pub fn wishes(lang: Lang, wishes: &[String]) -> String {
    let head = lang.pick(
        "このプロジェクトの .enza/companion.toml は、次のことを求めています:",
        "This project's .enza/companion.toml asks for this:",
    );
    format!("{head}\n{}", wishes.iter().map(|wish| format!("  {wish}")).collect::<Vec<_>>().join("\n"))
}

/// Whether the project is trusted.
pub fn trusts(lang: Lang) -> &'static str {
    lang.pick(
        "このフォルダーを信頼しますか。(承認なしで実行されます) [y/n] ",
        "Do you trust this folder? (It is done without asking then.) [y/n] ",
    )
}

/// What is left out, since nobody is there to trust the project.
pub fn untrusted(lang: Lang, list: &[String]) -> String {
    let hint = lang.pick(
        "信頼していないフォルダーのため、使いません。端末で enza companion を一度実行すると選べます。",
        "Left out, since the folder is not trusted. Run enza companion at a terminal once to settle it.",
    );
    format!("{}\n{hint}", wishes(lang, list))
}

/// How a run came to a halt.
pub fn halt(lang: Lang, session: &SessionId, halt: &Halt) -> Said {
    let id = short(session);
    match halt {
        Halt::Gate { intent } => Said::new(
            lang.pick(
                format!("確認に答える人がいません:\n{intent}"),
                format!("A gate is open and nobody is there to answer:\n{intent}"),
            ),
            lang.pick(
                format!("端末で答えてください: enza companion --resume {id}\n前もって許すなら、--allow 'change PATH' を付けて始めます。"),
                format!(
                    "Answer at a terminal: enza companion --resume {id}\nTo allow it beforehand, begin with --allow 'change PATH'."
                ),
            ),
        ),
        Halt::Failed { why } => Said::new(
            lang.pick(format!("うまくいきませんでした: {why}"), format!("It did not come off: {why}")),
            lang.pick(
                format!("続けるには: enza companion --resume {id}"),
                format!("Go on with it: enza companion --resume {id}"),
            ),
        ),
        Halt::Denied { lines } => Said::new(
            lang.pick(
                format!("決まりにより、行わなかったことがあります:\n{}", lines.join("\n")),
                format!("A rule kept something from being done:\n{}", lines.join("\n")),
            ),
            lang.pick(
                format!("決まりを変えるか、端末で続けてください: enza companion --resume {id}"),
                format!("Change the rule, or go on at a terminal: enza companion --resume {id}"),
            ),
        ),
        Halt::Interrupted => Said::new(
            lang.pick("中断しました。受け付けた内容は残っています。", "Interrupted. What was acknowledged is kept."),
            lang.pick(
                format!("続けるには: enza companion --resume {id}"),
                format!("Go on with it: enza companion --resume {id}"),
            ),
        ),
    }
}

/// Why a folder cannot be worked on.
pub fn no_folder(lang: Lang) -> &'static str {
    lang.pick("フォルダーではありません", "it is not a folder")
}

/// A name that cannot be written down.
pub fn no_name(lang: Lang) -> &'static str {
    lang.pick("名前が UTF-8 ではありません", "its name is not UTF-8")
}

/// There is nothing to go on with.
pub fn none_here(lang: Lang) -> &'static str {
    lang.pick(
        "このフォルダーには、続けられるセッションがありません",
        "there is no earlier session of the companion in this folder",
    )
}
