//! The words in the companion's lists.

use enza_kernel::text::Lang;

/// What is held in mind, in order.
pub const MIND: [(&str, &str); 8] = [
    ("目標", "goal"),
    ("なぜ今", "why now"),
    ("制約", "constraints"),
    ("計画", "next moves"),
    ("未解決", "open questions"),
    ("決めたこと", "decided"),
    ("参照", "refers to"),
    ("最近の変化", "latest change"),
];

/// A question asked beside the work.
pub fn aside(lang: Lang) -> &'static str {
    lang.pick("(作業中の質問)", "(a question beside the work)")
}

/// Talk without a task.
pub fn talk(lang: Lang) -> &'static str {
    lang.pick("(会話)", "(talk)")
}

/// Nothing was said yet.
pub fn no_turns(lang: Lang) -> &'static str {
    lang.pick("まだターンはありません。", "There are no turns yet.")
}

/// Nothing moved yet.
pub fn no_moves(lang: Lang) -> &'static str {
    lang.pick("まだ何も進んでいません。", "Nothing has moved yet.")
}

/// How changes are treated.
pub fn mode(lang: Lang) -> &'static str {
    lang.pick("モード", "mode")
}

/// What the person forbade.
pub fn forbidden(lang: Lang) -> &'static str {
    lang.pick("禁じたこと(/lift 番号 で解く)", "forbidden (/lift N lifts it)")
}

/// Why the model did what it did.
pub fn reason(lang: Lang) -> &'static str {
    lang.pick("理由", "reason")
}

/// How long the conversation in mind is.
pub fn messages(lang: Lang, count: usize) -> String {
    lang.pick(
        format!("会話 {count} 件(/compact で縮める)"),
        format!("{count} messages in the conversation (/compact shortens it)"),
    )
}

/// What was used.
pub fn cost(lang: Lang, calls: u64, input: &str, output: &str, money: &str, limit: &str) -> String {
    lang.pick(
        format!("呼び出し {calls} 回、入力 {input}、出力 {output} トークン、費用 {money}、上限 {limit}"),
        format!("{calls} calls, {input} tokens in, {output} out, cost {money}, limit {limit}"),
    )
}
