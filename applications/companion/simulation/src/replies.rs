//! What the simulated model says to the companion: sense, nonsense, wrong JSON, illegal moves, forbidden paths.

use serde_json::{Value, json};

use super::OUTSIDE;

/// Paths that it names: ordinary ones, forbidden ones in every spelling, and some that lead out.
const PATHS: [&str; 17] = [
    "src/a.py",
    "src/b.py",
    "docs/a.md",
    "README.md",
    "src/new.py",
    "src/a.py",
    "README.md",
    "secret/key.txt",
    "secret/key.txt",
    "./secret/key.txt",
    "secret//key.txt",
    "link",
    "../outside.txt",
    "/etc/passwd",
    "tool.sh",
    OUTSIDE,
    OUTSIDE,
];

/// The text of a reply of this role.
pub fn text(agent: &str, draw: u64) -> String {
    if draw.is_multiple_of(17) {
        return "I would rather talk about the weather.".to_owned();
    }
    let draw = draw / 17;
    let (more, draw) = (draw >> 20, draw & 0xf_ffff);
    let verdict = match (agent, draw % 10) {
        ("planner", 0..=6) => json!({
            "plan": { "name": "n", "purpose": "p", "steps": ["edit src/a.py"], "risk": (["low", "high"][more as usize % 2]), "success": "s" },
        }),
        ("reviewer", 0..=6) => json!({
            "step": "REVIEW",
            "review": { "rating": "fair", "approval": (["approved", "mend", "rejected"][more as usize % 3]), "problems": ["x"] },
        }),
        (_, 0) => json!({ "reply": "Done.", "next_step": "done" }),
        (_, 1) => json!({ "prompt_pattern": "base_main_specialized", "new_task": more.is_multiple_of(2) }),
        (_, 2) => json!({ "goal_consistency": "no, it does not fit", "actions": actions(more) }),
        (_, 3) => json!({ "next_step": "defer", "reply": "Later.", "prompt_pattern": "base_main_specialized" }),
        (_, 4) => json!({ "step": "NOWHERE", "reply": 7 }),
        (_, 5) => json!({ "reply": "Shall I? Or not?", "next_step": "pending_user", "state_delta": "looked" }),
        (_, _) => {
            json!({ "reply": "I will.", "next_step": (["done", "continue"][more as usize % 2]), "actions": actions(more) })
        }
    };
    whole(verdict, draw).to_string()
}

fn actions(draw: u64) -> Vec<Value> {
    (0..1 + draw % 3).map(|place| action(draw.rotate_right(place as u32 * 7 + 3))).collect()
}

fn action(draw: u64) -> Value {
    let path = PATHS[(draw >> 8) as usize % PATHS.len()];
    let other = PATHS[(draw >> 16) as usize % PATHS.len()];
    match draw % 11 {
        0 => json!({ "operation": "list" }),
        1 => json!({ "operation": "read", "path": path }),
        2 => json!({ "operation": "search", "pattern": "x" }),
        3 | 4 => json!({ "operation": "write", "path": path, "content": format!("{}\n", draw % 97) }),
        5 => json!({ "operation": "create", "path": path, "content": "new\n" }),
        6 => json!({ "operation": "edit", "path": path, "old": "x", "content": "y" }),
        7 => json!({ "operation": "delete", "path": path }),
        8 => json!({ "operation": "move", "path": path, "to": other }),
        9 => json!({ "operation": "patch", "patch": path }),
        _ => {
            json!({ "operation": "run", "command": (if draw.is_multiple_of(2) { vec!["make", "test"] } else { vec!["rm", "-rf", "x"] }) })
        }
    }
}

/// With what every verdict needs, and a step of its own choosing, legal or not.
fn whole(more: Value, draw: u64) -> Value {
    let step = ["PLANNING", "EXECUTION", "REVIEW", "AWAITING_APPROVAL"][(draw >> 4) as usize % 4];
    let mut whole = json!({
        "rationale": "because", "goal_consistency": "yes", "constraint_check": "yes", "next_step": "continue",
        "step": step, "prompt_pattern": "base_main",
    });
    if let (Some(whole), Value::Object(more)) = (whole.as_object_mut(), more) {
        whole.extend(more);
    }
    whole
}
