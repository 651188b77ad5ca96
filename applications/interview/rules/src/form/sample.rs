//! The form that is there before anyone has written one: a report of something that is broken.
//!
//! The two languages are the same form: the same ids, the same facts, the same order.

use enza_kernel::text::Lang;

use super::{Fact, Field, Form, Order};
use crate::words::words;

impl Form {
    /// The sample form.
    pub fn sample(lang: Lang) -> Self {
        Self {
            title: words(lang).say("sample.title").to_owned(),
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
        label: words(lang).say("sample.symptom_label").to_owned(),
        intent: Some(words(lang).say("sample.symptom_intent").to_owned()),
        required: true,
        facts: vec![
            Fact {
                fact_key: "what".to_owned(),
                fact: words(lang).say("sample.symptom_what").to_owned(),
                done_criteria: words(lang).say("sample.symptom_what_criteria").to_owned(),
                questioning_hints: Some(words(lang).say("sample.symptom_what_ask").to_owned()),
            },
            Fact {
                fact_key: "since".to_owned(),
                fact: words(lang).say("sample.symptom_since").to_owned(),
                done_criteria: words(lang).say("sample.symptom_since_criteria").to_owned(),
                questioning_hints: None,
            },
        ],
        ..Field::default()
    }
}

fn place(lang: Lang) -> Field {
    Field {
        field_id: "place".to_owned(),
        label: words(lang).say("sample.place_label").to_owned(),
        intent: Some(words(lang).say("sample.place_intent").to_owned()),
        required: true,
        facts: vec![Fact {
            fact_key: "where".to_owned(),
            fact: words(lang).say("sample.place_fact").to_owned(),
            done_criteria: words(lang).say("sample.place_criteria").to_owned(),
            questioning_hints: Some(words(lang).say("sample.place_ask").to_owned()),
        }],
        ..Field::default()
    }
}

fn contact(lang: Lang) -> Field {
    Field {
        field_id: "contact".to_owned(),
        label: words(lang).say("sample.contact_label").to_owned(),
        intent: Some(words(lang).say("sample.contact_intent").to_owned()),
        required: false,
        facts: vec![Fact {
            fact_key: "how".to_owned(),
            fact: words(lang).say("sample.contact_fact").to_owned(),
            done_criteria: words(lang).say("sample.contact_criteria").to_owned(),
            questioning_hints: None,
        }],
        ..Field::default()
    }
}
