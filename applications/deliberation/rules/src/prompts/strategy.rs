//! P2: how a strategy is asked for (DEL-91 to DEL-94).

use enza_kernel::text::Lang;

use super::indented;
use crate::OwnStatement;

/// The system prompt.
pub(crate) fn system(lang: Lang) -> &'static str {
    lang.pick(
        "あなたはAI熟議エージェントの戦略立案を支援する専門家です。",
        "You are an expert who helps AI deliberation agents plan their strategy.",
    )
}

/// The user prompt. The persona comes as it is printed.
pub(crate) fn user(lang: Lang, persona: &str, own: &[OwnStatement], feedback: &str) -> String {
    let lines: Vec<String> = own.iter().map(|one| spoken(lang, one)).collect();
    let own = match lines.is_empty() {
        true => lang.pick("（前回の発言はありません）", "(There are no statements from last time)").to_owned(),
        false => lines.join("\n"),
    };
    // It goes to its own debater and to nobody else: there is no one to be misled but whoever wrote it.
    let feedback = feedback.trim();
    match lang {
        Lang::Ja => format!(
            "## あなたの人格\n{persona}\n\n\
             ## 前回のセッションでのあなたの発言\n{own}\n\n\
             ## ユーザーからのフィードバック\n{feedback}\n\n\
             ## 指示\n\
             上記のフィードバックと前回の自分の発言を踏まえて、次回の熟議に臨む方針を100-200文字で簡潔にまとめてください。\n\
             自分がどういう姿勢で議論に参加し、何を意識すべきかを明確にしてください。\n\
             方針のテキストのみを出力してください。"
        ),
        Lang::En => format!(
            "## Your persona\n{persona}\n\n\
             ## Your statements in the last session\n{own}\n\n\
             ## Feedback from the user\n{feedback}\n\n\
             ## Instructions\n\
             Based on the feedback above and your own statements from last time, sum up in 100-200 characters how you will \
             approach the next deliberation.\n\
             Make clear with what attitude you will take part and what you should pay attention to.\n\
             Output only the text of the strategy."
        ),
    }
}

fn spoken(lang: Lang, one: &OwnStatement) -> String {
    let (turn, content) = (one.turn, indented(&one.content));
    lang.pick(format!("ターン{turn}: {content}"), format!("Turn {turn}: {content}"))
}
