//! What a message says beside values: that there is none, where one came from, and which field it is for.

use enza_interview::{Absence, Field, Form, Kind, labelled, read_absence, sentence_of};
use enza_kernel::text::Lang;
use serde_json::json;

#[test]
fn an_absence_is_read_where_the_whole_message_says_so() {
    let said = [
        (
            Absence::Skipped,
            "skip|Skip!|PASS|pass, please|Let's skip this one|ＳＫＩＰ|スキップ|スキップしてください|スキップでお願いします。|ｽｷｯﾌﾟ|飛ばしてください|次の質問|パスします|next question",
        ),
        (
            Absence::Declined,
            "rather not say|I'd rather not say.|I’d rather not|I prefer not to say|no comment|答えたくありません|答えたくないです。|回答を控えます|すみません、言いたくありません",
        ),
        (
            Absence::Unknown,
            "I don't know|i dont know...|I don’t know, sorry|Sorry, no idea|idk|not sure|I'm not sure|\
             unknown|I can't remember|わかりません|わかりません。|分からないです|ちょっとわかりません|不明|\
             不明です|覚えていません",
        ),
        (
            Absence::NotApplicable,
            "n/a|N/A.|n.a.|not applicable|It doesn't apply to me|doesn't apply|該当なし|該当なしです|該当しません|当てはまりません|対象外です",
        ),
    ];
    for (absence, texts) in said {
        for text in texts.split('|') {
            assert_eq!(read_absence(text), Some(absence), "{text}");
        }
    }
}

#[test]
fn an_answer_is_never_taken_for_an_absence() {
    let answers = [
        "",
        "no",
        "No.",
        "なし",
        "特になし",
        "ありません",
        "none",
        "I don't know the exact date, maybe 3 May",
        "skip the intro and go to the demo",
        "next Friday",
        "次の金曜日",
        "わかりませんが、たぶん5月3日です",
        "He passed",
        "pass rate",
        "unknown caller rang twice",
        "N/A for the first, 5 for the second",
        "I know",
        "わかりました",
        "please",
        "it",
    ];
    for text in answers {
        assert_eq!(read_absence(text), None, "{text}");
    }
}

#[test]
fn absences_are_written_with_their_words_and_shown_in_both_languages() {
    for absence in Absence::ALL {
        assert_eq!(serde_json::to_value(absence).unwrap(), json!(absence.word()));
        for lang in [Lang::Ja, Lang::En] {
            assert_eq!(read_absence(absence.say(lang)), Some(absence));
        }
    }
}

/// Row 13 of the peers: the source of each value.
#[test]
fn a_value_comes_from_the_sentence_that_carries_it_best() {
    let english =
        "We met on Nov. 3rd at 14:30. About 1,200 people came! My number is 090-1234-5678, write to jane@example.com.";
    let cases = [
        ("2026-11-03", "We met on Nov. 3rd at 14:30."),
        ("14:30", "We met on Nov. 3rd at 14:30."),
        ("1200", "About 1,200 people came!"),
        ("+819012345678", "My number is 090-1234-5678, write to jane@example.com."),
        ("jane@example.com", "My number is 090-1234-5678, write to jane@example.com."),
    ];
    for (value, sentence) in cases {
        assert_eq!(sentence_of(english, value), sentence, "{value}");
    }
    let japanese = "昨日は大変でした。訪問日は11月3日です。田中さんと会いました！";
    assert_eq!(sentence_of(japanese, "2026-11-03"), "訪問日は11月3日です。");
    assert_eq!(sentence_of("すきなのはりんごです。いつもたべます。", "りんご"), "すきなのはりんごです。");
    assert_eq!(sentence_of(japanese, "田中"), "田中さんと会いました！");
    assert_eq!(sentence_of("3.5\n40 or 30\n3", "3"), "3", "what was refused is not what the value came from");
    assert_eq!(sentence_of("It rained.\nWe left on 3 November.\nAll fine.", "2026-11-03"), "We left on 3 November.");
}

#[test]
fn a_value_that_shares_nothing_or_gathers_from_everywhere_comes_from_the_whole_answer() {
    let gladly = "Gladly. Count me in.";
    assert_eq!(sentence_of(gladly, "yes"), gladly);
    let scattered = "The pump leaks. Water drips on cables. Lights flicker.";
    assert_eq!(sentence_of(scattered, "Pump leaks; water on cables; lights flicker"), scattered);
    assert_eq!(sentence_of("", "x"), "");
}

fn form() -> Form {
    let fields = [("date", "Date of visit"), ("customer", "お客様名"), ("note", "Note: internal")];
    Form { fields: fields.map(|(id, label)| Field::new(id, label, Kind::Text)).to_vec(), ..Form::default() }
}

#[test]
fn lines_behind_labels_are_told_apart() {
    let text = "Here it is:\n- date of visit: 3 May\n２．お客様名：　山田商店\nNOTE = call: back\nNote: internal: none\ncustomer＝ACME\nUnknown: 5\nDate of visit:";
    let wanted = [(0, "3 May"), (1, "山田商店"), (2, "call: back"), (2, "none"), (1, "ACME")];
    let found = labelled(&form(), text);
    // "Note: internal: none" begins with the id of the field as well as with its label; the label says more.
    assert_eq!(found, wanted);
    assert_eq!(labelled(&form(), "The date was 3 May"), []);
}
