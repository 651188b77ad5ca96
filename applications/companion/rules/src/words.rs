//! What the rules say, to the person and to the model.

use enza_kernel::text::Lang;

use super::action::Operation;
use super::batch::OrderKind;
use super::consent;
use super::note::Note;
use super::task::Procedure;
use enza_work::{Fault, Finding};

/// The word with which a procedure is asked for.
pub(super) fn procedure(lang: Lang, procedure: Procedure) -> &'static str {
    match procedure {
        Procedure::Planning => lang.pick(
            "手順書に従って計画を作ってください。ファイルを見る必要があれば、先に actions で読みます。",
            "Make a plan by the procedure. If you need to see files first, read them with actions.",
        ),
        Procedure::Execution => lang.pick(
            "計画を実行してください。必要な操作を actions に書きます。操作が残っていなければ、actions を空にして next_step を done にします。",
            "Carry out the plan. Put the operations in actions. If nothing is left to do, leave actions empty and set \
             next_step to done.",
        ),
        Procedure::Review => lang.pick(
            "行った変更を手順書に従ってレビューし、review に書いてください。",
            "Review what was changed by the procedure, and put the result in review.",
        ),
    }
}

/// The word with which what was just carried out goes to the reviewer.
pub(super) fn review(lang: Lang, told: &str) -> String {
    format!("{told}\n\n{}", procedure(lang, Procedure::Review))
}

/// The word with which work goes on.
pub(super) fn go_on(lang: Lang, told: &str) -> String {
    lang.pick(
        format!("{told}\n\n続けてください。残りがなければ、actions を空にして next_step を done にします。"),
        format!("{told}\n\nGo on. If nothing is left to do, leave actions empty and set next_step to done."),
    )
}

/// The word for a model whose changes could not be worked out. Its reply stands in the thread as if they had been made.
pub(super) fn not_done(lang: Lang, told: &str) -> String {
    lang.pick(
        format!("変更は一つも行われていません。\n{told}\n\nどのファイルも元のままです。操作を直して、もう一度 actions に書いてください。"),
        format!("None of the changes was made.\n{told}\n\nEvery file is as it was. Correct the operations and put them in actions again."),
    )
}

/// The word for a model that asks to see the same again.
pub(super) fn seen_before(lang: Lang, told: &str) -> String {
    lang.pick(
        format!("{told}\n\n同じものを前にも見ています。見たことをもとに、答えるか、変更するか、別のものを見てください。"),
        format!("{told}\n\nYou have seen exactly this before. Go on with what you know: answer, change something, or look at something else."),
    )
}

/// The word for a model that goes on without doing anything.
pub(super) fn do_something(lang: Lang) -> &'static str {
    lang.pick(
        "続けるには、必要な操作を actions に書いてください。残りがなければ、next_step を done にします。",
        "To go on, put the operations that are needed in actions. If nothing is left to do, set next_step to done.",
    )
}

/// The word for a model of whose change a person took only a part, or another wording.
pub(super) fn taken_in_part(lang: Lang) -> &'static str {
    lang.pick(
        "利用者は、提案の一部だけを受け入れたか、書き直しました。実際に行われた変更は次のとおりです。",
        "The person took only some of what you proposed, or worded it anew. This is what was really changed:",
    )
}

/// The word for the model when a person said something with their yes.
pub(super) fn agreed(lang: Lang, note: &str) -> String {
    lang.pick(
        format!("利用者は承認し、こう言いました: {note}"),
        format!("The person said yes, and this with it: {note}"),
    )
}

/// The word for the model when the person has stopped it, in the middle of this.
pub(super) fn stopped(lang: Lang, under_way: Option<OrderKind>) -> String {
    let middle = match under_way {
        Some(OrderKind::Run(_) | OrderKind::Check(_)) => lang.pick(
            "実行中だったコマンドは途中で止めました。何かを変えているかもしれません。",
            "The command that was running was ended in the middle, and may have changed something.",
        ),
        Some(OrderKind::Tool(_)) => {
            lang.pick("使用中だったツールの結果はわかりません。", "What came of the tool that was in use is not known.")
        }
        Some(OrderKind::Make | OrderKind::PutBack(_)) => lang.pick(
            "途中だったファイルの変更は最後まで行いました。",
            "The change that was being made was made to its end.",
        ),
        Some(OrderKind::Look(_) | OrderKind::Prepare | OrderKind::Choose | OrderKind::Recover(_)) | None => "",
    };
    let stopped = lang.pick(
        "利用者が作業を止めました。まだ結果を知らされていない操作は、行われていません。",
        "The person stopped this. Operations of which you were not told the result were not done.",
    );
    format!("{stopped} {middle}").trim_end().to_owned()
}

