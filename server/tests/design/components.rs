//! Components: what people typed is text and nothing else, and what is wrong is said beside the field.

use enza_kernel::floor::Tone as Meant;
use enza_kernel::text::Lang;
use enza_kernel::time::{Seq, Timestamp};
use enza_server::design::{
    Field, FieldKind, Message, Speaker, Tone, Weight, badge, button, card, checkbox, choice, dialog, diff, empty,
    facts, field, link_button, message, meter, notice, opener, patch, progress, section, tabs, toast,
};
use enza_server::words::Words;
use maud::html;

const ENGLISH: Words = Words(Lang::En);
const NASTY: &str = "<script>alert('x')</script>\"><img src=x onerror=alert(1)>";

#[test]
fn what_people_typed_never_becomes_markup() {
    let nasty = Field {
        value: NASTY,
        hint: Some(NASTY),
        error: Some(NASTY),
        kind: FieldKind::Area { rows: 3 },
        ..Field::new("nasty", NASTY)
    };
    let said =
        Message { who: Speaker::Person, name: NASTY, tone: Meant::Said, text: NASTY, at: Timestamp(0), seq: Seq(1) };
    let drawn = [
        field(ENGLISH, &nasty),
        field(ENGLISH, &Field { kind: FieldKind::Text, ..nasty }),
        field(ENGLISH, &Field { kind: FieldKind::Number, ..nasty }),
        message(ENGLISH, &said),
        badge(NASTY, Tone::Bad),
        notice(Tone::Bad, NASTY, NASTY),
        toast(Tone::Good, NASTY),
        button(NASTY, Weight::Main),
        link_button(NASTY, NASTY, Weight::Plain),
        opener(NASTY, NASTY, Weight::Plain),
        card(Some(NASTY), html! {}),
        section(NASTY, html! {}),
        dialog(NASTY, NASTY, html! {}),
        diff(NASTY, ""),
        patch(ENGLISH, NASTY),
        patch(ENGLISH, &format!("--- a/{NASTY}\n+++ b/{NASTY}\n@@ -1 +1 @@ {NASTY}\n-{NASTY}\n+{NASTY}x\n")),
        meter(ENGLISH, 1, 2, NASTY),
        empty(NASTY, NASTY, None),
        facts(&[(NASTY, html! { (NASTY) })]),
        choice(NASTY, NASTY, &[(NASTY, NASTY)], NASTY),
        checkbox(NASTY, NASTY, true),
        tabs(&[(NASTY, NASTY)], NASTY),
        progress(ENGLISH, 1, 2, NASTY),
    ];
    for markup in drawn {
        let text = markup.into_string();
        assert!(!text.contains("<script") && !text.contains("<img"), "{text}");
    }
}

#[test]
fn a_field_ties_its_label_hint_and_error_to_what_is_typed() {
    let name = Field {
        value: "Ada",
        hint: Some("Shown in lists."),
        error: Some("Taken."),
        required: true,
        ..Field::new("name", "Name")
    };
    assert_eq!(
        field(ENGLISH, &name).into_string(),
        "<div class=\"field\"><label for=\"field-name\">Name</label>\
         <input id=\"field-name\" type=\"text\" name=\"name\" value=\"Ada\" required autocomplete=\"off\" \
         aria-invalid=\"true\" aria-describedby=\"field-name-error field-name-hint\">\
         <p class=\"hint\" id=\"field-name-hint\">Shown in lists.</p>\
         <p class=\"error\" id=\"field-name-error\">Taken.</p></div>"
    );
}

#[test]
fn a_password_is_never_sent_back() {
    let secret = Field { value: "correct horse", kind: FieldKind::Password, ..Field::new("password", "Password") };
    assert!(!field(ENGLISH, &secret).into_string().contains("correct horse"));
}

#[test]
fn the_first_line_break_of_a_text_survives_its_area() {
    let area = Field { value: "\nsecond line", kind: FieldKind::Area { rows: 2 }, ..Field::new("text", "Text") };
    // A browser drops one line break after the opening tag; the one that was typed has to be the second.
    assert!(field(ENGLISH, &area).into_string().contains(">\n\nsecond line</textarea>"));
}

#[test]
fn a_change_is_marked_by_elements_and_not_by_colour_alone() {
    assert_eq!(
        diff("one\ntwo\n", "one\nthree\n").into_string(),
        "<div class=\"diff\" tabindex=\"0\"><div class=\"same\">one</div><del>two</del><ins>three</ins></div>"
    );
}

/// DUCK-87: the preview of a change needs no colour, and hides nothing.
#[test]
fn a_patch_is_a_sheet_for_each_file_with_both_numbers_and_signs() {
    let text = "--- a/a.txt\n+++ b/a.txt\n@@ -4,2 +4,2 @@\n same\n-x = 1\n+x = 2\u{200b}\n";
    assert_eq!(
        patch(ENGLISH, text).into_string(),
        "<section class=\"file-change\"><header class=\"file-head\"><p class=\"file-name\">a.txt</p>\
         <p class=\"file-counts\"><span class=\"comes\">+1</span> <span class=\"goes\">−1</span></p></header>\
         <div class=\"hunk\"><div class=\"hunk-head\"><code>@@ -4,2 +4,2 @@</code></div><div class=\"rows\">\
         <div class=\"line\"><span class=\"number\" aria-hidden=\"true\">4</span>\
         <span class=\"number\" aria-hidden=\"true\">4</span><span class=\"sign\"> </span>\
         <span class=\"code\">same</span></div>\
         <del class=\"line\"><span class=\"number\" aria-hidden=\"true\">5</span>\
         <span class=\"number\" aria-hidden=\"true\"></span><span class=\"sign\">−</span>\
         <span class=\"code\">x = <mark>1</mark></span></del>\
         <ins class=\"line\"><span class=\"number\" aria-hidden=\"true\"></span>\
         <span class=\"number\" aria-hidden=\"true\">5</span><span class=\"sign\">+</span>\
         <span class=\"code\">x = <mark>2<span class=\"unseen\">&lt;U+200B&gt;</span></mark></span></ins></div></div></section>"
    );
}

#[test]
fn a_long_file_is_folded_and_nothing_of_it_is_left_out() {
    let lines: String = (1..=500).map(|number| format!("+line {number};\n")).collect();
    let drawn = patch(ENGLISH, &format!("--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,500 @@\n{lines}")).into_string();
    assert_eq!(drawn.matches("<ins").count(), 500);
    assert_eq!(drawn.matches("<summary>Show 380 more lines</summary>").count(), 1);
}

#[test]
fn a_message_is_keyed_by_its_place_in_the_log() {
    let said = Message {
        who: Speaker::Agent,
        name: "Interviewer",
        tone: Meant::Said,
        text: "Where?",
        at: Timestamp(0),
        seq: Seq(7),
    };
    let text = message(ENGLISH, &said).into_string();
    assert!(text.starts_with("<article class=\"message agent said\" data-seq=\"7\">"), "{text}");
    assert!(text.contains("<div class=\"words\">Where?</div>"), "{text}");
    assert!(text.contains("datetime=\"1970-01-01T00:00:00Z\""), "{text}");
}

#[test]
fn progress_without_steps_is_drawn_and_divides_by_nothing() {
    assert!(progress(ENGLISH, 0, 0, "So far").into_string().contains("max=\"1\" value=\"0\""));
}
