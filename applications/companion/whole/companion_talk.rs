//! The companion at a terminal: gates, orders, words as they come, and what stays on the screen.

use serde_json::json;

use crate::behaviour::companion_fixture::{ScriptedProject, approval, change, talk};
use crate::behaviour::companion_terminal::{Setting, Terminal};
use crate::behaviour::models_provider::{Answer, Latch};

/// The end of the question at a gate.
const GATE: &str = "[v]iew > ";
/// What a terminal is told once keys are read one by one, and when they no longer are.
const KEYS: (&str, &str) = ("\u{1b}[?2004h", "\u{1b}[?2004l");

fn english() -> Setting<'static> {
    Setting::default()
}

fn japanese() -> Setting<'static> {
    Setting { locale: "ja_JP.UTF-8", ..Setting::default() }
}

/// A session that waits at its gate.
fn at_the_gate(stage: &ScriptedProject) {
    assert_eq!(stage.enza(&["-p", "greet the moon"]).status, 4);
}

// DUCK-88, G28: exactly what was shown is done after a yes.
#[test]
fn a_yes_at_the_gate_is_carried_out() {
    let stage = ScriptedProject::with([change(), approval()]);
    at_the_gate(&stage);
    let mut terminal = Terminal::open(&stage, &english(), "--continue --plain");
    terminal.answers(GATE, "y\n").answers("/accept", "/nonsense\n").answers("no command /nonsense", "/accept\n");
    terminal.answers("The task is done.", "/turns\n").answers("[src/greet.txt]", "/quit\n");
    let seen = terminal.ends();
    assert!(seen.contains("-world\n+moon\n"), "{seen}");
    assert_eq!(stage.text("src/greet.txt"), "hello\nmoon\n", "{seen}");
}

#[test]
fn a_no_with_a_reason_goes_back_to_the_model_and_changes_nothing() {
    let stage = ScriptedProject::with([change(), talk("Another way, then.")]);
    at_the_gate(&stage);
    let before = stage.tree();
    let mut terminal = Terminal::open(&stage, &japanese(), "--continue");
    terminal.answers("[v]全文 > ", "n 別のやり方で\r").answers("Another way, then.", "\x04");
    terminal.ends();
    assert_eq!(stage.tree(), before);
    assert!(stage.heard().contains("別のやり方で"), "{}", stage.heard());
}

#[test]
fn keys_are_read_one_by_one_and_the_terminal_is_put_back() {
    let stage = ScriptedProject::with([]);
    let mut terminal = Terminal::open(&stage, &japanese(), "");
    terminal.answers(KEYS.0, "/ru\t\r").awaits("> /rules").answers("モード: 確認する", "\x04");
    terminal.awaits("続けるには: enza companion --resume");
    assert!(terminal.ends().contains(KEYS.1));
}

// DUCK-88: a rule for the project is the user's, and is kept in the user's file.
#[test]
fn a_yes_for_the_project_is_kept_in_the_users_file_and_never_in_the_project() {
    let stage = ScriptedProject::with([change(), approval()]);
    at_the_gate(&stage);
    let mut terminal = Terminal::open(&stage, &english(), "--continue --plain");
    terminal.answers(GATE, "p\n").answers("Saved as a rule for this folder", "/quit\n");
    let seen = terminal.ends();
    let kept = std::fs::read_to_string(stage.house.config().join("companion.toml")).unwrap_or_default();
    assert!(kept.contains("verdict = \"allow\"") && kept.contains("src/greet.txt"), "{kept}\n{seen}");
    assert!(!stage.project.join(".enza").exists());
}

// DUCK-88: a no may last as a yes may, and a rule that was typed for the project is kept as one given at a gate is.
#[test]
fn a_no_for_the_project_is_kept_and_holds_in_the_next_session() {
    let stage = ScriptedProject::with([change(), change(), talk("Not that file, then."), talk("I see.")]);
    at_the_gate(&stage);
    let before = stage.tree();
    let mut terminal = Terminal::open(&stage, &english(), "--continue --plain");
    terminal.awaits("np never in this folder").answers(GATE, "np\n");
    terminal.answers("Saved as a rule for this folder", "/deny --project run git push *\n");
    terminal.answers("Saved as a rule for this folder", "/quit\n");
    let seen = terminal.ends();
    let kept = std::fs::read_to_string(stage.house.config().join("companion.toml")).unwrap_or_default();
    assert_eq!(kept.matches("verdict = \"deny\"").count(), 2, "{kept}\n{seen}");
    assert!(kept.contains("src/greet.txt") && kept.contains("git push *"), "{kept}");
    let run = stage.enza(&["-p", "greet the moon"]);
    assert!(run.err.contains("deny change src/greet.txt"), "{run:?}");
    assert_eq!((run.status, stage.tree() == before), (3, true));
}

