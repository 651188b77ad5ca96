//! The architect: INT-03 and peers 21, a form made from a sentence that its owner then edits.

use enza_forms::{Author, Command, Event, Forms, Refusal};
use enza_interview::{Choice, Fact, Field, Form, Kind};
use enza_kernel::agent::{AgentApplication, ThreadFailure};
use enza_kernel::application::{Application, Phase};
use enza_kernel::conversation::{Reply, Usage};
use enza_kernel::effect::{Effect, Outcome};
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::Lang;
use serde_json::{Value, json};

use super::world::{TOKEN, World, form};

const SENTENCE: &str = "a visit report with date, customer, what was agreed";

fn at_work() -> World {
    World::described(SENTENCE, Lang::En)
}

fn sketch() -> Value {
    json!({ "title": "Visit report", "fields": [
        { "label": "Date of the visit", "kind": "date", "required": true },
        { "label": "What was agreed", "kind": "long_text", "required": true, "intent": "For the next visit.",
          "facts": ["Who does what", "誰がいつまでに"] },
        { "label": "Mood", "kind": "choice", "required": false, "options": ["Good", "Bad", "Good", "So; so"] },
    ] })
}

#[test]
fn the_architect_has_write_form_and_nothing_else() {
    let app = Forms::new();
    let tools: Vec<&str> = app.agent("architect").tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(tools, ["write_form"]);
}

#[test]
fn the_schema_of_write_form_is_small_and_has_an_end() {
    let app = Forms::new();
    let fields = &app.agent("architect").tools[0].parameters["properties"]["fields"];
    assert_eq!((&fields["minItems"], &fields["maxItems"]), (&json!(1), &json!(20)));
    let field = &fields["items"];
    assert_eq!(field["required"], json!(["label", "kind", "required"]));
    assert_eq!(field["properties"]["label"]["maxLength"], json!(80));
    assert_eq!(field["properties"]["kind"]["enum"], json!(Kind::ALL.map(Kind::word)));
    assert_eq!(field["properties"]["options"]["items"]["maxLength"], json!(60));
}

#[test]
fn a_sketch_becomes_the_draft_with_ids_and_keys_made_by_rule() {
    let mut world = at_work();
    assert_eq!(Forms::standing(&world.state).phase, Phase::Working);
    world.calls("write_form", sketch());
    let fact = |key: &str, fact: &str| Fact {
        fact_key: key.to_owned(),
        fact: fact.to_owned(),
        done_criteria: format!("It is known: {fact}"),
        questioning_hints: None,
    };
    let agreed = Field {
        intent: Some("For the next visit.".to_owned()),
        facts: vec![fact("who_does_what", "Who does what"), fact("fact", "誰がいつまでに")],
        ..Field::new("what_was_agreed", "What was agreed", Kind::LongText).required()
    };
    let mood = Field {
        options: ["Good", "Bad", "So, so"].map(Choice::plain).to_vec(),
        ..Field::new("mood", "Mood", Kind::Choice)
    };
    let expected = Form {
        title: "Visit report".to_owned(),
        fields: vec![Field::new("date_of_the_visit", "Date of the visit", Kind::Date).required(), agreed, mood],
        ..Form::default()
    };
    assert_eq!(**world.state.draft(), expected);
    assert_eq!(world.state.card().edition, 1);
    let edited = world.log.iter().filter(|entry| matches!(entry.event, Event::Edited { by: Author::Architect, .. }));
    assert_eq!(edited.count(), 1);
    assert_eq!(Forms::standing(&world.state).phase, Phase::Waiting);
    assert!(world.ask().is_none());
    world.tell(Command::Publish).unwrap();
}

#[test]
fn labels_without_ascii_words_get_ids_from_their_kinds() {
    let mut world = World::described("訪問報告", Lang::Ja);
    let field = |label: &str, kind: &str| json!({ "label": label, "kind": kind, "required": true });
    let fields = [
        field("訪問日", "date"),
        field("次の訪問日", "date"),
        field("顧客", "text"),
        field("date", "text"),
        field("E-mail アドレス", "email"),
        field("第2回", "text"),
    ];
    world.calls("write_form", json!({ "title": "訪問報告", "fields": fields }));
    let ids: Vec<&str> = world.state.draft().fields.iter().map(|field| field.field_id.as_str()).collect();
    assert_eq!(ids, ["date", "date_2", "text", "date_3", "e_mail", "text_2"]);
    assert_eq!(world.state.draft().language, Lang::Ja);
}

