//! The stories of the guide's reception.

use super::reception::{Command, Event, Reception, Refusal};
use serde_json::json;

use enza_kernel::agent::{Step, ThreadEvent};
use enza_kernel::conversation::{Digest, Reply, ToolCall};
use enza_kernel::effect::{Effect, Outcome, Safety};
use enza_kernel::testing::given;
use enza_kernel::time::Seq;

#[test]
fn a_visitor_is_heard_and_the_bell_rings_once() {
    let reception = Reception::default();
    let ring = ToolCall { id: "c1".to_owned(), tool: "ring".to_owned(), arguments: json!({"name": "Grace"}) };
    let reply = Reply { calls: vec![ring], ..Reply::default() };
    given(&reception, [])
        .when(Command::Open)
        .when(Command::Say { text: "Is Grace in?".to_owned() })
        .then([Event::Stepped(Step {
            thread: "porter".to_owned(),
            what: ThreadEvent::Heard { text: "Is Grace in?".into() },
        })])
        .when_settled(
            |effect| matches!(effect, Effect::AskModel(_)),
            Outcome::Replied { reply, asked_at: Seq(3), prompt: Digest::of(b"") },
        )
        .then_due(|due| matches!(due, [Effect::RunTool(run)] if run.safety == Safety::Once && run.started.is_none()));
}

#[test]
fn a_visitor_waits_while_the_porter_is_busy() {
    let reception = Reception::default();
    given(&reception, [])
        .when(Command::Open)
        .when(Command::Say { text: "Hello".to_owned() })
        .when(Command::Say { text: "Hello?".to_owned() })
        .then_refused(Refusal::NotYourTurn);
}
