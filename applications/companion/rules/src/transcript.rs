//! The line that an event adds to the conversation, made from the event alone.

use enza_kernel::agent::{Step, ThreadEvent};
use enza_kernel::floor::{Line, Tone, Who};
use enza_kernel::gate::Verdict as Yes;
use enza_kernel::text::Lang;

use super::event::Event;
use super::note::Note;
use super::share;
use super::task::Ending;
use super::words;
use enza_work::{NotRestored, Receipt, RestoreResult};

/// What an event says to whoever follows the session.
pub(super) fn line(event: &Event, lang: Lang) -> Option<Line> {
    let note = |text: String| Some(Line { who: Who::Session, tone: Tone::Note, text, gate: None });
    match event {
        Event::Heard { text, .. } | Event::Queued { text, .. } => {
            Some(Line { who: Who::Person(None), tone: Tone::Said, text: text.clone(), gate: None })
        }
        Event::Spoke { text, .. } => Some(Line {
            who: Who::Agent(super::COMMANDER.to_owned()),
            tone: Tone::Said,
            text: text.clone(),
            gate: None,
        }),
        Event::Noted { note: said, .. } => {
            let tone = match said {
                Note::Loop
                | Note::GivenUp { .. }
                | Note::Idle
                | Note::NoModel { .. }
                | Note::Unknown { .. }
                | Note::ChangedSince { .. }
                | Note::NotKept { .. }
                | Note::ChecksFailed { .. }
                | Note::BudgetEnded { .. }
                | Note::PutBack { .. }
                | Note::Failed { .. } => Tone::Trouble,
                Note::Mismatch(_)
                | Note::Doubt(_)
                | Note::Denied { .. }
                | Note::AwaitsAcceptance
                | Note::PlanAwaits
                | Note::Took { .. }
                | Note::TooLong { .. } => Tone::Note,
                // For the audit alone (G2): it changes nothing for the person.
                Note::PatternMissing => return None,
            };
            Some(Line { who: Who::Session, tone, text: words::note(lang, said), gate: None })
        }
        Event::GateOpened { gate, .. } => {
            Some(Line { who: Who::Session, tone: Tone::Said, text: gate.ask.intent.clone(), gate: Some(gate.clone()) })
        }
        Event::GateAnswered { answer, shares, .. } if !shares.is_empty() => {
            note(share::say(lang, Some(answer.by.as_str()).filter(|by| *by != "local"), shares))
        }
        Event::GateAnswered { answer, .. } => note(match answer.verdict {
            // Whoever is alone with it has no name.
            Yes::Yes if answer.by == "local" => lang.pick("承認しました。", "You said yes.").to_owned(),
            Yes::No if answer.by == "local" && answer.note.is_none() => lang
                .pick(
                    "断りました。どう直すかを伝えるか、作業を取りやめてください。",
                    "You said no. Say what should be different, or give up the task.",
                )
                .to_owned(),
            Yes::No if answer.by == "local" => lang.pick("断りました。", "You said no.").to_owned(),
            Yes::Yes => lang.pick(format!("{}さんが承認しました。", answer.by), format!("{} said yes.", answer.by)),
            Yes::No => lang.pick(format!("{}さんが断りました。", answer.by), format!("{} said no.", answer.by)),
        }),
        Event::MoveRefused { to, why, .. } => {
            let said = enza_kernel::application::Reason::say(why, lang);
            note(format!("{to}: {} {}", said.message, said.hint))
        }
        Event::OrderEnded { receipt, .. } => done(lang, receipt).and_then(note),
        Event::TaskEnded { ending, .. } => {
            let text = match ending {
                Ending::Accepted => lang.pick("作業が完了しました。", "The task is done."),
                Ending::Answered => return None,
                Ending::LeftBehind => lang.pick(
                    "前の作業の結果は、受け入れられないまま終わりました。変更は残っています。",
                    "The task before was left without its result being accepted. Its changes stay.",
                ),
                Ending::Stopped => lang.pick("作業を止めました。", "The task was stopped."),
                Ending::Reset | Ending::TakenBack => {
                    lang.pick("作業を取りやめ、最初に戻しました。", "The task was cleared away.")
                }
            };
            Some(Line { who: Who::Session, tone: Tone::Done, text: text.to_owned(), gate: None })
        }
        Event::TakenBack { restored, .. } => note(taken_back(lang, restored)),
        Event::Renamed { title } => note(lang.pick(format!("名前: {title}"), format!("Called: {title}"))),
        Event::Committed { commit } => {
            note(lang.pick(format!("コミットしました: {commit}"), format!("Committed: {commit}")))
        }
        Event::CommitFailed { why } => {
            Some(Line { who: Who::Session, tone: Tone::Trouble, text: why.clone(), gate: None })
        }
        Event::Forbidden { constraint } => note(lang.pick(
            format!("制約として守ります: {}", constraint.text),
            format!("Kept as a constraint: {}", constraint.text),
        )),
        Event::RuleKept { rule, .. } => {
            note(lang.pick(format!("ルール: {}", rule.say()), format!("Rule: {}", rule.say())))
        }
        Event::RuleWritten { at, .. } => note(lang.pick(
            format!("このフォルダーの決まりとして {at} に書きました。"),
            format!("Written as a rule for this folder into {at}."),
        )),
        Event::RuleNotWritten { why, .. } => {
            let text = lang.pick(
                format!("このセッションだけの決まりにしました: {why}"),
                format!("It holds for this session alone: {why}"),
            );
            Some(Line { who: Who::Session, tone: Tone::Trouble, text, gate: None })
        }
        Event::ModeSet { mode } => {
            note(lang.pick(format!("モード: {}", mode.say(lang)), format!("Mode: {}", mode.say(lang))))
        }
        Event::Stepped(Step { what: ThreadEvent::Compacted { dropped, .. }, .. }) => note(lang.pick(
            format!("会話の古い部分({dropped}件)をまとめに置き換えました。全文は記録に残っています。"),
            format!(
                "The older part of the talk ({dropped} messages) was replaced by a summary. The log keeps all of it."
            ),
        )),
        Event::Stepped(Step { what: ThreadEvent::Lightened { .. }, .. }) => note(lang.pick(
            "以前に読んだ内容を、会話から省きました。必要ならもう一度読みます。".to_owned(),
            "What was read earlier was left out of the talk. It is read again where it is needed.".to_owned(),
        )),
        Event::Opened(_)
        | Event::DeskSet { .. }
        | Event::Stepped(_)
        | Event::Judged { .. }
        | Event::Obeyed { .. }
        | Event::Asked { .. }
        | Event::Idled { .. }
        | Event::PutBack { .. }
        | Event::Minded { .. }
        | Event::TaskBegun { .. }
        | Event::Planned { .. }
        | Event::Moved { .. }
        | Event::StatusSet { .. }
        | Event::Completed { .. }
        | Event::CallSet { .. }
        | Event::Wanted { .. }
        | Event::Decided { .. }
        | Event::CarriedOn { .. }
        | Event::CheckedAgain { .. }
        | Event::OrderStarted { .. }
        | Event::OrderLost { .. }
        | Event::BatchEnded { .. }
        | Event::Granted { .. }
        | Event::GateWithdrawn { .. }
        | Event::Reviewed { .. }
        | Event::Recovered { .. }
        | Event::RuleForgotten { .. }
        | Event::Lifted { .. }
        | Event::SentBack { .. }
        | Event::BroughtForward { .. }
        | Event::DeskCleared { .. }
        | Event::TakingBack { .. }
        | Event::Committing { .. }
        | Event::BudgetRaised { .. }
        | Event::Closed => None,
    }
}