#[test]
fn options_under_a_text_make_it_a_choice_and_are_dropped_elsewhere() {
    let mut world = at_work();
    let field = |kind: &str| json!({ "label": "x", "kind": kind, "required": true, "options": ["yes", "no"] });
    world.calls("write_form", json!({ "title": "t", "fields": [field("text"), field("yes_no")] }));
    let kinds: Vec<_> = world.state.draft().fields.iter().map(|field| (field.kind, field.options.len())).collect();
    assert_eq!(kinds, [(Kind::Choice, 2), (Kind::YesNo, 0)]);
}

/// INT-57, INT-58: what is wrong goes back to the model, and changes nothing.
#[test]
fn a_sketch_that_makes_no_form_is_sent_back_with_what_is_wrong() {
    let mut world = at_work();
    let one = |label: &str, kind: &str| json!({ "label": label, "kind": kind, "required": true });
    for (arguments, told) in [
        (json!({ "title": "t", "fields": [] }), "write 1 to 20"),
        (json!({ "title": "t", "fields": [one("Size", "choice")] }), "The options of the field \"size\" do not fit."),
        (json!({ "title": " ", "fields": [one("Size", "text")] }), "title: The title is empty."),
        (json!([]), "it is a list, not an object"),
    ] {
        world.calls("write_form", arguments);
        assert!(world.last_told().contains(told), "{told}: {}", world.last_told());
        assert!(world.state.draft().fields.is_empty());
    }
    world.calls("write_form", sketch());
    assert_eq!(world.state.draft().title, "Visit report");
}

/// INT-06, INT-59, INT-60.
#[test]
fn another_tool_and_bare_words_change_nothing() {
    let mut world = at_work();
    world.calls("ask", json!({ "question": "?" }));
    assert_eq!(world.last_told(), "You have no tool named ask. Your tools: write_form.");
    world.reply(Reply { text: "Here you are.".to_owned(), ..Reply::default() });
    assert_eq!(world.last_told(), "You still need to: Write the form using write_form");
}

/// INT-62, INT-63: the loop has an end, which the owner sees, and from which there are three ways on.
#[test]
fn an_architect_that_used_up_its_rounds_is_stuck_and_may_try_again() {
    let mut world = at_work();
    for _ in 0..5 {
        world.calls("write_form", json!({}));
    }
    assert_eq!(world.state.failure(), Some(&ThreadFailure::RoundsExhausted { rounds: 5 }));
    let standing = Forms::standing(&world.state);
    assert_eq!(standing.phase, Phase::Stuck);
    assert_eq!(
        standing.waiting_for.as_deref(),
        Some(
            "The architect could not write a usable form. The draft is unchanged. Try again, describe it in other \
             words, or edit the form yourself."
        )
    );
    world.tell(Command::RetryModel).unwrap();
    world.calls("write_form", sketch());
    assert_eq!(world.tell(Command::RetryModel), Err(Refusal::Common(CommonRefusal::NothingToRetry)));
}

#[test]
fn a_failed_architect_may_be_told_in_other_words_or_left_aside() {
    let mut world = at_work();
    world.unanswered();
    world.tell(Command::Describe { sentence: "a sign-up form with name".to_owned() }).unwrap();
    assert!(world.request().to_plain_text().contains("sign-up"));
    world.unanswered();
    world.edit(form("By hand")).unwrap();
    assert_eq!((world.state.failure(), Forms::standing(&world.state).phase), (None, Phase::Waiting));
}

#[test]
fn an_edit_calls_the_architect_off_and_its_late_reply_changes_nothing() {
    let mut world = at_work();
    let (ask, prompt) = (world.ask().unwrap(), world.request().digest());
    world.edit(form("By hand")).unwrap();
    assert!(world.ask().is_none());
    let usage = Usage { input: 10, output: 5, ..Usage::default() };
    let call =
        enza_kernel::conversation::ToolCall { id: String::new(), tool: "write_form".to_owned(), arguments: sketch() };
    let reply = Reply { calls: vec![call], usage, ..Reply::default() };
    let outcome = Outcome::Replied { reply, asked_at: world.head(), prompt };
    world.settle(&Effect::AskModel(ask), outcome);
    assert_eq!(**world.state.draft(), form("By hand"));
}

#[test]
fn an_owner_waits_while_the_architect_writes() {
    let mut world = at_work();
    assert_eq!(world.tell(Command::Describe { sentence: "again".to_owned() }), Err(Refusal::Writing));
}

#[test]
fn respondents_are_let_in_whatever_becomes_of_the_architect() {
    let mut world = World::shared();
    world.tell(Command::Describe { sentence: SENTENCE.to_owned() }).unwrap();
    world.admit(TOKEN, "s1").unwrap();
    world.unanswered();
    world.admit(TOKEN, "s2").unwrap();
    assert_eq!(world.state.admitted(), 2);
    assert_eq!(world.state.published().unwrap().version, 1);
}
