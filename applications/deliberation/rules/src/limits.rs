//! How long what people write here may be, each limit named once (DEL-08 to DEL-14, DEL-C16).
//!
//! Byte ceilings are wide enough for every text that fits by UTF-16 units.

use enza_kernel::limits::Limit;

/// How many pieces of knowledge a debater has room for.
pub const KNOWLEDGE_SLOTS: usize = 10;
/// A word of steering for one turn.
pub const DIRECTION: Limit = Limit { name: "direction", graphemes: 80, bytes: 1_024 };
/// What an owner says of a debate that is over.
pub const FEEDBACK: Limit = Limit { name: "feedback", graphemes: 400, bytes: 4_096 };
/// What a piece of knowledge is called.
pub const KNOWLEDGE_TITLE: Limit = Limit { name: "knowledge title", graphemes: 30, bytes: 512 };
/// What it says.
pub const KNOWLEDGE_CONTENT: Limit = Limit { name: "knowledge", graphemes: 500, bytes: 6_144 };
/// What a debater is called.
pub const DEBATER_NAME: Limit = Limit { name: "debater name", graphemes: 100, bytes: 1_024 };
/// What a topic is called.
pub const TOPIC_TITLE: Limit = Limit { name: "topic title", graphemes: 200, bytes: 2_048 };
/// What a topic is about.
pub const TOPIC_DESCRIPTION: Limit = Limit { name: "topic description", graphemes: 2_000, bytes: 16_384 };
/// The most tokens of a strategy (DEL-13).
pub const STRATEGY_TOKENS: u32 = 2_000;
