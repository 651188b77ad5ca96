//! The architect and the order of agents: INT-01, INT-03, INT-08 to INT-13, INT-24 to INT-29.

use enza_interview::{
    Bootstrap, Command, Condition, DecidedBy, Event, Field, Form, Interview, Kind, OneOrMore, Open, Order, Plan, State,
};
use enza_kernel::agent::AgentApplication;
use enza_kernel::effect::{Effect, Outcome};
use enza_kernel::text::Lang;
use serde_json::{Value, json};

use super::world::World;

fn planning(form: Form) -> World {
    let mut world = World::new();
    let bootstrap = Bootstrap::of(Lang::En);
    let form = Form { order: Order::Free, ..form };
    world.tell(Command::Open(Box::new(Open { bootstrap, ..Open::form(form) }))).unwrap();
    assert_eq!(world.ask().agent, "architect");
    world
}

fn plan(ids: &[&str]) -> Value {
    let fields: Vec<Value> = ids.iter().map(|id| json!({ "field_id": id })).collect();
    json!({ "fields": fields })
}

fn order(world: &World) -> Vec<String> {
    world.state.fields().map(|(field, _)| field.field_id.clone()).collect()
}

fn planned(world: &World) -> Option<(&Plan, DecidedBy)> {
    world.log.iter().find_map(|entry| match &entry.event {
        Event::Planned { plan, by } => Some((plan, *by)),
        _ => None,
    })
}

/// INT-01, INT-08 to INT-13: four agents, and the order in which the session gives them the word.
#[test]
fn the_session_knows_who_follows_whom() {
    let app = Interview::new();
    let names: Vec<&str> =
        ["greeter", "architect", "interviewer", "reviewer"].iter().map(|name| app.agent(name).name).collect();
    assert_eq!(names, ["greeter", "architect", "interviewer", "reviewer"]);
    assert_eq!(State::next_agent("greeter"), Some("architect"));
    assert_eq!(State::next_agent("architect"), Some("interviewer"));
    assert_eq!(State::next_agent("interviewer"), None);
    assert_eq!(State::next_agent("reviewer"), Some("interviewer"));
    assert_eq!(State::next_agent("director"), None);
}

/// INT-03, INT-29.
#[test]
fn the_architect_has_create_plan_and_never_speaks_to_the_respondent() {
    let tools: Vec<String> = Interview::new().agent("architect").tools.iter().map(|tool| tool.name.clone()).collect();
    assert_eq!(tools, ["create_plan"]);
}

/// INT-24 to INT-26, INT-28: the order is the architect's; what the fields are called and whether they are required is the
/// form's, whatever the plan says.
#[test]
fn the_architect_decides_the_order_and_nothing_else() {
    let mut world = planning(Form::sample(Lang::En));
    assert!(world.request().to_plain_text().contains("- place: Where it is (required)"), "it reads the definitions");
    world.calls(&[(
        "create_plan",
        json!({ "fields": [
        { "field_id": "place", "label": "Nonsense", "intent": null, "required": false },
        { "field_id": "contact", "label": "Mail", "intent": "x", "required": true },
        { "field_id": "symptom", "label": "What", "intent": "y", "required": true },
    ] }),
    )]);
    assert_eq!(order(&world), ["place", "contact", "symptom"]);
    let (plan, by) = planned(&world).unwrap();
    assert_eq!((plan.fields[0].label.as_str(), plan.fields[0].required, by), ("Where it is", true, DecidedBy::Agent));
    assert!(!plan.fields[1].required);
    assert_eq!(world.ask().agent, "interviewer");
}

/// INT-27 and section 3: a plan that omits, repeats or invents is a tool error and is not stored.
#[test]
fn a_plan_that_is_no_permutation_is_a_tool_error() {
    for (wrong, why) in [
        (plan(&["place", "symptom"]), "is missing from the plan"),
        (plan(&["place", "symptom", "symptom"]), "is planned twice"),
        (plan(&["place", "symptom", "colour"]), "There is no field \"colour\""),
        (json!({ "fields": "all" }), "could not be used"),
        (json!({}), "could not be used"),
    ] {
        let mut world = planning(Form::sample(Lang::En));
        world.calls(&[("create_plan", wrong)]);
        assert!(world.last_told("architect").contains(why), "{}", world.last_told("architect"));
        assert!(planned(&world).is_none());
    }
}

/// Conditions look back: what depends on an answer is asked after it, and a group stays together.
#[test]
fn a_plan_keeps_dependents_behind_and_groups_together() {
    let when =
        Condition { field: "hurt".to_owned(), is: Some(OneOrMore::One("yes".to_owned())), ..Condition::default() };
    let form = Form {
        fields: vec![
            Field::new("hurt", "Hurt", Kind::YesNo),
            Field { when: vec![when], ..Field::new("who", "Who", Kind::Text) },
            Field::new("day", "Day", Kind::Date),
        ],
        ..Form::sample(Lang::En)
    };
    let mut world = planning(form);
    world.calls(&[("create_plan", plan(&["who", "hurt", "day"]))]);
    assert!(world.last_told("architect").contains("depends on \"hurt\""));
    world.calls(&[("create_plan", plan(&["day", "hurt", "who"]))]);
    assert_eq!(order(&world), ["day", "hurt", "who"]);
}

/// Section 3, "Architect never succeeds": the form's own order will do, and the interview goes on.
#[test]
fn an_architect_that_never_succeeds_is_replaced_by_the_forms_order() {
    let mut world = planning(Form::sample(Lang::En));
    for _ in 0..3 {
        world.calls(&[("create_plan", json!({ "fields": [] }))]);
    }
    assert_eq!(order(&world), ["symptom", "place", "contact"]);
    assert_eq!(planned(&world).unwrap().1, DecidedBy::Rule);
    assert_eq!(world.ask().agent, "interviewer");

    let mut world = planning(Form::sample(Lang::En));
    let ask = world.ask();
    world.settle(&Effect::AskModel(ask), Outcome::Unanswered { why: "503".to_owned() });
    assert_eq!(world.ask().agent, "interviewer", "nor does a silent model hold it up");
}

/// Whoever wrote the form may keep its order: then there is nothing to ask a model.
#[test]
fn a_fixed_order_needs_no_architect() {
    let world = World::opened();
    assert_eq!(planned(&world).map(|(_, by)| by), Some(DecidedBy::Rule));
    assert_eq!((world.ask().agent.as_str(), world.state.threads().replies), ("interviewer", 0));
}