#[test]
fn a_window_that_is_too_narrow_for_words_has_the_letters_of_every_answer() {
    let stage = ScriptedProject::with([change()]);
    at_the_gate(&stage);
    let narrow = Setting { columns: 70, ..english() };
    let mut terminal = Terminal::open(&stage, &narrow, "--continue --plain");
    terminal.answers("[y/n/s/p/ns/np/h/e/v] > ", "ns\n").answers("> ", "/rules\n");
    terminal.answers("deny change src/greet.txt", "/quit\n");
    terminal.ends();
}

// DUCK-103: a layer has its ceiling, and what did not fit is told.
#[test]
fn what_was_cut_from_the_last_prompt_is_told() {
    let stage = ScriptedProject::with([talk("Hello.")]);
    stage.house.file("project/AGENTS.md", &"Write every sentence with care, and then once more.\n".repeat(600));
    let mut terminal = Terminal::open(&stage, &english(), "--plain");
    terminal.answers("> ", "hello\n").awaits("Hello.").answers("> ", "/context\n");
    terminal.awaits("Left out because there was no room: project instructions (about").answers("> ", "/quit\n");
    terminal.ends();
}

// DUCK-61: what is forbidden in another session meanwhile holds from the next word on.
#[test]
fn what_is_forbidden_elsewhere_meanwhile_holds_from_the_next_word_on() {
    let stage = ScriptedProject::with([talk("Hello."), change(), talk("I may not.")]);
    let mut terminal = Terminal::open(&stage, &english(), "--plain --accept-edits");
    terminal.answers("> ", "hello\n").awaits("Hello.").awaits("> ");
    let elsewhere = stage.enza(&["-p", "/forbid src/greet.txt"]);
    assert_eq!(elsewhere.status, 0, "{elsewhere:?}");
    terminal.types("greet the moon\n").awaits("I may not.").answers("> ", "/quit\n");
    let seen = terminal.ends();
    assert!(seen.contains("Not done: edit src/greet.txt"), "{seen}");
    assert_eq!(stage.text("src/greet.txt"), "hello\nworld\n");
}

// Sessions are found by their names, those of this folder alone.
#[test]
fn the_sessions_of_the_folder_are_found_by_their_names() {
    let stage = ScriptedProject::with([talk("One."), talk("Two."), talk("Three.")]);
    stage.enza(&["-p", "greet the moon"]);
    stage.enza(&["-p", "count the stars"]);
    let elsewhere = stage.house.file("elsewhere/a.txt", "a\n");
    let elsewhere = std::path::Path::new(&elsewhere).parent().unwrap().display().to_string();
    stage.enza(&[&elsewhere, "-p", "greet the moon elsewhere"]);
    let mut terminal = Terminal::open(&stage, &english(), "--continue --plain");
    terminal.answers("> ", "/sessions MOON\n").awaits("--fork ID@TURN").answers("> ", "/sessions\n");
    terminal.awaits("count the stars").answers("> ", "/map\n").awaits("src/ (1)").answers("> ", "/quit\n");
    let seen = terminal.ends();
    let found = seen.split("/sessions MOON").nth(1).unwrap().split("/sessions").next().unwrap();
    assert!(found.contains("greet the moon") && !found.contains("stars") && !seen.contains("elsewhere"), "{seen}");
    let listed = stage.house.json(&["session", "list", "--search", "Stars"]);
    assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
}

