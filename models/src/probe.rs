//! What a model can do here: one short request for each thing that Enza asks of models.
//!
//! Every check goes the way that an agent's request goes, and judges what came back by rule. A failure is a finding
//! with its reason, never an error: the next check is made all the same, unless nobody answers at all. Nothing here
//! says whether a model is clever.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use enza_kernel::conversation::{Calling, Message, Part, Reply, Request, Role, Sampling, ToolSpec};
use enza_runtime::seams::model::{Deltas, Model, ModelFailure, Piece};
use serde_json::{Value, json};

/// A thing that a model may be able to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Skill {
    /// It answers.
    Plain,
    /// It answers piece by piece.
    Streaming,
    /// It calls the tool it has to, with arguments that fit.
    ToolCall,
    /// It answers with JSON that fits a schema.
    Schema,
    /// Japanese goes in and comes out unharmed.
    Japanese,
    /// A prompt that was read before is read from the cache.
    Cache,
}

/// What came of a check.
#[derive(Debug, Clone, PartialEq)]
pub enum Finding {
    Can(String),
    Cannot(String),
}

/// All that was found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    /// One for each skill, in order.
    pub findings: Vec<(Skill, Finding)>,
    /// How long until the first piece came.
    pub first_piece: Option<Duration>,
    /// Tokens a second once it writes.
    pub tokens_per_second: Option<f64>,
    /// The tokens all checks took, prompts and replies.
    pub tokens: u64,
    /// What they cost, in millionths of a US dollar.
    pub cost: u64,
}

/// Every skill, in the order in which they are looked at.
pub const SKILLS: [Skill; 6] =
    [Skill::Plain, Skill::Streaming, Skill::ToolCall, Skill::Schema, Skill::Japanese, Skill::Cache];

/// Examines a model. `on_finding` hears of each skill as it is known.
pub async fn probe(model: &dyn Model, on_finding: &mut (dyn FnMut(Skill, &Finding) + Send)) -> Report {
    let mut examiner = Examiner { model, report: Report::default() };
    for skill in SKILLS {
        let finding = match skill {
            Skill::Plain => examiner.plain().await,
            Skill::Streaming => examiner.streaming().await,
            Skill::ToolCall => examiner.tool_call().await,
            Skill::Schema => examiner.schema().await,
            Skill::Japanese => examiner.japanese().await,
            Skill::Cache => examiner.cache().await,
        };
        let finding = finding.unwrap_or_else(|failure| Finding::Cannot(failure.to_string()));
        on_finding(skill, &finding);
        let nobody_there = skill == Skill::Plain && matches!(finding, Finding::Cannot(_));
        examiner.report.findings.push((skill, finding));
        if nobody_there {
            break;
        }
    }
    examiner.report
}

struct Examiner<'a> {
    model: &'a dyn Model,
    report: Report,
}

