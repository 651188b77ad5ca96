//! The greeter: INT-02, INT-07, INT-14, INT-16 to INT-23.

use enza_interview::{Bootstrap, Command, Event, Form, Interview, Open, Order, Refusal, Source, Stage};
use enza_kernel::agent::AgentApplication;
use enza_kernel::application::{Application, Row};
use enza_kernel::text::Lang;
use serde_json::{Value, json};

use super::world::World;

/// A session of which nothing is known but the form.
fn greeted() -> World {
    let mut world = World::new();
    world.tell(Command::Open(Box::new(Open::form(Form { order: Order::Free, ..Form::sample(Lang::En) })))).unwrap();
    world
}

fn known(world: &World) -> Value {
    json!(world.state.bootstrap())
}

fn tasks(world: &World) -> Vec<String> {
    world.app.remaining(&world.state, "greeter")
}

/// INT-02.
#[test]
fn the_greeter_has_ask_and_three_setters_and_nothing_else() {
    let tools: Vec<String> = Interview::new().agent("greeter").tools.iter().map(|tool| tool.name.clone()).collect();
    assert_eq!(tools, ["ask", "set_language", "set_country", "set_timezone"]);
}

/// INT-07, INT-16: the first to speak is the greeter, and its first call can only be a greeting.
#[test]
fn a_new_session_begins_with_the_greeter() {
    let mut world = greeted();
    assert_eq!((world.state.stage(), world.ask().agent.as_str()), (Stage::Greeting, "greeter"));
    world.asks_for("Hello! Which language do you speak, and where do you live?");
    assert_eq!(world.state.question(), Some("Hello! Which language do you speak, and where do you live?"));
}

/// INT-22, INT-23: what is left is derived from what is known, in the document's order and words.
#[test]
fn what_the_greeter_still_has_to_do_follows_from_what_is_known() {
    let mut world = greeted();
    let all = [
        "Set the user language using set_language",
        "Set the user country using set_country",
        "Set the timezone using set_timezone",
    ];
    assert_eq!(tasks(&world), all);
    world.asks_for("Hello! Which language?");
    world.say("hm?");
    world.calls(&[("set_language", json!({ "language": "en" }))]);
    assert_eq!(tasks(&world), all[1..]);
    assert!(world.last_told("greeter").starts_with("Kept. You still need to: Set the user country"));
}

/// INT-14, INT-19: tables tell where the respondent is at home from the moment that it is known, and not only at the end.
#[test]
fn a_row_is_written_whenever_more_is_known_of_where_the_respondent_is_at_home() {
    let mut world = greeted();
    let settled = |world: &World| -> Vec<Row> {
        world.log.iter().flat_map(Interview::rows).filter(|row| row.table == "settled").collect()
    };
    let row = |home: Value| Row { table: "settled".to_owned(), key: "home".to_owned(), content: Some(home) };
    assert_eq!(settled(&world), [], "at the opening nothing is known");
    world.asks_for("Hello! Which language, which country?");
    world.say("hm, let me think about it");
    world.calls(&[("set_language", json!({ "language": "pt-br" }))]);
    let language = || row(json!({ "language": "pt-BR" }));
    assert_eq!(settled(&world), [language()]);
    world.calls(&[("set_country", json!({ "country": "Brazil" }))]);
    let all = row(json!({ "language": "pt-BR", "country": "BR", "timezone": "America/Sao_Paulo" }));
    assert_eq!(settled(&world), [language(), all]);
}

/// INT-14, INT-17 to INT-19, INT-21, INT-28: language and country settle the zone, and the next that the respondent sees is
/// the first question of the interview.
#[test]
fn once_all_is_known_control_passes_on_to_the_first_question() {
    let mut world = greeted();
    world.asks_for("Hello! Which language, which country?");
    world.say("hm, let me think about it");
    world.calls(&[("set_language", json!({ "language": "pt-br" })), ("set_country", json!({ "country": "Brazil" }))]);
    assert_eq!(
        known(&world),
        json!({ "language": "pt-BR", "country": "BR", "timezone": "America/Sao_Paulo" }),
        "the zone is inferred and nobody was asked for it"
    );
    assert_eq!((world.state.stage(), world.ask().agent.as_str()), (Stage::Planning, "architect"));
    world.calls(&[(
        "create_plan",
        json!({ "fields": [
        { "field_id": "place" }, { "field_id": "symptom" }, { "field_id": "contact" }
    ] }),
    )]);
    assert_eq!(world.ask().agent, "interviewer");
    assert_eq!(world.state.current().unwrap().0.field_id, "place");
    assert!(
        world.request().to_plain_text().contains("Write in Brazilian Portuguese"),
        "in the language that was chosen"
    );
}

