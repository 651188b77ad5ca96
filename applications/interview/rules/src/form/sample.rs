//! The form that is there before anyone has written one: a report of something that is broken.
//!
//! The two languages are the same form: the same ids, the same facts, the same order.

use enza_kernel::text::Lang;

use super::{Fact, Field, Form, Order};

impl Form {
    /// The sample form.
    pub fn sample(lang: Lang) -> Self {
        Self {
            title: lang.pick("設備の不具合報告", "Report of a fault in the building").to_owned(),
            language: lang,
            order: Order::Fixed,
            fields: vec![symptom(lang), place(lang), contact(lang)],
            ..Self::default()
        }
    }
}

fn symptom(lang: Lang) -> Field {
    Field {
        field_id: "symptom".to_owned(),
        label: lang.pick("不具合の内容", "What is wrong").to_owned(),
        intent: Some(
            lang.pick(
                "修理の担当者が、道具を選び急ぎ具合を決められるようにする。",
                "Lets the technician choose the tools and judge how urgent it is.",
            )
            .to_owned(),
        ),
        required: true,
        facts: vec![
            Fact {
                fact_key: "what".to_owned(),
                fact: lang.pick("何がどうなっているか", "What does what it should not").to_owned(),
                done_criteria: lang
                    .pick("物と症状の両方がわかる。", "Both the thing and the symptom are named.")
                    .to_owned(),
                questioning_hints: Some(
                    lang.pick(
                        "音、におい、水漏れなど、見聞きしたことを尋ねる。",
                        "Ask for what was seen, heard or smelt.",
                    )
                    .to_owned(),
                ),
            },
            Fact {
                fact_key: "since".to_owned(),
                fact: lang.pick("いつからか", "Since when").to_owned(),
                done_criteria: lang
                    .pick(
                        "日付か、「昨日の朝」程度の時期がわかる。",
                        "A date, or a time such as \"yesterday morning\".",
                    )
                    .to_owned(),
                questioning_hints: None,
            },
        ],
        ..Field::default()
    }
}

fn place(lang: Lang) -> Field {
    Field {
        field_id: "place".to_owned(),
        label: lang.pick("場所", "Where it is").to_owned(),
        intent: Some(
            lang.pick("迷わずそこへ行けるようにする。", "Lets someone find it without asking again.").to_owned(),
        ),
        required: true,
        facts: vec![Fact {
            fact_key: "where".to_owned(),
            fact: lang.pick("建物、階、部屋または目印", "Building, floor, and room or landmark").to_owned(),
            done_criteria: lang.pick("一か所に決まる。", "It can only be one spot.").to_owned(),
            questioning_hints: Some(
                lang.pick(
                    "部屋番号がなければ、近くの目印を尋ねる。",
                    "Without a room number, ask for a landmark nearby.",
                )
                .to_owned(),
            ),
        }],
        ..Field::default()
    }
}

fn contact(lang: Lang) -> Field {
    Field {
        field_id: "contact".to_owned(),
        label: lang.pick("連絡先", "How to reach you").to_owned(),
        intent: Some(
            lang.pick("訪問の前に連絡できるようにする。", "Lets the technician call before coming.").to_owned(),
        ),
        required: false,
        facts: vec![Fact {
            fact_key: "how".to_owned(),
            fact: lang.pick("電話番号かメールアドレス", "A telephone number or an e-mail address").to_owned(),
            done_criteria: lang.pick("一つあればよい。", "One is enough.").to_owned(),
            questioning_hints: None,
        }],
        ..Field::default()
    }
}
