//! What the rules say, to the person and to the model.

use enza_kernel::text::Lang;

use super::action::Operation;
use super::desk::Procedure;
use super::event::Note;
use super::work::Finding;

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

/// The word with which work goes on.
pub(super) fn go_on(lang: Lang, told: &str) -> String {
    lang.pick(
        format!("{told}\n\n続けてください。残りがなければ、actions を空にして next_step を done にします。"),
        format!("{told}\n\nGo on. If nothing is left to do, leave actions empty and set next_step to done."),
    )
}

/// The word with which something is to be mended.
pub(super) fn mend(lang: Lang, error: &str) -> String {
    lang.pick(
        format!("うまくいきませんでした。\n{error}\n\n原因を確かめて直してください。必要なら先にファイルを読みます。"),
        format!("That did not come off.\n{error}\n\nFind the cause and mend it. Read the files first if you need to."),
    )
}

/// The question where the model itself has a doubt.
pub(super) fn shall_i(lang: Lang, doubt: &str) -> String {
    lang.pick(
        format!("気になる点があります: {doubt}。どうしますか？"),
        format!("I have a doubt: {doubt}. What shall I do?"),
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

/// What an operation is called.
pub(super) fn operation(lang: Lang, operation: Operation) -> &'static str {
    match operation {
        Operation::List => lang.pick("一覧", "List"),
        Operation::Read => lang.pick("読む", "Read"),
        Operation::Search => lang.pick("検索", "Search"),
        Operation::Write => lang.pick("書き込む", "Write"),
        Operation::Edit => lang.pick("編集", "Edit"),
        Operation::Patch => lang.pick("パッチ", "Patch"),
        Operation::Create => lang.pick("作成", "Create"),
        Operation::Delete => lang.pick("削除", "Delete"),
        Operation::Move => lang.pick("移動", "Move"),
        Operation::Run => lang.pick("実行", "Run"),
        Operation::Tool => lang.pick("ツール", "Tool"),
    }
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

/// How far a command can reach.
pub(super) fn reach(lang: Lang) -> &'static str {
    lang.pick(
        "コマンドは作業フォルダの中だけに書けます。ネットワークは設定で許した場合だけ使えます。",
        "The command can write in the folder alone, and uses the network only where the settings allow it.",
    )
}

/// Why something is never done.
pub(super) fn never(lang: Lang, why: &str) -> &'static str {
    match why {
        "system" => lang.pick("システムのファイルは変更しません", "files of the system are never changed"),
        "dangerous" => {
            lang.pick("危険な拡張子のファイルは変更しません", "files with dangerous endings are never changed")
        }
        "masked" => {
            lang.pick("伏せられた秘密を書き込むことはしません", "a masked secret is never written over the real one")
        }
        _ => lang.pick("作業フォルダ外のファイルは書き込めません", "files outside the folder are not written"),
    }
}

/// Nobody knows how an order ended.
pub(super) fn lost(lang: Lang) -> &'static str {
    lang.pick(
        "途中で止まり、どこまで実行されたかわかりません。繰り返さないでください。",
        "It stopped in the middle and nobody knows how far it got. Do not repeat it.",
    )
}

/// There was nothing to do.
pub(super) fn nothing(lang: Lang) -> &'static str {
    lang.pick("操作はありませんでした。", "There was nothing to do.")
}

/// What a person is told by the rules.
pub(super) fn note(lang: Lang, note: &Note) -> String {
    match note {
        Note::Mismatch(mismatch) => mismatch.say(lang).to_owned(),
        Note::Doubt(doubt) => lang.pick(format!("止めました: {doubt}"), format!("Held back: {doubt}")),
        Note::Denied { lines } => lines.join("\n"),
        Note::Failed { text } => text.clone(),
        Note::Loop => lang.pick(
            "同じことを繰り返しているため止めました。別のやり方を伝えるか、/reset で始め直してください。",
            "Stopped: it was going in circles. Say what to do differently, or start over with /reset.",
        )
        .to_owned(),
        Note::GivenUp { error } => lang.pick(
            format!("直しきれなかったため止めました。\n{error}\nどうするかを伝えるか、/undo で戻すか、/reset で始め直してください。"),
            format!("Stopped: it could not be mended.\n{error}\nSay what to do, take it back with /undo, or start over with /reset."),
        ),
        Note::NoModel { why } => lang.pick(
            format!("モデルから答えが得られませんでした: {why}。/retry でもう一度試せます。"),
            format!("The model gave no usable answer: {why}. Try again with /retry."),
        ),
        Note::Unknown { what } => lang.pick(
            format!("「{what}」は途中で止まり、実行されたかどうかわかりません。確かめてから続けてください。"),
            format!("\"{what}\" stopped in the middle; nobody knows whether it ran. Check before you go on."),
        ),
        Note::ChangedSince { path } => lang.pick(
            format!("{path} は確認のあとで変わったため、適用していません。"),
            format!("{path} has changed since it was shown, so nothing was applied."),
        ),
        Note::AwaitsAcceptance => lang.pick(
            "結果を受け入れるなら /accept、直すなら何を直すかを伝えてください。",
            "Accept the result with /accept, or say what should be different.",
        )
        .to_owned(),
        Note::PatternMissing => {
            lang.pick("prompt_pattern がないため base_main とみなしました。", "prompt_pattern was missing; taken as base_main.").to_owned()
        }
    }
}