/// The word for the model when changes were taken back.
pub(super) fn taken_back(lang: Lang, paths: &[String]) -> String {
    lang.pick(
        format!("利用者が変更を元に戻しました。変更前の内容になっているファイル: {}", paths.join("、")),
        format!("The person took changes back. These files are as they were before: {}", paths.join(", ")),
    )
}

/// The word for the model when a move was refused, and with it what it wanted.
pub(super) fn move_refused(lang: Lang, to: &str, why: &str) -> String {
    lang.pick(format!("{to} への移動は認められませんでした: {why}"), format!("The move to {to} was refused: {why}"))
}

/// The word with which something is to be mended.
pub(super) fn mend(lang: Lang, error: &str) -> String {
    lang.pick(
        format!(
            "うまくいきませんでした。\n{error}\n\n原因を確かめて直してください。必要なら先にファイルを読みます。何も変えずに同じことを\
             繰り返しても、結果は同じです。"
        ),
        format!(
            "That did not come off.\n{error}\n\nFind the cause and mend it. Read the files first if you need to. The same again, \
             with nothing changed, comes to the same."
        ),
    )
}

/// The question where the model itself has a doubt.
pub(super) fn shall_i(lang: Lang, doubt: &str) -> String {
    lang.pick(
        format!("気になる点があります: {doubt}。どうしますか？"),
        format!("I have a doubt: {doubt}. What shall I do?"),
    )
}

/// What is heard where a bare choice takes something that was offered.
pub(super) fn chosen(lang: Lang, said: &str, offer: &str) -> String {
    lang.pick(
        format!("{said}\n(この返事は、あなたが挙げた次の案を選んだものです: {offer})"),
        format!("{said}\n(By this the person takes what you offered: {offer})"),
    )
}

/// A person said no.
pub(super) fn refused(lang: Lang, note: Option<&str>) -> String {
    let why = note.map(|note| format!(" {note}")).unwrap_or_default();
    lang.pick(
        format!("利用者が操作を断りました。何も変更していません。{why}"),
        format!("The person said no. Nothing was changed.{why}"),
    )
}

/// Other ways, for a gate.
pub(super) fn alternatives(lang: Lang) -> Vec<String> {
    let ways = lang.pick(
        ["一部だけを受け入れる", "編集してから適用する", "断って、別のやり方を頼む"],
        ["Take some of the changes only", "Edit them before they are applied", "Say no and ask for another way"],
    );
    ways.map(str::to_owned).to_vec()
}

/// What a person should know about a change.
pub(super) fn finding(lang: Lang, finding: &Finding) -> String {
    match finding {
        Finding::Outside => lang.pick("作業フォルダの外", "outside the folder").to_owned(),
        Finding::System => lang.pick("システムのファイル", "a system file").to_owned(),
        Finding::SecretFile => lang.pick("秘密を含むファイル", "a file with secrets").to_owned(),
        Finding::SecretText { kind } => {
            lang.pick(format!("秘密らしい文字列: {kind}"), format!("looks like a secret: {kind}"))
        }
        Finding::Governs => lang.pick("エンザの設定", "settings of the companion").to_owned(),
        Finding::Dangerous => lang.pick("危険な拡張子", "a dangerous ending").to_owned(),
        Finding::UnknownEnding => lang.pick("未知の拡張子", "an unknown ending").to_owned(),
        Finding::Large { bytes } => lang.pick(format!("大きい({bytes}バイト)"), format!("large, {bytes} bytes")),
        Finding::Binary => lang.pick("文章ではない", "not a text").to_owned(),
        Finding::Ignored => lang.pick("無視指定のファイル", "ignored by the project").to_owned(),
        Finding::Link { asked } => lang.pick(format!("リンク: {asked}"), format!("reached through {asked}")),
        Finding::HardLinked { .. } => lang.pick("ほかの名前も持つファイル", "a file with other names, too").to_owned(),
        Finding::Masked => lang.pick("伏せた秘密を書き込もうとしている", "it would write a masked secret").to_owned(),
        Finding::DiffCut => lang.pick("差分は一部だけ表示", "the diff is cut").to_owned(),
    }
}