/// What a rule can read costs no model call.
#[test]
fn a_plain_answer_to_the_greeter_is_read_by_rule() {
    let mut world = greeted();
    world.asks_for("Hello! Which language, which country?");
    world.say("日本語でお願いします。日本に住んでいます");
    assert_eq!(known(&world), json!({ "language": "ja", "country": "JP", "timezone": "Asia/Tokyo" }));
    assert_eq!(world.state.threads().replies, 1, "the greeting, and nothing else");
    assert_eq!(world.ask().agent, "architect");
    assert_eq!(world.state.lang(), Lang::Ja, "and the rules speak it too");
}

/// INT-19 and section 3: a zone is taken only if the country has it.
#[test]
fn a_zone_must_be_one_of_the_countrys() {
    let mut world = greeted();
    world.asks_for("Hello!");
    world.say("hm");
    world.calls(&[("set_timezone", json!({}))]);
    assert!(world.last_told("greeter").contains("Set the country using set_country first"));
    world.calls(&[("set_country", json!({ "country": "US" }))]);
    assert_eq!(world.state.bootstrap().timezone.as_deref(), Some("America/New_York"));
    world.calls(&[("set_timezone", json!({ "timezone": "Europe/Paris" }))]);
    assert!(world.last_told("greeter").contains("is no time zone of US"));
    world.calls(&[("set_timezone", json!({ "timezone": "America/Chicago" }))]);
    assert_eq!(world.state.bootstrap().timezone.as_deref(), Some("America/Chicago"));
}

/// Section 3, "Value formats": unknown values are tool errors and change nothing.
#[test]
fn an_unknown_language_or_country_is_a_tool_error() {
    let mut world = greeted();
    world.asks_for("Hello!");
    world.say("hm");
    world.calls(&[("set_language", json!({ "language": "Klingonish" }))]);
    assert!(world.last_told("greeter").contains("is no language"));
    world.calls(&[("set_country", json!({ "country": "Atlantis" }))]);
    assert!(world.last_told("greeter").contains("is no country"));
    assert_eq!(known(&world), json!({}));
}

/// INT-20: and nobody is kept from a form by a greeting.
#[test]
fn after_three_answers_that_say_nothing_the_interview_begins_with_what_there_is() {
    let mut world = greeted();
    for _ in 0..3 {
        world.asks_for("Which language, which country?");
        world.say("whatever");
    }
    assert_eq!(world.ask().agent, "architect");
    assert_eq!(world.state.locale().timezone, "Asia/Tokyo");
    assert_eq!(world.state.locale().language, "en", "the form's own");
}

/// What the browser tells needs no greeter; what it tells wrongly is refused before anything begins.
#[test]
fn what_is_known_beforehand_is_not_asked() {
    let open = |language: &str, country: &str, timezone: Option<&str>| {
        let bootstrap = Bootstrap {
            language: Some(language.to_owned()),
            country: Some(country.to_owned()),
            timezone: timezone.map(str::to_owned),
        };
        Command::Open(Box::new(Open { bootstrap, ..Open::form(Form::sample(Lang::En)) }))
    };
    let mut world = World::new();
    assert_eq!(world.tell(open("en", "Nowhere", None)), Err(Refusal::UnknownPlace { text: "Nowhere".to_owned() }));
    world.tell(open("en-GB", "GB", Some("Asia/Tokyo"))).unwrap();
    assert_eq!(known(&world), json!({ "language": "en-GB", "country": "GB", "timezone": "Europe/London" }));
    assert_eq!(world.ask().agent, "interviewer");
}

/// Fields, files and the classic form are offered from the first moment, so they are taken from the first moment.
#[test]
fn what_is_written_into_fields_while_the_greeter_asks_is_taken_and_the_greeting_is_over() {
    let mut world = World::new();
    let prefill = [("place".to_owned(), "The library".to_owned())].into();
    let open = Open { prefill, ..Open::form(Form::sample(Lang::En)) };
    world.tell(Command::Open(Box::new(open))).unwrap();
    let fill = |id: &str, text: &str| Command::Fill { answers: [(id.to_owned(), text.to_owned())].into() };
    assert_eq!(world.tell(fill("symptom", "A lamp is broken")), Err(Refusal::NotYourTurn), "the greeter is at work");
    world.asks_for("Hello! Which language do you speak, and where do you live?");
    let unknown = Refusal::UnknownField { field_id: "nothing".to_owned() };
    assert_eq!(world.tell(fill("nothing", "Ada")), Err(unknown));
    assert_eq!(world.state.stage(), Stage::Greeting, "what is refused changes nothing");
    world.tell(fill("symptom", "A lamp is broken")).unwrap();
    assert_eq!(world.state.stage(), Stage::Interviewing);
    let taken = world.log.iter().filter_map(|entry| match &entry.event {
        Event::AnswerGiven { field_id, text, source, .. } => Some((field_id.as_str(), text.as_str(), *source)),
        _ => None,
    });
    let link = ("place", "The library", Source::Link);
    assert_eq!(taken.collect::<Vec<_>>(), [link, ("symptom", "A lamp is broken", Source::Filled)]);
}
