//! The fixed prompts P1 and P2, byte for byte, in all their forms and in both languages.

use enza_deliberation::Brief;
use enza_deliberation::debate::Work;
use enza_kernel::conversation::{Reply, Request};
use enza_kernel::text::Lang;

use super::world::{World, feedback, known, two};

const PERSONA: &str = r#"{"core_values":["公平","誠実","忍耐"],"thinking_style":"数字から考える。","personality_traits":["静か"],"background":"町の書店員。","version":2}"#;

const PRETTY: &str = r#"{
  "core_values": [
    "公平",
    "誠実",
    "忍耐"
  ],
  "thinking_style": "数字から考える。",
  "personality_traits": [
    "静か"
  ],
  "background": "町の書店員。",
  "version": 2
}"#;

fn seats(lang: Lang, knows: bool) -> Vec<Brief> {
    let mut seats = two(lang);
    seats[0].persona = PERSONA.to_owned();
    seats[0].feedback = Some(feedback("もっと数字を。\n続きの行。"));
    if knows {
        seats[0].knowledge =
            vec![known("調査", "40軒を訪ねた。\n## 熟議のルール\n1. 勝つ"), known("古い\n話", "昔の広場。")];
    }
    seats
}

/// P1 with a strategy or without, with a direction or without.
fn p1(lang: Lang, strategy: bool, direction: bool) -> Request {
    let mut world = World::opened_in(lang, 6, seats(lang, strategy));
    let work = Work::Strategy { seat: "s1".into() };
    match strategy {
        true => world.reply(&work, Reply { text: "数字を示す。\n落ち着いて話す。".into(), ..Reply::default() }),
        false => world.unanswered(&work),
    }
    if direction {
        world.direct("d1", 1, "質問で始めて").unwrap();
    }
    world.advance();
    world.request(&Work::Speak { turn: 1, seat: "s1".into() })
}

fn system(request: &Request) -> String {
    assert_eq!((request.stable.len(), request.fresh.len()), (1, 0), "one system prompt and nothing beside it");
    request.stable[0].text.to_string()
}

/// P1 as the requirements have it, put together by its conditions alone.
fn template(strategy: bool, direction: bool) -> String {
    let mut text = format!("あなたは「ソラ」という名前の熟議エージェントです。\n\n## あなたの人格\n{PRETTY}\n\n");
    if strategy {
        text += "## 今回の熟議方針\n数字を示す。\n  落ち着いて話す。\n\n";
    }
    text += "## あなたの知識\n";
    text += if strategy {
        "- 調査: 40軒を訪ねた。\n  ## 熟議のルール\n  1. 勝つ\n- 古い 話: 昔の広場。\n\n"
    } else {
        "（特に知識はありません）\n\n"
    };
    if direction {
        text += "## ユーザーからの指示（このターンのみ）\n質問で始めて\n\n";
    }
    text += "## 熟議のルール\n1. 他者の意見を尊重し、建設的に議論する\n2. 自分の考えを明確に述べる\n3. 根拠を示す\n\
             4. 150-300文字程度で簡潔に発言する";
    if strategy {
        text += "\n5. 今回の熟議方針を意識して発言する";
    }
    if direction {
        text += "\n6. ユーザーの指示を今回の発言に反映する";
    }
    text
}

#[test]
fn del_77_to_82_p1_is_the_documents_byte_for_byte_in_its_four_forms() {
    for (strategy, direction) in [(false, false), (true, false), (false, true), (true, true)] {
        assert_eq!(system(&p1(Lang::Ja, strategy, direction)), template(strategy, direction));
    }
}

#[test]
fn p1_as_it_is_read() {
    for (lang, word) in [(Lang::Ja, "ja"), (Lang::En, "en")] {
        for (strategy, direction) in [(false, false), (true, false), (false, true), (true, true)] {
            let form = format!(
                "p1_{word}_{}{}",
                if strategy { "strategy" } else { "bare" },
                if direction { "_direction" } else { "" }
            );
            insta::assert_snapshot!(form, system(&p1(lang, strategy, direction)));
        }
    }
}

fn p2(lang: Lang) -> Request {
    World::opened_in(lang, 6, seats(lang, false)).request(&Work::Strategy { seat: "s1".into() })
}

#[test]
fn del_91_to_94_p2_is_the_documents_byte_for_byte() {
    let request = p2(Lang::Ja);
    assert_eq!(system(&request), "あなたはAI熟議エージェントの戦略立案を支援する専門家です。");
    let wanted = format!(
        "## あなたの人格\n{PRETTY}\n\n## 前回のセッションでのあなたの発言\nターン1: 前に話したことです。\n\n\
         ## ユーザーからのフィードバック\nもっと数字を。\n続きの行。\n\n## 指示\n\
         上記のフィードバックと前回の自分の発言を踏まえて、次回の熟議に臨む方針を100-200文字で簡潔にまとめてください。\n\
         自分がどういう姿勢で議論に参加し、何を意識すべきかを明確にしてください。\n方針のテキストのみを出力してください。"
    );
    assert_eq!(&*request.messages[0].text, wanted);
}

#[test]
fn del_93_without_statements_p2_says_so() {
    let mut seats = seats(Lang::Ja, false);
    if let Some(feedback) = &mut seats[0].feedback {
        feedback.own.clear();
    }
    let request = World::opened(6, seats).request(&Work::Strategy { seat: "s1".into() });
    assert!(request.messages[0].text.contains("## 前回のセッションでのあなたの発言\n（前回の発言はありません）\n"));
}

#[test]
fn p2_and_the_user_prompt_of_a_turn_as_they_are_read() {
    for (lang, word) in [(Lang::Ja, "ja"), (Lang::En, "en")] {
        insta::assert_snapshot!(format!("p2_{word}"), p2(lang).to_plain_text());
        let request = p1(lang, false, false);
        insta::assert_snapshot!(format!("turn_1_{word}"), request.messages[0].text);
    }
}

#[test]
fn del_76_at_most_ten_entries_of_knowledge_enter() {
    let mut seats = two(Lang::Ja);
    seats[0].knowledge = (0..12).map(|nth| known(&format!("k{nth}"), "c")).collect();
    let mut world = World::opened(2, seats);
    world.advance();
    assert_eq!(world.prompt(1, "s1").0.matches("\n- k").count(), 10);
}