/// The question whether a closed path may be opened, in the document's words (DUCK-90).
pub(super) fn opens(lang: Lang, operation: Operation, path: &str, fault: &Fault) -> String {
    let why = match fault {
        Fault::Secret { .. } => {
            lang.pick("秘密を含むファイルを操作しようとしています", "It touches a file that holds secrets")
        }
        Fault::KeptFrom { .. } => lang.pick(
            "コマンドがこれを読めずに失敗しました。読むことを許して、もう一度実行しますか",
            "The command failed since it could not read this. Allow reading it and try again",
        ),
        Fault::Closed { .. } => lang
            .pick("ルールで閉じられたファイルを操作しようとしています", "It touches a file that a rule keeps closed"),
        _ => lang
            .pick("作業フォルダ外のファイルを操作しようとしています", "It touches a file outside the folder of work"),
    };
    let operation = operation.word();
    lang.pick(
        format!("以下の操作の承認が必要です：\n操作: {operation}\n対象: {path}\n理由: {why}\n\n承認しますか？ (yes/no)"),
        format!("This operation needs your consent:\nOperation: {operation}\nTarget: {path}\nReason: {why}\n\nDo you consent? (yes/no)"),
    )
}

/// What opening a path comes to.
pub(super) fn opened_once(lang: Lang, changes: bool) -> &'static str {
    if changes {
        lang.pick(
            "このパスだけを、この操作に限って開きます。変更の内容はこのあと改めて確認します。",
            "Exactly this path is opened, for this operation alone. The change itself is shown and asked for next.",
        )
    } else {
        lang.pick(
            "このパスだけを、この操作に限って開きます。内容はモデルに渡ります(秘密らしい文字列は伏せます)。",
            "Exactly this path is opened, for this operation alone. The model gets to read it, with secrets masked.",
        )
    }
}

/// What opening a path to a command comes to.
pub(super) fn opened_to_command(lang: Lang) -> &'static str {
    lang.pick(
        "このパスだけを、このコマンドに限って読めるようにし、もう一度実行します。書くことはできず、中にある秘密は閉じたままです。",
        "Exactly this path can be read, by this command alone, which is run again. It cannot write there, and secrets in it stay \
         closed.",
    )
}

/// A person did not open a path to a command; with what came of it.
pub(super) fn not_opened(lang: Lang, told: &str) -> String {
    lang.pick(
        format!("{told}\n\n利用者は、そのパスを読むことを許しませんでした。別のやり方を考えてください。"),
        format!("{told}\n\nThe person did not allow that path to be read. Find another way."),
    )
}

/// Other ways than to open a path, for a gate.
pub(super) fn other_ways_than_opening(lang: Lang) -> Vec<String> {
    let ways = lang.pick(
        ["断って、作業フォルダの中だけで進める", "必要な部分を自分で貼り付ける"],
        ["Say no, and go on inside the folder alone", "Paste what is needed yourself"],
    );
    ways.map(str::to_owned).to_vec()
}

/// How far a command can reach; `unsealed` where the kernel leaves more open.
pub(super) fn reach(lang: Lang, unsealed: bool) -> &'static str {
    if unsealed {
        return lang.pick(
            "コマンドは作業フォルダの中だけに書けます。ただしこのコンピューターでは、フォルダの外にあるあなたのファイルの権限・所有者・時刻を変えることは防げません。ネットワークは設定で許した場合だけ使えます。無視指定のファイルと非常に大きいファイルへの変更は元に戻せません。",
            "The command can write in the folder alone; but on this machine it cannot be kept from changing permissions, owners and \
             times of your files outside it. It uses the network only where the settings allow it. What it changes in ignored and \
             very large files cannot be taken back.",
        );
    }
    lang.pick(
        "コマンドは作業フォルダの中だけを変えられます。ネットワークは設定で許した場合だけ使えます。無視指定のファイルと非常に大きいファイルへの変更は元に戻せません。",
        "The command can change the folder alone, and uses the network only where the settings allow it. What it changes in \
         ignored and very large files cannot be taken back.",
    )
}

