//! What Enza adds to a call: the conversation many times with the canned server, all sides turn by turn.
//!
//! Four sides: plain requests, Enza's client alone, whole turns on a store in memory, and whole turns on SQLite with
//! every save synced. At each turn every side goes once, and who begins moves on from turn to turn, so that a slow
//! moment hits all of them alike. Figures are differences of medians; the spread is that of the differences turn by
//! turn.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use enza_kernel::conversation::{Message, Part, Request, Role};
use enza_models::client::Client;
use enza_runtime::seams::model::{Deltas, Model as _, Piece};
use enza_storage::{Durability, Memory, Sqlite};
use serde_json::{Value, json};

use super::by_hand::ByHand;
use super::canned::Canned;
use super::script::{FRESH, LINES, MAX_OUTPUT, SAMPLING, STABLE, fresh};
use super::through_enza::{ThroughEnza, client};
use super::{Exchange, TurnTime};
use crate::measure::round;

/// Who makes a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    /// Plain requests.
    Hand,
    /// Enza's client.
    Client,
    /// A session in memory.
    Memory,
    /// A session in SQLite, synced.
    Sqlite,
}

/// The sides, in the order of their figures.
const SIDES: [Who; 4] = [Who::Hand, Who::Client, Who::Memory, Who::Sqlite];
/// Conversations before the measured ones: connections, caches, the shape of requests.
const WARM: usize = 2;

/// Holds the conversation so many times on every side, with what `talk` kept in the folder.
pub async fn overhead(folder: &Path, conversations: usize) -> Value {
    let text = std::fs::read_to_string(folder.join("exchanges.json")).expect("`talk --side hand` was run before");
    let exchanges: Vec<Exchange> = serde_json::from_str(&text).expect("what `talk` kept");
    let mut sides = Sides::new(Canned::start(&exchanges), folder);
    let mut taken: [Vec<TurnTime>; 4] = Default::default();
    for conversation in 0..WARM + conversations {
        sides.begin().await;
        for (turn, Exchange { request, .. }) in exchanges.iter().enumerate() {
            for place in 0..SIDES.len() {
                let side = (place + turn + conversation) % SIDES.len();
                let took = sides.turn(SIDES[side], turn + 1).await;
                if conversation < WARM {
                    let sent = sides.server.last_request();
                    assert_eq!(sent, *request, "{:?} asks otherwise at turn {}", SIDES[side], turn + 1);
                } else {
                    taken[side].push(took);
                }
            }
        }
    }
    sides.memory.close().await;
    sides.sqlite.close().await;
    json!({
        "fw": "enza", "cmd": "overhead", "calls_per_side": conversations * exchanges.len(),
        "whole": compare(&taken, |took| took.whole),
        "first": compare(&taken, |took| took.first),
    })
}

struct Sides {
    server: Canned,
    hand: ByHand,
    client: ClientAlone,
    memory: ThroughEnza,
    sqlite: ThroughEnza,
}

impl Sides {
    fn new(server: Canned, folder: &Path) -> Self {
        let at = server.base_url();
        let file = folder.join(format!("overhead-{}.db", std::process::id()));
        let synced = Sqlite::open(&file, Durability::Full).expect("a file");
        Self {
            client: ClientAlone { client: client(at), thread: Vec::new() },
            hand: ByHand::new(at, 1),
            memory: ThroughEnza::new(Arc::new(Memory::new()), at),
            sqlite: ThroughEnza::new(Arc::new(synced), at),
            server,
        }
    }

    async fn begin(&mut self) {
        self.hand.begin();
        self.client.thread.clear();
        self.memory.begin().await;
        self.sqlite.begin().await;
    }

    async fn turn(&mut self, who: Who, turn: usize) -> TurnTime {
        match who {
            Who::Hand => self.hand.turn().await.0,
            Who::Client => self.client.turn(turn).await,
            Who::Memory => turn_of(&mut self.memory).await,
            Who::Sqlite => turn_of(&mut self.sqlite).await,
        }
    }
}

async fn turn_of(enza: &mut ThroughEnza) -> TurnTime {
    let took = enza.turn().await;
    enza.heard().await;
    took
}

/// Enza's client without an engine.
struct ClientAlone {
    client: Client,
    thread: Vec<Message>,
}

impl ClientAlone {
    async fn turn(&mut self, turn: usize) -> TurnTime {
        let began = Instant::now();
        self.thread.push(Message::new(Role::Person, LINES[turn - 1]));
        let request = Request {
            stable: STABLE.map(|(name, text)| Part { name: name.to_owned(), text: text.into() }).to_vec(),
            messages: self.thread.clone(),
            fresh: vec![Part { name: FRESH.to_owned(), text: fresh(turn).into() }],
            sampling: SAMPLING,
            max_output: MAX_OUTPUT,
            ..Request::default()
        };
        let watch = FirstPiece { began, at: std::sync::OnceLock::new() };
        let reply = self.client.reply(&request, &watch).await.expect("a canned reply");
        let whole = began.elapsed();
        self.thread.push(Message::reply(reply.text.into(), &[]));
        TurnTime { first: *watch.at.get().expect("a first piece"), whole }
    }
}

/// Looks at the clock when the first piece comes.
struct FirstPiece {
    began: Instant,
    at: std::sync::OnceLock<Duration>,
}

impl Deltas for FirstPiece {
    fn piece(&self, _piece: Piece) {
        self.at.get_or_init(|| self.began.elapsed());
    }
}

/// Each side's median, and how far it lies from the one by hand.
fn compare(taken: &[Vec<TurnTime>; 4], of: fn(&TurnTime) -> Duration) -> Value {
    let times = |side: usize| taken[side].iter().map(|took| of(took).as_secs_f64() * 1e3).collect::<Vec<_>>();
    let hand = times(0);
    let by_hand = at_share(hand.clone(), 0.5);
    let mut figures = json!({ "hand": { "median_ms": by_hand } });
    for (side, name) in ["client", "memory", "sqlite"].into_iter().enumerate().map(|(place, name)| (place + 1, name)) {
        let its = times(side);
        let apart: Vec<f64> = its.iter().zip(&hand).map(|(its, hand)| its - hand).collect();
        let median = at_share(its, 0.5);
        figures[name] = json!({
            "median_ms": median,
            "adds_ms": round(median - by_hand),
            "adds_p10_ms": at_share(apart.clone(), 0.1),
            "adds_p90_ms": at_share(apart, 0.9),
        });
    }
    figures
}

/// The number at a share of the way through.
fn at_share(mut numbers: Vec<f64>, share: f64) -> f64 {
    numbers.sort_by(f64::total_cmp);
    round(numbers[((numbers.len() as f64 * share) as usize).min(numbers.len() - 1)])
}
