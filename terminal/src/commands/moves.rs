//! `enza moves`: an application's tables of allowed moves, as Mermaid diagrams or as data.

use enza_kernel::moves::{Move, Table};
use serde_json::{Value, json};

use crate::arguments::MovesArgs;
use crate::environment::Environment;
use crate::screen::Screen;
use crate::trouble::Trouble;

/// Prints the tables.
pub fn run(around: &Environment, screen: &Screen, order: &MovesArgs) -> Result<(), Trouble> {
    let registry = around.applications.configured(&around.config)?;
    let Some(host) = registry.find(&order.application) else {
        return Err(Trouble::UnknownApplication { name: order.application.clone(), known: registry.names().collect() });
    };
    if screen.json {
        return screen.value(&Value::Array(host.tables().iter().map(as_json).collect()));
    }
    for table in host.tables() {
        // A comment of Mermaid, so that what is printed can be pasted as it is.
        screen.note(&format!("%% {}: {}", host.name(), table.name()))?;
        screen.say(table.to_mermaid().trim_end())?;
    }
    Ok(())
}

fn as_json(table: &Table) -> Value {
    let list = |moves: &[Move]| -> Vec<Value> {
        moves.iter().map(|one| json!({"from": one.from, "to": one.to, "on": one.on})).collect()
    };
    json!({
        "name": table.name(),
        "states": table.states(),
        "start": table.start(),
        "ends": table.ends(),
        "moves": list(table.moves()),
        "errors": list(table.errors()),
        "most_per_utterance": table.most_per_utterance(),
        "mermaid": table.to_mermaid(),
    })
}
