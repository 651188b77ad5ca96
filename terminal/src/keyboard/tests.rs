//! What keys make of a line.

use super::editor::{Editor, Input};

fn editor() -> Editor {
    let words = |word: &str| {
        ["/plan", "/plain", "@src/main.rs"]
            .iter()
            .filter(|one| one.starts_with(word))
            .map(|one| (*one).to_owned())
            .collect()
    };
    Editor::new(vec!["first".to_owned(), "second".to_owned()], Box::new(words))
}

fn typed(bytes: &[u8]) -> (Vec<Input>, String) {
    let mut editor = editor();
    let inputs = editor.feed(bytes);
    (inputs, editor.text())
}

fn line(text: &str) -> Vec<Input> {
    vec![Input::Line(text.to_owned())]
}

#[test]
fn a_line_comes_out_whole_however_its_bytes_come_in() {
    let bytes = "日本\u{1b}[D語\x7f話\r".as_bytes();
    assert_eq!(typed(bytes), (line("日話本"), String::new()));
    let mut editor = editor();
    let inputs: Vec<Input> = bytes.iter().flat_map(|byte| editor.feed(&[*byte])).collect();
    assert_eq!(inputs, line("日話本"));
}

#[test]
fn several_lines_are_one() {
    assert_eq!(typed(b"a\x1b\rb\\\rc\nd\r").0, line("a\nb\nc\nd"));
    assert_eq!(typed(b"\x1b[200~one\r\ntwo\x03\tthree\x1b[201~\r").0, line("one\ntwo\tthree"));
}

#[test]
fn keys_edit_the_line() {
    assert_eq!(typed(b"one two three\x17\x17X\x01Y\x05Z\r").0, line("Yone XZ"));
    assert_eq!(typed(b"gone\x15kept\x1b[H\x0bnew\r").0, line("new"));
    assert_eq!(typed(b"abc\x1b[D\x1b[3~\x1b[D\x1b[D\x04\r").0, line("b"));
    assert_eq!(typed(b"typed\x03").1, "");
    assert_eq!(typed(b"\x03\x04").0, [Input::Interrupt, Input::Gone]);
}

#[test]
fn keys_go_by_words_and_what_is_not_for_the_line_comes_out() {
    assert_eq!(typed(b"one two\x1bbX\x1b[1;5DY\x1bfZ\r").0, line("one YXtwoZ"));
    assert_eq!(typed(b"a\x1a\x07\x1b[Z\x0c").0, [Input::Pause, Input::Compose, Input::Mode, Input::Clear]);
}

#[test]
fn what_was_typed_before_comes_back() {
    assert_eq!(typed(b"\x1b[A\r").0, line("second"));
    assert_eq!(typed(b"\x1b[A\x1b[A\x1b[A\r").0, line("first"));
    assert_eq!(typed(b"now\x1b[A\x1b[B!\r").0, line("now!"));
}

#[test]
fn up_and_down_stay_in_a_draft_of_several_lines_before_they_leave_it() {
    assert_eq!(typed(b"long one\nab\x1b[AX\r").0, line("loXng one\nab"));
    assert_eq!(typed(b"a\nlong\x1b[A\x1b[BX\r").0, line("a\nlXong"));
    assert_eq!(typed(b"a\nb\x1b[A\x1b[A\r").0, line("second"));
    assert_eq!(typed(b"a\nb\x1b[A\x1b[A\x1b[B!\r").0, line("a\nb!"));
}

#[test]
fn tab_completes_commands_at_the_beginning_and_files_anywhere() {
    let mut editor = editor();
    editor.feed(b"/p\t");
    assert_eq!((editor.text().as_str(), editor.offers.len()), ("/pla", 2));
    editor.feed(b"n\t see @s\t /p\t");
    assert_eq!(editor.text(), "/plan see @src/main.rs /p");
}

#[test]
fn rows_fit_the_window_in_japanese_too() {
    let mut editor = editor();
    editor.feed("あいうえお\x1b[D".as_bytes());
    let super::draw::LineLayout { rows, cursor } = editor.rows("> ", 8);
    assert_eq!((rows, cursor), (vec!["> あい".to_owned(), "  うえ".to_owned(), "  お".to_owned()], (2, 2)));
}