impl Examiner<'_> {
    async fn plain(&mut self) -> Result<Finding, ModelFailure> {
        let reply = self.ask(&request("Answer with one word: what colour is a clear sky by day?", 32)).await?.reply;
        let text = reply.text.trim();
        Ok(if text.is_empty() { Finding::Cannot("it said nothing".to_owned()) } else { Finding::Can(short(text)) })
    }

    async fn streaming(&mut self) -> Result<Finding, ModelFailure> {
        let heard = self.ask(&request("Count from one to thirty in words, separated by commas.", 96)).await?;
        let (pieces, usage) = (heard.pieces, heard.reply.usage);
        if let Some(first) = heard.first {
            self.report.first_piece = Some(first);
            let writing = heard.all.saturating_sub(first).as_secs_f64();
            if usage.output > 1 && writing > 0.0 {
                self.report.tokens_per_second = Some((usage.output - 1) as f64 / writing);
            }
        }
        Ok(match pieces {
            0 => Finding::Cannot("nothing came before the end".to_owned()),
            1 => Finding::Cannot("everything came in one piece".to_owned()),
            _ => Finding::Can(format!("{pieces} pieces")),
        })
    }

    async fn tool_call(&mut self) -> Result<Finding, ModelFailure> {
        let add = ToolSpec {
            name: "add".to_owned(),
            description: "Adds two whole numbers.".to_owned(),
            parameters: pair_of_numbers(),
        };
        let request = Request {
            tools: vec![add].into(),
            calling: Calling::Only("add".to_owned()),
            ..request("What is 19 plus 23? Use the tool.", 96)
        };
        let reply = self.ask(&request).await?.reply;
        let Some(call) = reply.calls.first() else {
            return Ok(Finding::Cannot(format!("it called nothing and said: {}", short(&reply.text))));
        };
        let numbers = ["a", "b"].map(|name| call.arguments[name].as_i64());
        Ok(match (call.tool.as_str(), numbers) {
            ("add", [Some(a), Some(b)]) => Finding::Can(format!("add({a}, {b})")),
            (tool, _) => Finding::Cannot(format!("it called {tool} with {}", short(&call.arguments.to_string()))),
        })
    }

    async fn schema(&mut self) -> Result<Finding, ModelFailure> {
        let schema = json!({
            "type": "object",
            "properties": { "city": { "type": "string" }, "population_in_millions": { "type": "number" } },
            "required": ["city", "population_in_millions"],
            "additionalProperties": false,
        });
        let request = Request { output: Some(schema), ..request("Name a large city and its population.", 96) };
        let text = self.ask(&request).await?.reply.text;
        let fits = serde_json::from_str::<Value>(text.trim())
            .is_ok_and(|value| value["city"].is_string() && value["population_in_millions"].is_number());
        Ok(if fits { Finding::Can(short(&text)) } else { Finding::Cannot(format!("it answered: {}", short(&text))) })
    }

    async fn japanese(&mut self) -> Result<Finding, ModelFailure> {
        let reply =
            self.ask(&request("日本語で一文だけ答えてください。富士山はどこの国にありますか。", 64)).await?.reply;
        let text = reply.text.trim();
        let is_japanese = text.chars().any(|letter| matches!(letter, '\u{3040}'..='\u{30ff}'));
        let is_damaged = text.contains('\u{fffd}');
        Ok(match (is_japanese, is_damaged) {
            (true, false) => Finding::Can(short(text)),
            (true | false, true) => Finding::Cannot(format!("letters were damaged: {}", short(text))),
            (false, false) => Finding::Cannot(format!("it answered: {}", short(text))),
        })
    }

    async fn cache(&mut self) -> Result<Finding, ModelFailure> {
        let rules: Vec<String> = (1..=64)
            .map(|number| {
                format!("Rule {number}: whoever sits at place {number} of the circle speaks in turn {number}.")
            })
            .collect();
        let stable = vec![Part { name: "rules".to_owned(), text: rules.join("\n").into() }];
        let request = Request { stable, ..request("Answer with one word: who speaks in turn seven?", 16) };
        let (first, again) = (self.ask(&request).await?.reply.usage, self.ask(&request).await?.reply.usage);
        let (read, input) = (again.cache_read, again.input.max(1));
        Ok(if read > 0 {
            Finding::Can(format!("{} % of {input} tokens", read * 100 / input))
        } else {
            Finding::Cannot(format!("none of {} tokens was read from it", first.input))
        })
    }

    async fn ask(&mut self, request: &Request) -> Result<ProbeReply, ModelFailure> {
        let ear = PieceCounter { began: Instant::now(), heard: Mutex::default() };
        let reply = self.model.reply(request, &ear).await?;
        let all = ear.began.elapsed();
        let (pieces, first) = *ear.heard.lock().expect("ear");
        self.report.tokens += reply.usage.total();
        self.report.cost += reply.usage.cost;
        Ok(ProbeReply { reply, pieces, first, all })
    }
}

/// A reply, and how it came.
struct ProbeReply {
    reply: Reply,
    pieces: usize,
    first: Option<Duration>,
    all: Duration,
}

/// Counts pieces, and notes when the first came.
struct PieceCounter {
    began: Instant,
    heard: Mutex<(usize, Option<Duration>)>,
}

impl Deltas for PieceCounter {
    fn piece(&self, piece: Piece) {
        let mut heard = self.heard.lock().expect("ear");
        match piece {
            Piece::Text(_) | Piece::Reasoning(_) | Piece::Call { .. } => {
                heard.0 += 1;
                heard.1 = heard.1.or_else(|| Some(self.began.elapsed()));
            }
            Piece::Again => *heard = (0, None),
        }
    }
}

fn request(text: &str, max_output: u32) -> Request {
    Request {
        application: "probe".to_owned(),
        agent: "probe".to_owned(),
        thread: "probe".to_owned(),
        messages: vec![Message::new(Role::Person, text)],
        sampling: Sampling { temperature: Some(0.0), ..Sampling::default() },
        max_output,
        ..Request::default()
    }
}

fn pair_of_numbers() -> Value {
    json!({
        "type": "object",
        "properties": { "a": { "type": "integer" }, "b": { "type": "integer" } },
        "required": ["a", "b"],
        "additionalProperties": false,
    })
}

/// The beginning of a text, on one line.
fn short(text: &str) -> String {
    const FEW: usize = 60;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let start: String = line.chars().take(FEW).collect();
    if start.len() < line.len() { format!("{start}…") } else { start }
}
