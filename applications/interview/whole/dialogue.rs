//! What can be typed in an interview, and what a person sees of it.
//!
//! Lines from a file are taken as if they were typed, so most of it needs no terminal. The greeter and the question for
//! consent do: `script` lends them one.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::house::{House, Run};

/// The event's form, from the examples.
fn sign_up(house: &House, lang: &str) -> String {
    let run = house.enza(&["--lang", lang, "form", "example", "event-sign-up"]);
    house.file(&format!("sign-up.{lang}.toml"), &run.out)
}

/// An interview in which these lines are typed.
fn interview(house: &House, typed: &[&str], lines: &[&str]) -> Run {
    let lines = house.file("lines.txt", &lines.join("\n"));
    house.enza(&[&["interview", "run", "--answers", &lines, "--consent", "--yes"], typed].concat())
}

/// The lines of the output from the one that holds this, up to the next that is empty.
fn from<'a>(run: &'a Run, start: &str) -> Vec<&'a str> {
    let lines = run.out.lines().skip_while(|line| !line.contains(start));
    lines.take_while(|line| !line.is_empty()).collect()
}

// INT-91: the agents' questions, answered in free text.
#[test]
fn a_question_shows_its_place_its_options_and_how_to_answer() {
    let house = House::new();
    let lines = ["Ada", "ada@example.com", "yes", "2"];
    let run = interview(&house, &[&sign_up(&house, "en")], &lines);
    assert_eq!(run.status, 4, "{run:?}");
    assert_eq!(
        from(&run, "4 of 10"),
        [
            "4 of 10  How many people will come, counting yourself?",
            "How many people will come, counting yourself?",
            "  a whole number, from 1 to 6",
            "> 2",
        ]
    );
    assert_eq!(
        from(&run, "5 of 10"),
        [
            "5 of 10  Which workshops would you like to join? (optional)",
            "Which workshops would you like to join? (Optional; you may skip it.)",
            "  1  Getting started",
            "  2  Connecting your own systems",
            "  3  Security and privacy",
            "  4  The road ahead: what would help you most",
            "  any of them, such as 1, 3",
        ]
    );
}

// INT-15, INT-37, INT-92: all fields lead to the confirmation, and that to the submission.
#[test]
fn the_whole_dialogue_leads_to_a_receipt() {
    let house = House::new();
    let lines = [
        "Ada",
        "ada@example.com",
        "yes",
        "2",
        "3, 1",
        "/decline",
        "May 20, 2027",
        "/back",
        "May 21, 2027",
        "/unknown",
        "/change 4",
        "3",
        "/nonsense",
        "2",
        "/skip",
    ];
    let run = interview(&house, &[&sign_up(&house, "en")], &lines);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.out.contains("There is no command /nonsense."), "{}", run.out);
    assert!(run.out.contains("  Current answer: May 20, 2027\n"), "{}", run.out);
    assert_eq!(
        from(&run, "Your name                   Ada"),
        [
            "Your name                   Ada",
            "Your e-mail address         ada@example.com",
            "Will you come?              Yes",
            "How many people will come,  3",
            "counting yourself?",
            "Which workshops would you   Getting started, Security and privacy",
            "like to join?",
            "Is there anything that you  Prefer not to say",
            "do not eat, or are",
            "allergic to?",
            "On which day will you       May 21, 2027",
            "arrive?",
            "At about what time will     Don't know",
            "you arrive?",
            "How did you hear about the  From a colleague",
            "Partner Days?",
            "Is there anything else      Skipped",
            "that we should know?",
        ]
    );
    assert!(run.out.contains("\nSubmitted: "), "{}", run.out);
}