// Sessions are found by what was said in them, too, with the line in which it was.
#[test]
fn the_sessions_of_the_folder_are_found_by_what_was_said() {
    let stage = ScriptedProject::with([
        talk("It rises at nine, with password=hunter2hunter2."),
        talk("There are many.\nAnd the Comets \"tonight\"."),
        talk("No."),
    ]);
    stage.enza(&["-p", "greet the moon"]);
    stage.enza(&["-p", "count the stars"]);
    let elsewhere = stage.house.file("elsewhere/a.txt", "a\n");
    let elsewhere = std::path::Path::new(&elsewhere).parent().unwrap().display().to_string();
    stage.enza(&[&elsewhere, "-p", "what rises elsewhere?"]);
    let mut terminal = Terminal::open(&stage, &english(), "--continue --plain");
    terminal.answers("> ", "/sessions RISES\n").awaits("--fork ID@TURN").answers("> ", "/quit\n");
    let seen = terminal.ends();
    let seen = seen.split("/sessions RISES").nth(1).unwrap();
    assert!(seen.contains("greet the moon") && seen.contains("It rises at") && !seen.contains("stars"), "{seen}");
    assert!(!seen.contains("elsewhere"), "{seen}");
    let found = |text: &str| {
        let listed = stage.house.json(&["session", "list", "--search", text]);
        let all = listed.as_array().unwrap().iter();
        all.map(|one| one["found"].as_str().unwrap_or("the title").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found("comets"), ["And the Comets \"tonight\"."]);
    assert_eq!(found("\"tonight\""), ["And the Comets \"tonight\"."]);
    assert_eq!(found("moon"), ["the title"]);
    assert_eq!(found("nowhere"), [""; 0]);
    let shown = found("rises at").concat();
    assert!(shown.starts_with("It rises at nine") && !shown.contains("hunter2"), "secrets are masked: {shown}");
}

// Words appear as they are written, and stand there once when they are whole.
#[test]
fn words_appear_as_they_are_written_and_stay_once() {
    let latch = Latch::default();
    let reply = json!({
        "rationale": "being polite", "reply": "First half, second half.", "goal_consistency": "yes",
        "constraint_check": "yes", "next_step": "done", "step": "PLANNING",
    });
    // The object's fields are sorted: the first half of the reply comes with everything up to it.
    let text = format!("Here it is:\n```json\n{reply}\n```");
    let half = text.find("second half").unwrap();
    let stage = ScriptedProject::answering([Answer::Held(text, half, latch.clone())]);
    let mut terminal = Terminal::open(&stage, &english(), "");
    terminal.answers("> ", "hello\r").awaits("First half, ");
    latch.open();
    terminal.answers("First half, second half.\r\n", "/cost\r").answers("1 calls", "\x04");
    let seen = terminal.ends();
    assert!(!seen.contains("goal_consistency"), "{seen}");
}

#[test]
fn in_plain_mode_nothing_is_shown_twice() {
    let stage = ScriptedProject::with([talk("Only once.")]);
    let mut terminal = Terminal::open(&stage, &english(), "--plain");
    terminal.answers("> ", "hello\n").answers("Only once.", "/quit\n");
    let seen = terminal.ends();
    assert_eq!((seen.matches("Only once.").count(), seen.contains('\u{1b}')), (1, false), "{seen}");
}

// DUCK-90, G30: only an answer to what is on the screen is one.
#[test]
fn what_was_typed_before_the_question_does_not_answer_it_and_is_not_lost() {
    let latch = Latch::default();
    let text = change().to_string();
    let stage =
        ScriptedProject::answering([Answer::Held(text, 1, latch.clone()), Answer::Words(approval().to_string())]);
    let before = stage.tree();
    let mut terminal = Terminal::open(&stage, &english(), "");
    terminal
        .answers("> ", "greet the moon\r")
        .answers("writing", "y\r")
        .awaits("You typed this before the question appeared");
    latch.open();
    terminal.awaits(GATE).awaits("y");
    assert_eq!(stage.tree(), before);
    terminal.types("\r").answers("/accept", "\x04");
    let seen = terminal.ends();
    assert_eq!(stage.text("src/greet.txt"), "hello\nmoon\n", "{seen}");
}

#[test]
fn asked_to_end_it_puts_the_terminal_back_as_it_was() {
    let stage = ScriptedProject::with([]);
    let enza = env!("CARGO_BIN_EXE_enza");
    for (signal, status) in [("TERM", 130), ("HUP", 130)] {
        let line = format!(
            "before=$(stty -g); sh -c 'echo $$ > pid; exec {enza} --no-color companion'; echo status $?; \
             [ \"$before\" = \"$(stty -g)\" ] && echo as it was"
        );
        let mut terminal = Terminal::run(&stage, &english(), &line);
        terminal.awaits(KEYS.0).awaits("> ");
        let pid = stage.text("pid");
        let ended = std::process::Command::new("kill").args([&format!("-{signal}"), pid.trim()]).status().unwrap();
        assert!(ended.success());
        terminal.awaits(&format!("status {status}")).awaits("as it was");
        assert!(terminal.ends().contains(KEYS.1));
    }
}

#[test]
fn ctrl_c_stops_the_work_and_once_more_leaves() {
    let latch = Latch::default();
    let stage = ScriptedProject::answering([Answer::Held(talk("Never whole.").to_string(), 1, latch.clone())]);
    let mut terminal = Terminal::open(&stage, &english(), "");
    terminal.answers("> ", "hello\r").answers("writing", "\x03").answers("Press Ctrl-C again to leave.", "\x03");
    terminal.awaits("--resume");
    let seen = terminal.ends();
    latch.open();
    assert!(!seen.contains("Never whole."), "{seen}");
}

// Peers, row 1: planning is one key away, and what is being typed stays.
#[test]
fn a_key_switches_to_planning_and_on() {
    let stage = ScriptedProject::with([talk("A plan.")]);
    let mut terminal = Terminal::open(&stage, &english(), "");
    terminal.answers("> ", "hel\x1b[Z").answers("Mode: plan only", "\x1b[Z").answers("Mode: accept edits", "\x1b[Z");
    terminal.answers("Mode: ask", "lo\r").answers("A plan.", "\x04");
    let seen = terminal.ends();
    assert!(seen.contains("> hello"), "{seen}");
}

// Code and conversation together.
#[test]
fn a_rewind_takes_back_files_and_talk_together() {
    let stage = ScriptedProject::with([change(), approval()]);
    let run = stage.enza(&["-p", "greet the moon", "--allow", "change src/**"]);
    assert_eq!(run.status, 0, "{run:?}");
    let mut terminal = Terminal::open(&stage, &english(), "--continue");
    terminal.answers("> ", "/rewind\r").answers("/rewind N", "/rewind 9\r").answers("no such turn", "/rewind 1\r");
    terminal
        .awaits("Restored to what it was before: ")
        .awaits("Files and conversation are back to")
        .answers("is kept as well", "/turns\r");
    terminal.awaits("No turns yet.").awaits("which this one was forked from").awaits("@1  greet the moon");
    terminal.answers("(undone: src/greet.txt)", "\x04");
    let seen = terminal.ends();
    assert_eq!(stage.text("src/greet.txt"), "hello\nworld\n", "{seen}");
}

#[test]
fn a_rewind_leaves_what_a_person_changed_since_and_says_so() {
    let stage = ScriptedProject::with([change(), approval()]);
    let run = stage.enza(&["-p", "greet the moon", "--allow", "change src/**"]);
    assert_eq!(run.status, 0, "{run:?}");
    stage.house.file("project/src/greet.txt", "by hand\n");
    let mut terminal = Terminal::open(&stage, &english(), "--continue --plain");
    terminal.answers("> ", "/rewind 1\n").awaits("src/greet.txt: left as it is").answers("is kept as well", "/quit\n");
    terminal.ends();
    assert_eq!(stage.text("src/greet.txt"), "by hand\n");
}

#[test]
fn a_hunk_is_edited_in_the_persons_own_editor() {
    let stage = ScriptedProject::with([change(), approval()]);
    at_the_gate(&stage);
    let editor = stage.house.file("editor.sh", "sed -i s/moon/sun/ \"$1\"\n");
    let editor = format!("sh {editor}");
    let setting = Setting { variables: &[("EDITOR", &editor)], ..Setting::default() };
    let mut terminal = Terminal::open(&stage, &setting, "--continue");
    terminal.answers(GATE, "h\r").answers("[y/n/e] ", "e\r").answers("Changed src/greet.txt", "\x04");
    let seen = terminal.ends();
    assert_eq!(stage.text("src/greet.txt"), "hello\nsun\n", "{seen}");
}

#[test]
fn a_hunk_is_taken_only_by_an_answer_to_it() {
    let stage = ScriptedProject::with([change(), approval()]);
    at_the_gate(&stage);
    let mut terminal = Terminal::open(&stage, &english(), "--continue --plain");
    terminal.answers(GATE, "h\ny\n").awaits("You typed this before the question appeared");
    terminal.answers("[y/n/e] ", "y\n").answers("Changed src/greet.txt", "/quit\n");
    terminal.ends();
    assert_eq!(stage.text("src/greet.txt"), "hello\nmoon\n");
}

#[test]
fn something_long_is_written_in_an_editor_and_sent_with_enter() {
    let stage = ScriptedProject::with([talk("Understood.")]);
    let editor = stage.house.file("editor.sh", "printf 'one\\ntwo\\n' >> \"$1\"\n");
    let editor = format!("sh {editor}");
    let setting = Setting { variables: &[("EDITOR", &editor)], ..Setting::default() };
    let mut terminal = Terminal::open(&stage, &setting, "");
    terminal.answers("> ", "zero \x07").awaits("two").types("\r").answers("Understood.", "\x04");
    let seen = terminal.ends();
    assert!(stage.heard().contains("zero one\\ntwo"), "{seen}\n{}", stage.heard());
}

#[test]
fn a_paste_of_several_lines_is_not_sent() {
    let stage = ScriptedProject::with([talk("Understood.")]);
    let mut terminal = Terminal::open(&stage, &english(), "");
    terminal.answers("> ", "\u{1b}[200~one\rtwo\r\u{1b}[201~").awaits("two");
    assert_eq!(stage.asked(), 0);
    terminal.types("three\r").answers("Understood.", "\x04");
    terminal.ends();
    assert!(stage.heard().contains("one\\ntwo\\nthree"), "{}", stage.heard());
}

#[test]
fn another_model_can_be_chosen_for_the_rest_of_the_run() {
    let stage = ScriptedProject::with([talk("From the other.")]);
    let mut terminal = Terminal::open(&stage, &english(), "");
    terminal.answers("> ", "/model\r").answers("/model PROVIDER/MODEL", "/model juggler stage/other\r");
    terminal.answers("There is no role juggler.", "/model nowhere/x\r").awaits("nowhere");
    terminal.types("/model commander stage/other\r").answers("stage/other is the commander", "hello\r");
    terminal.answers("From the other.", "\x04");
    terminal.ends();
    assert!(stage.heard().contains("\"model\":\"other\""), "{}", stage.heard());
}

#[test]
fn a_persons_own_command_says_what_its_file_says() {
    let stage = ScriptedProject::with([talk("Reviewed."), talk("Again.")]);
    stage.house.file("project/.enza/commands/look.md", "Look at $ARGUMENTS closely.\n");
    let mut terminal = Terminal::open(&stage, &english(), "");
    terminal.answers("> ", "/lo\t @src/greet.txt\r").awaits("Attached: src/greet.txt").answers("Reviewed.", "\x04");
    terminal.ends();
    assert!(stage.heard().contains("Look at @src/greet.txt closely."), "{}", stage.heard());
    assert_eq!(stage.enza(&["-p", "/look the moon"]).status, 0);
    assert!(stage.heard().contains("Look at the moon closely."), "{}", stage.heard());
}

#[test]
fn what_is_asked_about_it_is_told() {
    let stage = ScriptedProject::with([talk("The key is DB_PASSWORD=hunter2HUNTER, keep it.")]);
    let run = stage.enza(&["-p", "hello"]);
    assert_eq!(run.status, 0, "{run:?}");
    let mut terminal = Terminal::open(&stage, &english(), "--continue --plain");
    let asked = [
        ("/context", "conversation"),
        ("/prompt", "The last call (commander"),
        ("/settings", "Your settings:"),
        ("/tasks", "1,100 tokens"),
        ("/why", "the person asked"),
        ("/export", "Saved to "),
    ];
    for (order, answer) in asked {
        terminal.answers("> ", &format!("{order}\n")).awaits(answer);
    }
    terminal.types("/quit\n");
    terminal.ends();
    let exports = stage.house.data().join("companion/exports");
    let path = std::fs::read_dir(exports).unwrap().next().unwrap().unwrap().path();
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(path.extension().unwrap() == "md" && text.contains("> hello") && text.contains("keep it"), "{text}");
    assert!(!text.contains("hunter2HUNTER"), "{text}");
}

#[test]
fn a_question_can_be_answered_while_something_is_asked_beside_it() {
    let latch = Latch::default();
    let aside = Answer::Held(talk("Not yet whole.").to_string(), 1, latch.clone());
    let stage =
        ScriptedProject::answering([Answer::Words(change().to_string()), aside, Answer::Words(approval().to_string())]);
    at_the_gate(&stage);
    let mut terminal = Terminal::open(&stage, &english(), "--continue");
    terminal.answers(GATE, "what is this\r").awaits("writing").answers(GATE, "y\r");
    terminal.answers("Changed src/greet.txt", "\x03").answers("Ctrl-C again", "\x03");
    terminal.ends();
    latch.open();
    assert_eq!(stage.text("src/greet.txt"), "hello\nmoon\n");
}

// 40 columns, Japanese: nothing is wider than the window.
#[test]
fn a_narrow_window_has_no_line_that_is_too_long() {
    let stage = ScriptedProject::with([change(), talk("とても長い返答です。".repeat(9).as_str())]);
    at_the_gate(&stage);
    let setting = Setting { columns: 40, variables: &[("NO_COLOR", "1")], ..japanese() };
    let mut terminal = Terminal::open(&stage, &setting, "--continue --plain");
    let orders = "/help /tasks /turns /rules /mind /why /cost /model /rewind /nonsense /front /watch /settings";
    for order in orders.split(' ') {
        terminal.answers("[y/n/s/p/ns/np/h/e/v] > ", &format!("{order}\n"));
    }
    terminal.answers("[y/n/s/p/ns/np/h/e/v] > ", "n 別の方法で\n").awaits("とても長い").answers("\n> ", "/quit\n");
    let seen = terminal.ends();
    // What was typed stands behind the question.
    let is_too_long = |line: &&str| unicode_width::UnicodeWidthStr::width(*line) > 40 && !line.contains('>');
    assert_eq!(seen.lines().filter(is_too_long).collect::<Vec<_>>(), Vec::<&str>::new());
    assert!(!seen.contains('\u{1b}'), "{seen}");
}

#[test]
fn ctrl_z_gives_the_terminal_to_the_shell_and_fg_takes_it_back() {
    let stage = ScriptedProject::with([talk("Back again.")]);
    let enza = env!("CARGO_BIN_EXE_enza");
    let mut terminal = Terminal::run(&stage, &english(), "PS1='shell$ ' exec bash --norc -i");
    terminal.answers("shell$ ", &format!("{enza} --no-color companion\r")).awaits(KEYS.0);
    terminal.answers("> ", "half a li\x1a").awaits(KEYS.1).answers("Stopped", "stty -a\r").awaits(" icanon");
    terminal.answers("shell$ ", "fg\r").awaits(KEYS.0).answers("> half a li", "ne\r").answers("Back again.", "\x04");
    terminal.answers("shell$ ", "exit\r");
    terminal.ends();
    assert!(stage.heard().contains("half a line"), "{}", stage.heard());
}

// Whoever wrote a repository must not be trusted by a key that was typed before anyone was asked.
#[test]
fn trust_is_given_only_by_an_answer_to_the_question() {
    let stage = ScriptedProject::with([]);
    stage.house.file("project/.enza/companion.toml", "checks = [{ name = \"tests\", command = [\"sh\", \"evil\"] }]\n");
    let line = format!(
        "echo ready; until [ -e go ]; do sleep 0.02; done; exec {} --no-color companion",
        env!("CARGO_BIN_EXE_enza")
    );
    let mut terminal = Terminal::run(&stage, &english(), &line);
    terminal.answers("ready", "y\r").awaits("y");
    stage.house.file("project/go", "");
    terminal.awaits("sh evil").answers("[y/n] ", "n\r").answers(KEYS.0, "/mind goal greet everyone\r");
    terminal.answers("Changed ", "/mind\r").answers("greet everyone", "\x04");
    terminal.ends();
    let kept = std::fs::read_to_string(stage.house.config().join("companion.toml")).unwrap_or_default();
    assert!(!kept.contains("trusted"), "{kept}");
}
