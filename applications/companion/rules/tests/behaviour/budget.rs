//! Budgets: a call sets aside what its prompt and its reply can take, and the end of a budget is said.

use enza_companion::{Command, Companion, Instruction, Memory, Note, Open, Settings};
use enza_kernel::agent::{AgentApplication as _, ThreadFailure};
use enza_kernel::conversation::{Reply, Request, Usage, estimate_tokens};
use enza_kernel::effect::{Effect, Outcome};
use enza_kernel::text::Lang;
use serde_json::json;

use super::world::{World, verdict};

fn with(budget: u64) -> World {
    World::with(Settings { budget: Some(budget), ..Settings::default() })
}

/// What a provider can count of a request: everything that is sent.
fn sent(request: &Request) -> u64 {
    estimate_tokens(&request.to_plain_text()) + estimate_tokens(&request.output.clone().unwrap_or_default().to_string())
}

#[test]
fn a_budget_of_six_thousand_made_no_call() {
    let mut world = with(6_000);
    world.say("What is this?");
    let asks = world.asks();
    assert_eq!(asks.len(), 1, "{:?}", world.state.failure(world.state.front().unwrap()));
    assert!(asks[0].reserve <= 6_000);
    let request = world.request();
    assert!((1_000..=4_000).contains(&request.max_output), "{}", request.max_output);
}

#[test]
fn half_of_fifty_thousand_could_not_be_used() {
    let mut world = with(50_000);
    world.say("What is this?");
    let mut spent = 0;
    // Every call costs about what was seen on a local model.
    while let Some(ask) = world.asks().into_iter().next() {
        let usage = Usage { input: 1_600, output: 250, ..Usage::default() };
        spent += usage.total();
        let text = verdict(json!({ "reply": "A word.", "next_step": "pending_user" })).to_string();
        let prompt = world.request().digest();
        let reply = Reply { text, usage, ..Reply::default() };
        let asked_at = world.head();
        world.settle(&Effect::AskModel(ask), Outcome::Replied { reply, asked_at, prompt });
        world.say("And now?");
    }
    assert!(spent > 40_000, "{spent} of 50,000 could be spent");
    let failure = world.state.failure(world.state.front().unwrap());
    assert!(matches!(failure, Some(ThreadFailure::BudgetExhausted { .. })), "{failure:?}");
}

/// The invariant behind a budget: whatever is in a prompt, what is set aside covers it and the longest reply.
#[test]
fn what_is_set_aside_covers_everything_that_is_sent_and_the_longest_reply() {
    let instructions = vec![Instruction { path: "AGENTS.md".to_owned(), text: "Write short functions.\n".repeat(400) }];
    let map = (0..200).map(|number| format!("src/file{number}.rs\n")).collect();
    for (budget, language) in [(None, Lang::En), (None, Lang::Ja), (Some(30_000), Lang::Ja), (Some(9_000), Lang::En)] {
        let mut world = World::open(Open {
            folder: "/work".to_owned(),
            language,
            settings: Settings { budget, ..Settings::default() },
            instructions: if budget == Some(9_000) { Vec::new() } else { instructions.clone() },
            map: if budget == Some(9_000) { String::new() } else { String::clone(&map) },
            memory: Memory::default(),
            name: "s1".to_owned(),
            tools: Vec::new(),
            attended: true,
        });
        world.say("Read it, and don't touch src/auth");
        for _ in 0..6 {
            let Some(ask) = world.asks().into_iter().next() else { break };
            let request = world.request();
            let most = sent(&request) + u64::from(request.max_output);
            assert!(most <= ask.reserve, "{most} of {}", ask.reserve);
            let tight = sent(&request) + sent(&request) / 4 + 400 + u64::from(request.max_output);
            assert!(ask.reserve <= tight, "{} is more than it can take: {most}", ask.reserve);
            world.files.insert("long.md".to_owned(), "A line of words.\n".repeat(200));
            let read = json!([{ "operation": "read", "path": "long.md", "from_line": world.log.len() }]);
            world.decides(json!({ "actions": read }));
        }
    }
}

#[test]
fn near_the_end_of_a_budget_a_reply_is_given_what_is_left() {
    let mut world = with(100_000);
    world.say("What is this?");
    let full = world.asks()[0].reserve;
    world.tell(Command::Stop { task: None }).unwrap();
    let budget = full - 2_000;
    let mut world = with(budget);
    world.say("What is this?");
    let (ask, request) = (world.asks().remove(0), world.request());
    assert_eq!((ask.reserve, request.max_output), (budget, 2_000));
    let mut world = with(full - 3_001);
    world.say("What is this?");
    assert_eq!(world.asks(), Vec::new(), "less than a thousand tokens of a reply are not worth a call");
}

#[test]
fn two_calls_at_once_never_set_aside_more_than_is_left() {
    let mut world = with(13_500);
    world.say("Work on it");
    world.say_when("And what is this?", enza_companion::When::Aside).unwrap();
    let asks = world.asks();
    assert_eq!(asks.len(), 2);
    let reserved: u64 = asks.iter().map(|ask| ask.reserve).sum();
    assert!((13_400..=13_500).contains(&reserved), "the second is left a shorter reply: {asks:?}");
    for ask in &asks {
        let request = enza_kernel::application::Application::request(&world.app, &world.state, ask);
        assert!(sent(&request) + u64::from(request.max_output) <= ask.reserve);
    }
}

#[test]
fn the_end_of_a_budget_is_said_and_what_to_do() {
    let mut world = with(2_000);
    world.say("What is this?");
    let cast = Companion::threads(&world.state);
    assert_eq!(cast.ledger.limit, Some(2_000));
    let note = world.log.iter().find_map(|entry| match &entry.event {
        enza_companion::Event::Noted { note, .. } => Some(note.clone()),
        _ => None,
    });
    let Some(Note::BudgetEnded { spent: 0, limit: 2_000, need }) = note else { panic!("{note:?}") };
    let (en, ja) = (world.read(Lang::En), world.read(Lang::Ja));
    assert!(
        en.contains("The token budget is used up: 0 of 2000 tokens were used") && en.contains("Raise the budget"),
        "{en}"
    );
    assert!(ja.contains("トークンの予算を使い切りました") && ja.contains("予算を増やしてください"), "{ja}");
    assert!(!en.contains("no usable answer") && !ja.contains("答えが得られませんでした"));
    world.tell(Command::RaiseBudget { tokens: need + 2_000 }).unwrap();
    assert_eq!(world.asks().len(), 1, "and then it goes on");
}
