//! The stand-in for the architect reads what people write, in both languages.

use enza_forms::Command;
use enza_kernel::text::Lang;

use super::world::World;

/// Title, and each field as `id kind` with `?` where it may be left empty.
fn written(sentence: &str, lang: Lang) -> (String, Vec<String>) {
    let mut world = World::described(sentence, lang);
    world.play();
    let draft = world.state.draft();
    let fields = draft.fields.iter().map(|field| {
        let optional = if field.required { "" } else { "?" };
        let options: Vec<&str> = field.options.iter().map(|option| option.shown()).collect();
        let options = if options.is_empty() { String::new() } else { format!(" [{}]", options.join("|")) };
        format!("{} {}{optional}{options}", field.label, field.kind)
    });
    (draft.title.clone(), fields.collect())
}

#[test]
fn english_descriptions_become_forms() {
    let said = [
        "a visit report with date, customer, what was agreed",
        "Please create a form for event sign-ups: name, e-mail, phone number, number of guests, whether you need parking and comments.",
        "Incident report",
        "I need a survey asking for age, T-shirt size (S, M, L or XL), arrival time, a photo of the badge, and order number (optional)",
        "visit report, date, customer",
    ];
    let forms: String = said.iter().map(|sentence| format!("{:?}\n", written(sentence, Lang::En))).collect();
    insta::assert_snapshot!(forms, @r##"
    ("Visit report", ["Date date", "Customer text", "What was agreed long_text"])
    ("Event sign-ups", ["Name text", "E-mail email", "Phone number phone", "Number of guests integer", "Whether you need parking yes_no", "Comments long_text?"])
    ("Incident report", ["What it is about long_text"])
    ("Survey", ["Age integer", "T-shirt size choice [S|M|L|XL]", "Arrival time time", "Photo of the badge file", "Order number text?"])
    ("Visit report", ["Date date", "Customer text"])
    "##);
}

#[test]
fn japanese_descriptions_become_forms() {
    let said = [
        "日付、顧客、合意した内容を含む訪問報告",
        "訪問報告:訪問日、顧客名、決まったこと、備考",
        "イベントの申し込みフォームを作ってください。名前、メールアドレス、電話番号、参加人数、駐車場が必要か、到着時刻",
        "アンケートで、年齢とサイズ(S、M、L)と感想を聞く",
        "事故報告書",
        "日付と顧客のある訪問記録がほしい。",
    ];
    let forms: String = said.iter().map(|sentence| format!("{:?}\n", written(sentence, Lang::Ja))).collect();
    insta::assert_snapshot!(forms, @r##"
    ("訪問報告", ["日付 date", "顧客 text", "合意した内容 long_text"])
    ("訪問報告", ["訪問日 date", "顧客名 text", "決まったこと long_text", "備考 long_text?"])
    ("イベントの申し込みフォーム", ["名前 text", "メールアドレス email", "電話番号 phone", "参加人数 integer", "駐車場が必要か yes_no", "到着時刻 time"])
    ("アンケート", ["年齢 integer", "サイズ choice [S|M|L]", "感想 long_text"])
    ("事故報告書", ["内容 long_text"])
    ("訪問記録", ["日付 date", "顧客 text"])
    "##);
}

#[test]
fn whatever_is_written_there_is_a_form_that_can_be_published() {
    let long = "date, ".repeat(160);
    let wide = "説明".repeat(400);
    for sentence in [
        ",,,",
        ":",
        "(",
        ")))",
        "with",
        " with with , , ",
        "a a a a",
        "と",
        "か",
        ";;;",
        "👩‍👩‍👧, 🎉",
        "x (a; b, a; b)",
        "を含む",
        "\"\"",
        "a: (optional)",
        "İ, ß with İstanbul",
        &long,
        &wide,
    ] {
        for lang in [Lang::Ja, Lang::En] {
            let mut world = World::described(sentence, lang);
            world.play();
            assert_eq!(world.state.card().edition, 1, "{sentence}");
            world.tell(Command::Publish).unwrap();
        }
    }
}