/// What was done in the folder, in one line.
fn done(lang: Lang, receipt: &Receipt) -> Option<String> {
    match receipt {
        Receipt::Listed(listed) => {
            Some(lang.pick(format!("一覧: {}件", listed.entries), format!("Listed {} entries", listed.entries)))
        }
        Receipt::Read(read) => Some(lang.pick(format!("読みました: {}", read.path), format!("Read {}", read.path))),
        Receipt::Found(found) => {
            Some(lang.pick(format!("検索: {}件", found.matches), format!("Found {} lines", found.matches)))
        }
        Receipt::Made(changes) => {
            let paths: Vec<&str> = changes.iter().map(|change| change.path.as_str()).collect();
            Some(lang.pick(format!("変更しました: {}", paths.join("、")), format!("Changed {}", paths.join(", "))))
        }
        Receipt::Ran(ran) => {
            let beyond = ran.besides(lang).map(|line| format!("\n{line}")).unwrap_or_default();
            Some(format!("{}\n{}{beyond}", ran.ended.say(lang), ran.output))
        }
        Receipt::Used(text) => Some(text.clone()),
        Receipt::Prepared(_) | Receipt::Restored(_) | Receipt::Halted | Receipt::Committed(_) | Receipt::Refused(_) => {
            None
        }
    }
}

fn taken_back(lang: Lang, restored: &RestoreResult) -> String {
    let mut lines = vec![match restored.restored.is_empty() {
        true => lang.pick("元に戻した変更はありません。", "No change was taken back.").to_owned(),
        false => lang.pick(
            format!("変更前の内容に戻しました: {}", restored.restored.join("、")),
            format!("As it was before: {}", restored.restored.join(", ")),
        ),
    }];
    for (path, why) in &restored.kept {
        let why = match why {
            NotRestored::ChangedSince => lang.pick(
                "そのあとで手が加えられているため、そのままにしました",
                "left as it is, since it was changed afterwards",
            ),
            NotRestored::Forgotten => {
                lang.pick("元の内容がもう残っていません", "what it held before is no longer kept")
            }
            NotRestored::Unreachable => lang.pick("変更できませんでした", "it could not be changed"),
        };
        lines.push(format!("{path}: {why}"));
    }
    if !restored.set_aside.is_empty() {
        lines.push(lang.pick(
            "コマンドの実行中に変わったファイルも戻しました。あなたが編集したものがあれば、戻す前の内容は次の場所にあります。"
                .to_owned(),
            "Files that changed while a command ran were taken back, too. If you edited one, what it held is kept here:"
                .to_owned(),
        ));
        lines.extend(restored.set_aside.iter().map(|(path, at)| format!("{path}: {at}")));
    }
    lines.join("\n")
}
