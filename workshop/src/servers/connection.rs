//! A conversation with one server: introduction, its tools page by page, one call after the other.
//!
//! The protocol is `rmcp`'s; the process and the wire are ours. Nothing a server sends is trusted: lines and lists have their limits, and
//! what it asks of us (a model's words, a person's) it does not get, since we offer nothing of that.

use std::path::PathBuf;
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ClientConfig, Implementation,
    JsonObject, PaginatedRequestParams, Tool,
};
use rmcp::service::{ClientInitializeError, RunningService, ServiceError, serve_client};
use rmcp::transport::async_rw::AsyncRwTransport;

use super::child::{Child, ProcessStarter};
use super::remote::{self, Wire};
use super::{HttpFailure, LONGEST, Server, ServerError, TO_PART, Transport};

/// The most pages of tools, and the most tools.
const PAGES: usize = 50;
const TOOLS: usize = 500;
/// The longest of what a server says about an error.
const WORDS: usize = 1_000;

/// A server that is spoken with.
pub struct Connection {
    // A program is ended first, so that closing the conversation never waits for it.
    line: Channel,
    talk: RunningService<RoleClient, ClientConfig>,
}

/// What the conversation goes over.
enum Channel {
    /// The pipes of a program.
    Program(Child),
    Wire(Wire),
}

impl Connection {
    /// Starts a server, or connects to it, and waits until it has introduced itself.
    pub async fn open(
        nursery: &ProcessStarter,
        server: &Server,
        folder: PathBuf,
        patience: Duration,
    ) -> Result<Self, ServerError> {
        let me =
            ClientConfig::new(ClientCapabilities::default(), Implementation::new("enza", env!("CARGO_PKG_VERSION")));
        let (line, introduced) = match server.way()? {
            Transport::Command { program, arguments } => {
                let (child, ends) = nursery.start(server, (program, arguments), folder).await?;
                let transport = AsyncRwTransport::new_client(ends.output, ends.input).with_max_line_length(LONGEST);
                (Channel::Program(child), tokio::time::timeout(patience, serve_client(me, transport)).await)
            }
            Transport::Address(url) => {
                let wire = remote::wire(server, url, nursery.variable())?;
                let transport = remote::transport(&wire);
                (Channel::Wire(wire), tokio::time::timeout(patience, serve_client(me, transport)).await)
            }
        };
        match introduced {
            Ok(Ok(talk)) => Ok(Self { line, talk }),
            Ok(Err(why)) => Err(line.unintroduced(&why).await),
            Err(_) => Err(line.slow(patience).await),
        }
    }

    /// Whether the server is gone.
    pub fn is_over(&self) -> bool {
        self.talk.is_transport_closed()
    }

    /// Its tools, all pages of them.
    pub async fn tools(&self) -> Result<Vec<Tool>, ServerError> {
        let mut tools = Vec::new();
        let mut cursor = None;
        for _ in 0..PAGES {
            let page = PaginatedRequestParams::default().with_cursor(cursor);
            let page = self.talk.list_tools(Some(page)).await.map_err(|why| self.line.unanswered(why))?;
            tools.extend(page.tools);
            cursor = page.next_cursor;
            if cursor.is_none() || tools.len() >= TOOLS {
                break;
            }
        }
        tools.truncate(TOOLS);
        Ok(tools)
    }

    /// Calls a tool.
    pub async fn call(&self, tool: &str, arguments: JsonObject) -> Result<CallToolResult, ServerError> {
        let call = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        match self.talk.call_tool_once(call).await.map_err(|why| self.line.unanswered(why))? {
            CallToolResponse::Complete(result) => Ok(result),
            // It wants something of a person or a model first, or answers later: neither was offered.
            _ => Err(ServerError::Said { what: "input required".to_owned() }),
        }
    }

    /// Ends it, and gives what it said last.
    pub async fn last_words(self) -> String {
        self.line.last_words().await
    }

    /// Ends it, and tells a server over HTTP that its session is over.
    pub async fn part(mut self) {
        match self.line {
            Channel::Program(child) => drop(child),
            // What comes of it changes nothing for us.
            Channel::Wire(_) => drop(self.talk.close_with_timeout(TO_PART).await),
        }
    }
}

impl Channel {
    async fn last_words(self) -> String {
        match self {
            Self::Program(child) => child.last_words().await,
            Self::Wire(_) => String::new(),
        }
    }

    async fn slow(self, patience: Duration) -> ServerError {
        match self {
            Self::Program(child) => ServerError::slow(patience).with(&child.last_words().await),
            Self::Wire(_) => ServerError::silent(patience),
        }
    }

    async fn unintroduced(self, why: &ClientInitializeError) -> ServerError {
        let is_over = match why {
            ClientInitializeError::ConnectionClosed(_) | ClientInitializeError::TransportError { .. } => true,
            // What else it may be, it was something that the server said.
            _ => false,
        };
        match self {
            Self::Program(child) if is_over => {
                let last_words = child.last_words().await;
                ServerError::NotStarted { why: "it ended at once".to_owned(), last_words }
            }
            Self::Wire(wire) if is_over => {
                wire.lost().unwrap_or(HttpFailure::Foreign { what: "no introduction".to_owned() }).into()
            }
            Self::Program(_) | Self::Wire(_) => ServerError::Nonsense { what: clipped(&why.to_string()) },
        }
    }

    fn unanswered(&self, why: ServiceError) -> ServerError {
        match (why, self) {
            (ServiceError::McpError(error), _) => ServerError::Said { what: clipped(&error.message) },
            (ServiceError::TransportClosed | ServiceError::TransportSend(_), Self::Program(_)) => {
                ServerError::Died { last_words: String::new() }
            }
            (ServiceError::TransportClosed | ServiceError::TransportSend(_), Self::Wire(wire)) => {
                wire.lost().unwrap_or(HttpFailure::CutOff).into()
            }
            (other, _) => ServerError::Nonsense { what: clipped(&other.to_string()) },
        }
    }
}

fn clipped(text: &str) -> String {
    let masked = enza_work::hazard::mask(text);
    enza_kernel::limits::one_line(&masked, WORDS)
}