#[test]
fn what_is_known_so_far_is_shown_with_marks() {
    let house = House::new();
    let run = interview(&house, &[&sign_up(&house, "ja"), "--lang", "ja"], &["花子", "/later", "はい", "/fields"]);
    assert_eq!(run.status, 4, "{run:?}");
    assert!(run.out.contains("「メールアドレス」は後回しにしました。"), "{}", run.out);
    assert_eq!(
        from(&run, "✓  1"),
        [
            "✓  1   お名前                                  花子",
            "·  2   メールアドレス                          (後で)",
            "✓  3   ご参加になりますか                      はい",
            "→  4   ご本人を含めて何名でお越しになりますか",
            "·  5   参加を希望するワークショップ",
            "·  6   召し上がれないものやアレルギー",
            "·  7   ご到着の日",
            "·  8   ご到着のおおよその時刻",
            "·  9   この催しを何でお知りになりましたか",
            "·  10  そのほか、お知らせいただきたいこと",
        ]
    );
}

#[test]
fn the_rest_of_a_form_is_filled_in_without_a_model() {
    let house = House::new();
    let lines = [
        "Ada",
        "/form",
        "nonsense",
        "ada@example.com",
        "yes",
        "",
        "", // e-mail, attending, heard_from, remarks
        "7",
        "2",
        "1",
        "",
        "2027-05-20",
        "/skip", // what applies once someone comes
    ];
    let run = interview(&house, &["--json", &sign_up(&house, "en")], &lines);
    assert_eq!(run.status, 0, "{run:?}");
    let value = run.json();
    assert_eq!(
        value["values"],
        json!({
            "name": "Ada", "email": "ada@example.com", "attending": "yes", "people": "2", "workshops": "getting_started",
            "arrival_date": "2027-05-20",
        })
    );
    assert!(run.err.contains("Please give one e-mail address"), "{}", run.err);
    assert!(run.err.contains("at most 6"), "{}", run.err);
    // The first question and the one that was open between the rounds; the name's review.
    assert_eq!(value["calls"], 4, "{value}");
}

#[test]
fn an_answer_that_stays_too_short_can_be_kept_as_it_is_only_after_its_rounds() {
    let house = House::new();
    let lines = house.file("lines.txt", "/keep\n");
    let run = house.enza(&["interview", "run", "--answers", &lines]);
    run.failed(3, "not-yet", "skip this one");
}

/// Runs the binary at a terminal of its own, and types these lines.
fn at_a_terminal(house: &House, locale: &str, typed: &str, lines: &str) -> String {
    let mut command = Command::new("script");
    let order = format!("{} --no-color {typed}", env!("CARGO_BIN_EXE_enza"));
    command.args(["-qec", &order, "/dev/null"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    house.furnish(&mut command);
    let mut child = command.env("LANG", locale).env("TERM", "xterm").spawn().expect("script (util-linux) is needed");
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    String::from_utf8(output.stdout).unwrap().replace('\r', "")
}

#[test]
fn at_a_terminal_consent_is_asked_for_until_it_is_a_yes_or_a_no() {
    let house = House::new();
    let typed = format!("interview run {}", sign_up(&house, "en"));
    let seen = at_a_terminal(&house, "en_US.UTF-8", &typed, "perhaps\nn\n");
    assert_eq!(seen.matches("Do you agree? [y/n]").count(), 2, "{seen}");
    assert!(seen.contains("Without your consent, it does not start."), "{seen}");
    assert!(house.json(&["session", "list"]).as_array().unwrap().is_empty());
    let seen = at_a_terminal(&house, "en_US.UTF-8", &typed, "y\n/quit\n");
    assert!(
        seen.contains("1 of 5  Your name") && seen.contains("Continue with: enza interview run --session"),
        "{seen}"
    );
}

// INT-07, INT-16, INT-18: the greeter comes first, and asks for the country.
#[test]
fn at_a_terminal_the_greeter_asks_for_what_the_locale_does_not_say() {
    let house = House::new();
    let seen = at_a_terminal(&house, "ja.UTF-8", "interview run", "/skip\n日本です\n/quit\n");
    assert!(seen.contains("お住まいの国はどこですか。"), "{seen}");
    assert!(seen.contains("日付や電話番号を正しく読むために必要です。"), "{seen}");
    assert!(seen.contains("3問中1問目  不具合の内容"), "{seen}");
    let seen = at_a_terminal(&house, "ja_JP.UTF-8", "interview run", "/quit\n");
    assert!(!seen.contains("お住まいの国") && seen.contains("言語        日本語、日本"), "{seen}");
}