/// How far a server's tool can reach.
pub(super) fn tools_reach(lang: Lang) -> &'static str {
    lang.pick(
        "別のプログラムのツールです。その動作は作業フォルダに限られず、元に戻せないことがあります。",
        "A tool of another program: it is not held to the folder, and what it does may not be undone.",
    )
}

/// Why a tool that nobody offered is not used.
pub(super) fn no_such_tool(lang: Lang) -> &'static str {
    lang.pick("そのようなツールはありません", "there is no such tool")
}

/// Why something was not done, from the log's word for it, with the setting that would have it otherwise.
pub fn denial(lang: Lang, why: &str) -> String {
    let said = match why {
        consent::PLAN_ONLY => lang.pick(
            "計画だけのモードです。mode を ask にすると、確認のうえで行います",
            "the mode is plan only; with mode = \"ask\" it is asked for",
        ),
        consent::ASIDE => lang.pick(
            "作業とは別の質問では、何も変えません",
            "a question aside changes nothing; ask for it in the work itself",
        ),
        consent::NOBODY => lang.pick(
            "確認に答える人がいません。rules の allow か --allow で、前もって許せます",
            "nobody is there to ask; an allow in rules, or --allow, allows it beforehand",
        ),
        consent::LEFT_OUT => lang.pick("見送られました", "it was left out at the gate"),
        consent::TURNED_DOWN => lang.pick(
            "この作業ですでに断られています。名前を挙げて頼まれるまで、もう確認しません",
            "it was turned down in this task, and is not asked for again until the person brings it up by name",
        ),
        rule if rule.starts_with("deny ") => {
            return lang.pick(
                format!("ルール「{rule}」によります。rules から外せば確認になります"),
                format!("by the rule \"{rule}\"; without it in rules it is asked for"),
            );
        }
        other => other,
    };
    said.to_owned()
}

/// Why something is never done.
pub(super) fn never(lang: Lang, why: &str) -> &'static str {
    match why {
        "system" => lang.pick("システムのファイルは変更しません", "files of the system are never changed"),
        "dangerous" => lang.pick(
            "危険な拡張子のファイルは変更しません(設定: dangerous_endings)",
            "files with dangerous endings are not changed (setting: dangerous_endings)",
        ),
        "masked" => {
            lang.pick("伏せられた秘密を書き込むことはしません", "a masked secret is never written over the real one")
        }
        _ => lang.pick(
            "作業フォルダ外のファイルは書き込めません(設定: safety_phase が3以上なら確認します)",
            "files outside the folder are not written (setting: safety_phase, which asks from 3 on)",
        ),
    }
}

impl Note {
    /// What a person is told by it.
    pub fn say(&self, lang: Lang) -> String {
        note(lang, self)
    }
}

/// Nobody knows how an order ended.
pub(super) fn lost(lang: Lang) -> &'static str {
    lang.pick(
        "途中で止まり、どこまで実行されたかわかりません。繰り返さないでください。",
        "It stopped in the middle and nobody knows how far it got. Do not repeat it.",
    )
}

/// What may not be changed was changed.
pub(super) fn put_back(lang: Lang, paths: &[String]) -> String {
    lang.pick(
        format!("変更を禁じられたファイルが変わったため、元に戻しました: {}", paths.join("、")),
        format!("What may not be changed was changed, so it was put back: {}", paths.join(", ")),
    )
}

/// There was nothing to do.
pub(super) fn nothing(lang: Lang) -> &'static str {
    lang.pick("操作はありませんでした。", "There was nothing to do.")
}

/// The budget has no room for another call: what was spent, and what to do.
pub fn budget_ended(lang: Lang, spent: u64, limit: u64, need: u64) -> String {
    let more = limit.saturating_add(need.max(limit));
    lang.pick(
        format!(
            "トークンの予算を使い切りました: {limit}のうち{spent}を使い、次の呼び出しには最大{need}が必要です。\n続けるには、予算を増やしてください(例: {more})。"
        ),
        format!(
            "The token budget has come to its end: {spent} of {limit} are spent, and the next call can take up to {need}.\n\
             Raise the budget to go on, to {more} for example."
        ),
    )
}

