//! The conversation once, with a real server: per turn, how much of the prompt was read anew, and when words came.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use clap::ValueEnum;
use enza_storage::{Durability, Sqlite};
use serde_json::{Value, json};

use super::by_hand::ByHand;
use super::llama::Llama;
use super::script::LINES;
use super::through_enza::ThroughEnza;
use super::{ReplyStats, TurnTime};
use crate::measure::{milliseconds, percentile, round};

/// The turn from which on the cache counts: before, there is little to know.
const FROM_TURN: usize = 3;

/// Who holds the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Side {
    /// A session of Enza.
    Enza,
    /// Plain requests.
    Hand,
}

/// Holds the conversation. Files go to a folder: the session, what the server said, and by hand the exchanges for
/// `overhead`.
pub async fn talk(side: Side, models: &Path, folder: &Path) -> Value {
    std::fs::create_dir_all(folder).expect("a folder to work in");
    let server = Llama::start(models, &folder.join("llama-server.log")).await;
    let turns = match side {
        Side::Enza => by_enza(&server.base_url(), folder).await,
        Side::Hand => by_hand(&server.base_url(), folder).await,
    };
    server.end().await;
    report(side, &turns)
}

async fn by_enza(base_url: &str, folder: &Path) -> Vec<(TurnTime, ReplyStats)> {
    let file = folder.join(format!("talk-{}.db", std::process::id()));
    let store = Arc::new(Sqlite::open(&file, Durability::Full).expect("a file"));
    let mut enza = ThroughEnza::new(store, base_url);
    enza.begin().await;
    let mut turns = Vec::new();
    for _ in LINES {
        let took = enza.turn().await;
        turns.push((took, enza.heard().await));
    }
    enza.close().await;
    turns
}

async fn by_hand(base_url: &str, folder: &Path) -> Vec<(TurnTime, ReplyStats)> {
    let mut hand = ByHand::new(base_url, 0);
    let (mut turns, mut exchanges) = (Vec::new(), Vec::new());
    for _ in LINES {
        let (took, heard, exchange) = hand.turn().await;
        turns.push((took, heard));
        exchanges.push(exchange);
    }
    let text = serde_json::to_string(&exchanges).expect("plain data");
    std::fs::write(folder.join("exchanges.json"), text).expect("the exchanges are kept");
    turns
}

fn report(side: Side, turns: &[(TurnTime, ReplyStats)]) -> Value {
    let anew: Vec<f64> =
        turns.iter().map(|(_, heard)| (heard.input - heard.cached) as f64 / heard.input as f64).collect();
    let mut counted = anew[FROM_TURN - 1..].to_vec();
    counted.sort_by(f64::total_cmp);
    let times =
        |of: fn(&TurnTime) -> Duration| turns[FROM_TURN - 1..].iter().map(|(took, _)| of(took)).collect::<Vec<_>>();
    let all: String = turns.iter().flat_map(|(_, heard)| [heard.text.as_str(), "\n"]).collect();
    json!({
        "fw": match side { Side::Enza => "enza", Side::Hand => "by hand" },
        "cmd": "talk", "turns": turns.len(), "from_turn": FROM_TURN,
        "read_anew_median": round(counted[counted.len() / 2]),
        "read_anew_most": round(counted[counted.len() - 1]),
        "first_token_ms": percentile(&mut times(|took| took.first), 0.5),
        "turn_ms": percentile(&mut times(|took| took.whole), 0.5),
        "words": enza_kernel::conversation::Digest::of(all.as_bytes()).to_string(),
        "per_turn": turns.iter().zip(&anew).map(|((took, heard), anew)| json!({
            "prompt_tokens": heard.input, "read_anew": round(*anew),
            "first_token_ms": milliseconds(took.first), "turn_ms": milliseconds(took.whole),
        })).collect::<Vec<_>>(),
    })
}
