//! Everything that the companion's terminal says, Japanese and English side by side.
//!
//! What the rules say (notes, refusals, the points of a gate) has its words in the application.

pub mod acp;
pub mod lists;
pub mod machine_folders;
pub mod orders;
pub mod recap;
pub mod servers;
pub mod talk;

use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use enza_companion::{DONE as DONE_STEP, State, Step, StepsFault, budget_ended};
use enza_kernel::application::Reason as _;
use enza_kernel::text::{Lang, Said};
use enza_kernel::words::Catalogue;
use enza_models::choice::ModelRef;
use enza_runtime::seams::store::SessionId;
use enza_terminal::screen::{span, width};
use enza_terminal::setup::short_id;
use enza_terminal::words::models;
use enza_work::{RunEnd, RunResult};

use crate::halt::Halt;

/// The sentences of the files in `words/`.
pub static CATALOGUE: LazyLock<Catalogue> =
    LazyLock::new(|| Catalogue::built_in(&[include_str!("../../words/help.toml")]));

/// Before what ended well, where there are no signs.
pub const DONE: (&str, &str) = ("完了: ", "Done: ");
/// Before what went wrong, where there are no signs.
pub const TROUBLE: (&str, &str) = ("問題: ", "Trouble: ");

/// Before what the companion says, where there is no layout to tell.
pub fn speaks(lang: Lang) -> &'static str {
    lang.pick("相棒: ", "Companion: ")
}

/// What is going on and what was used, in a line that is written over; as much of it as there is room for.
pub fn at_work(
    lang: Lang,
    state: &State,
    commander: Option<&ModelRef>,
    pace: (usize, Duration),
    columns: usize,
) -> String {
    let mut line = going_on(lang, state, pace);
    for part in talk::spent(lang, state).into_iter().chain(commander.map(|pick| models::name(lang, pick))) {
        let longer = format!("{line} · {part}");
        if width(&longer) >= columns {
            break;
        }
        line = longer;
    }
    line
}

fn going_on(lang: Lang, state: &State, (written, since): (usize, Duration)) -> String {
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
pub fn ran(lang: Lang, ran: &RunResult) -> String {
    const LAST: usize = 12;
    let ended = match ran.ended {
        RunEnd::Status(0) => lang.pick("コマンドが成功しました", "The command came off").to_owned(),
        RunEnd::Status(code) => lang.pick(
            format!("コマンドが終了コード {code} で終わりました"),
            format!("The command ended with status {code}"),
        ),
        RunEnd::Signal(signal) => lang.pick(
            format!("コマンドがシグナル {signal} で終わりました"),
            format!("The command was ended by signal {signal}"),
        ),
        RunEnd::OutOfTime => lang
            .pick(
                "コマンドを時間切れで止めました(設定 command_seconds)",
                "The command took too long and was stopped (command_seconds in the settings)",
            )
            .to_owned(),
        RunEnd::TooManyProcesses => lang
            .pick(
                "プロセスが多すぎるため、コマンドを止めました(上限は設定 command_processes)",
                "The command started too many processes and was stopped (the limit is command_processes in the settings)",
            )
            .to_owned(),
        RunEnd::TooMuchMemory => lang
            .pick(
                "メモリを使いすぎたため、コマンドを止めました(上限は設定 command_memory_mb)",
                "The command took too much memory and was stopped (the limit is command_memory_mb in the settings)",
            )
            .to_owned(),
        RunEnd::TooMuchDisk => lang
            .pick(
                "ディスクを使いすぎたため、コマンドを止めました(上限は設定 command_disk_mb)",
                "The command took too much of the disk and was stopped (the limit is command_disk_mb in the settings)",
            )
            .to_owned(),
        RunEnd::Stopped => lang.pick("実行中のコマンドを止めました", "The command was stopped").to_owned(),
        RunEnd::Unseen => lang
            .pick(
                "コマンドは途中で切れ、終わり方はわかりません",
                "The command was cut off, and nobody saw how it ended",
            )
            .to_owned(),
    };
    let lines: Vec<&str> = ran.output.lines().collect();
    let last = &lines[lines.len().saturating_sub(LAST)..];
    let gap = if lines.len() > LAST { "…\n" } else { "" };
    let told = format!("{ended}  {}\n{gap}{}", span(Duration::from_millis(ran.millis)), last.join("\n"));
    [Some(told.trim_end().to_owned()), ran.besides(lang)].into_iter().flatten().collect::<Vec<_>>().join("\n")
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

/// Something that was forbidden in another session found no room in this one.
pub fn not_taken_over(lang: Lang, text: &str) -> String {
    lang.pick(
        format!("別のセッションで禁じたことが多すぎて、引き継げないものがあります: {text}。不要なものを /lift で解いてください。"),
        format!("There is no room left for something that was forbidden in another session: {text}. /lift what is no longer needed."),
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

/// That the project asks for something else than what was trusted.
pub fn asks_anew(lang: Lang) -> &'static str {
    lang.pick(
        "前に信頼したときから内容が変わっています(または、前の版のエンザで信頼しました)。",
        "This is not what you trusted before, or you trusted it in an earlier version of Enza.",
    )
}

/// Before instructions of the project that are new to the model.
pub fn instructions_changed(lang: Lang) -> &'static str {
    lang.pick(
        "(このプロジェクトの決まりです。新しくなったので、このファイルについて前に伝えた内容の代わりに従ってください。)",
        "(How this project works. It is new or has changed: follow it instead of what was said of this file before.)",
    )
}

/// In place of instructions of the project that are gone.
pub fn instructions_gone(lang: Lang) -> &'static str {
    lang.pick(
        "(このプロジェクトの決まりでしたが、なくなりました。前に伝えた内容にはもう従わないでください。)",
        "(This said how the project works, and is gone: what was said of it before no longer holds.)",
    )
}

/// That something is the user's own, and gives way to the project's.
pub fn in_every_project(lang: Lang) -> &'static str {
    lang.pick(
        "(利用者がすべてのプロジェクトに求めること。プロジェクトの決まりと違うときは、プロジェクトのほうを優先します。)",
        "(What the user wants in every project; where the project's own instructions differ, those count.)",
    )
}