/// What a person is told by the rules. Acts are called by their names: what is pressed or typed for them is known to the
/// page and to the terminal.
pub(super) fn note(lang: Lang, note: &Note) -> String {
    match note {
        Note::Mismatch(mismatch) => mismatch.say(lang).to_owned(),
        Note::Doubt(doubt) => lang.pick(format!("止めました: {doubt}"), format!("Held back: {doubt}")),
        Note::Denied { lines } => lines.join("\n"),
        Note::Failed { text } => text.clone(),
        Note::Loop => lang.pick(
            "同じことを繰り返しているため止めました。別のやり方を伝えるか、作業を取りやめてください。",
            "Stopped: it was going in circles. Say what to do differently, or give up the task.",
        )
        .to_owned(),
        Note::GivenUp { error } => lang.pick(
            format!("直しきれなかったため止めました。\n{error}\nどうするかを伝えるか、変更を元に戻すか、作業を取りやめてください。"),
            format!("Stopped: it could not be mended.\n{error}\nSay what to do, take the changes back, or give up the task."),
        ),
        Note::NoModel { why } => {
            let why = why.trim_end_matches(['.', '。', ' ']);
            lang.pick(
                format!("モデルから使える答えが得られませんでした: {why}\nもう一度試せます。"),
                format!("The model gave no usable answer: {why}\nYou can try again."),
            )
        }
        Note::Unknown { what, changed } if changed.is_empty() => lang.pick(
            format!("「{what}」は途中で止まり、実行されたかどうかわかりません。確かめてから続けてください。"),
            format!("\"{what}\" stopped in the middle; nobody knows whether it ran. Check before you go on."),
        ),
        Note::Unknown { what, changed } => lang.pick(
            format!(
                "「{what}」は途中で止まりました。それまでに変わったファイル: {}。確かめて、必要なら元に戻してから続けてください。",
                changed.join("、")
            ),
            format!(
                "\"{what}\" stopped in the middle. Until then these files changed: {}. Check, and take them back if need be, \
                 before you go on.",
                changed.join(", ")
            ),
        ),
        Note::ChangedSince { path } => lang.pick(
            format!("{path} は確認のあとで変わったため、適用していません。"),
            format!("{path} has changed since it was shown, so nothing was applied."),
        ),
        Note::PutBack { paths } => put_back(lang, paths),
        Note::ChecksFailed { checks } => lang.pick(
            format!("完了していません。変更後の確認が失敗しています: {}\n直し方を伝えるか、変更を元に戻すか、作業を取りやめてください。", checks.join("、")),
            format!("Not done: the checks fail: {}\nSay how to mend it, take the changes back, or give up the task.", checks.join(", ")),
        ),
        Note::BudgetEnded { spent, limit, need } => budget_ended(lang, *spent, *limit, *need),
        Note::Took { offer } => {
            lang.pick(format!("この提案を選んだものとして進めます: {offer}"), format!("Taken as your choice: {offer}"))
        }
        Note::AwaitsAcceptance => lang.pick(
            "結果を受け入れるか、直してほしいところを伝えてください。",
            "Accept the result, or say what should be different.",
        )
        .to_owned(),
        Note::PlanAwaits => lang.pick(
            "これが計画です。受け入れると実行に移ります(変更はそのつど確認します)。違うところがあれば伝えてください。",
            "This is the plan. Accept it to have it carried out (each change is asked for then), or say what should be different.",
        )
        .to_owned(),
        Note::Idle => lang.pick(
            "続けると言いながら、何もしていません。どう進めるかを伝えるか、作業を取りやめてください。",
            "It says that it goes on, and does nothing. Say how to go on, or give up the task.",
        )
        .to_owned(),
        Note::NotKept { text } => lang.pick(
            format!("禁じたことが多すぎて、これは覚えておけません: {text}。不要になったものを解除してから、もう一度伝えてください。"),
            format!("No more can be kept as forbidden, so this is not: {text}. Lift what no longer matters, and say it again."),
        ),
        Note::TooLong { layer, tokens } => lang.pick(
            format!("プロンプトの「{layer}」は、省けない部分だけで設定の上限を{tokens}トークン超えています。"),
            format!("What may not be left out of the prompt's \"{layer}\" is {tokens} tokens over its limit in the settings."),
        ),
        Note::PatternMissing => {
            lang.pick("prompt_pattern がないため base_main とみなしました。", "prompt_pattern was missing; taken as base_main.").to_owned()
        }
    }
}