/// For which files what a folder below says holds.
pub fn only_below(lang: Lang, folder: &str) -> String {
    lang.pick(
        format!("({folder}/ の中のファイルだけに当てはまります。近いほうを優先します。)"),
        format!("(Only for files in {folder}/; where it differs from the above, this counts.)"),
    )
}

/// Whether the project is trusted.
pub fn trusts(lang: Lang) -> &'static str {
    lang.pick(
        "このフォルダーを信頼しますか。(承認なしで実行されます) [y/n]",
        "Do you trust this folder? (It is done without asking then.) [y/n]",
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
    let id = short_id(session);
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
        Halt::Question { question } => Said::new(
            lang.pick(
                format!("質問に答える人がいません: {question}"),
                format!("It asks something and nobody is there to answer: {question}"),
            ),
            lang.pick(
                format!("答えるには: enza companion --resume {id} -p \"…\""),
                format!("Answer with: enza companion --resume {id} -p \"…\""),
            ),
        ),
        Halt::Doubt { doubt } => Said::new(
            lang.pick(
                format!("相棒が自分で疑いを持ち、手を止めました: {doubt}"),
                format!("It held back because of a doubt of its own: {doubt}"),
            ),
            lang.pick(
                format!("進めるかどうかを伝えてください: enza companion --resume {id} -p \"…\""),
                format!("Say whether it shall go on: enza companion --resume {id} -p \"…\""),
            ),
        ),
        Halt::Failed { why } => Said::new(
            lang.pick(format!("うまくいきませんでした: {why}"), format!("It did not come off: {why}")),
            lang.pick(
                format!("続けるには: enza companion --resume {id}"),
                format!("Go on with it: enza companion --resume {id}"),
            ),
        ),
        Halt::ChecksFailed { checks } => {
            let checks = checks.join(lang.pick("、", ", "));
            Said::new(
                lang.pick(
                    format!("完了していません。変更後の確認が失敗しています: {checks}"),
                    format!("Not done: the checks fail: {checks}"),
                ),
                lang.pick(
                    format!("{checks} が通るまで続けるには: enza companion --resume {id} -p \"…\""),
                    format!("Go on until {checks} passes: enza companion --resume {id} -p \"…\""),
                ),
            )
        }
        Halt::Budget { spent, limit, need } => {
            let more = limit.saturating_add(*need.max(limit));
            Said::new(
                budget_ended(lang, *spent, *limit, *need).lines().next().unwrap_or_default().to_owned(),
                lang.pick(
                    format!("予算を増やして続けるには: enza companion --resume {id} --budget {more} -p \"…\"(端末では /budget {more})"),
                    format!(
                        "Raise the budget and go on: enza companion --resume {id} --budget {more} -p \"…\" (at a terminal: /budget {more})"
                    ),
                ),
            )
        }
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

/// A table of moves of one's own that cannot be used.
pub fn steps(lang: Lang, path: &Path, fault: &StepsFault) -> Said {
    let hint = lang.pick(
        "ファイルを直すか、消して元の遷移表に戻してください。今の遷移表は enza moves companion で見られます。",
        "Correct the file, or remove it to have the built-in table, which enza moves companion then prints.",
    );
    let why = match fault {
        StepsFault::Table(fault) => fault.say(lang).message,
        StepsFault::Names => {
            let names: Vec<&str> = Step::ALL.iter().map(|step| step.word()).chain([DONE_STEP]).collect();
            let (names, start) = (names.join(", "), Step::Planning.word());
            lang.pick(
                format!("states には {names} のすべてを書き、ほかの名前は書かないでください。start は {start} です。"),
                format!("states must be exactly {names}, and start must be {start}."),
            )
        }
    };
    Said::new(format!("{}: {why}", path.display()), hint)
}

#[cfg(test)]
mod tests {
    use enza_kernel::testing::words::Checked;

    use super::*;

    #[test]
    fn what_was_used_is_seen_while_it_works_as_far_as_there_is_room() {
        let mut state = State::default();
        (state.cast.usage.input, state.cast.usage.output, state.cast.ledger.limit) = (1_200, 34, Some(90_000));
        let line =
            |columns| at_work(Lang::En, &state, Some(&ModelRef::Understudy), (0, Duration::from_secs(3)), columns);
        let name = models::name(Lang::En, &ModelRef::Understudy);
        assert!(line(100).ends_with(&format!("at work  3 s · 1,234/90.0k tokens · {name}")), "{}", line(100));
        assert!(line(50).ends_with("1,234/90.0k tokens"), "{}", line(50));
        assert!((20..100).all(|columns| width(&line(columns)) < columns.max(width(&line(0)) + 1)));
    }

    #[test]
    fn every_sentence_is_there_and_every_sentence_is_shown() {
        Checked { own: &CATALOGUE, frame: None, home: env!("CARGO_MANIFEST_DIR"), shared: &["help"], machine: &[] }
            .check();
    }
}
