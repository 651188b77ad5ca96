//! A conversation with one running server: introduction, its tools page by page, one call after the other.
//!
//! The protocol is `rmcp`'s; the process is ours. Nothing a server sends is trusted: lines and lists have their limits, and
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

use super::child::{Child, Nursery};
use super::{Server, Trouble};

/// The longest message, in bytes. A longer one is never read, and its call runs out of time.
const LONGEST: usize = 16 << 20;
/// The most pages of tools, and the most tools.
const PAGES: usize = 50;
const TOOLS: usize = 500;
/// The longest of what a server says about an error.
const WORDS: usize = 1_000;

/// A running server.
pub struct Connection {
    // Ended first, so that closing the conversation never waits for it.
    child: Child,
    talk: RunningService<RoleClient, ClientConfig>,
}

impl Connection {
    /// Starts a server and waits until it has introduced itself.
    pub async fn open(
        nursery: &Nursery,
        server: &Server,
        folder: PathBuf,
        patience: Duration,
    ) -> Result<Self, Trouble> {
        let (child, ends) = nursery.start(server, folder).await?;
        let transport = AsyncRwTransport::new_client(ends.output, ends.input).with_max_line_length(LONGEST);
        let me =
            ClientConfig::new(ClientCapabilities::default(), Implementation::new("enza", env!("CARGO_PKG_VERSION")));
        match tokio::time::timeout(patience, serve_client(me, transport)).await {
            Ok(Ok(talk)) => Ok(Self { child, talk }),
            Ok(Err(why)) => Err(unintroduced(&why).with(&child.last_words().await)),
            Err(_) => Err(Trouble::slow(patience).with(&child.last_words().await)),
        }
    }

    /// Whether the server is gone.
    pub fn is_over(&self) -> bool {
        self.talk.is_transport_closed()
    }

    /// Its tools, all pages of them.
    pub async fn tools(&self) -> Result<Vec<Tool>, Trouble> {
        let mut tools = Vec::new();
        let mut cursor = None;
        for _ in 0..PAGES {
            let page = PaginatedRequestParams::default().with_cursor(cursor);
            let page = self.talk.list_tools(Some(page)).await.map_err(unanswered)?;
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
    pub async fn call(&self, tool: &str, arguments: JsonObject) -> Result<CallToolResult, Trouble> {
        let call = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        match self.talk.call_tool_once(call).await.map_err(unanswered)? {
            CallToolResponse::Complete(result) => Ok(result),
            // It wants something of a person or a model first, or answers later: neither was offered.
            _ => Err(Trouble::Said { what: "input required".to_owned() }),
        }
    }

    /// Ends it, and gives what it said last.
    pub async fn last_words(self) -> String {
        self.child.last_words().await
    }
}

fn unintroduced(why: &ClientInitializeError) -> Trouble {
    match why {
        ClientInitializeError::ConnectionClosed(_) | ClientInitializeError::TransportError { .. } => {
            Trouble::NotStarted { why: "it ended at once".to_owned(), last_words: String::new() }
        }
        other => Trouble::Nonsense { what: clipped(&other.to_string()) },
    }
}

fn unanswered(why: ServiceError) -> Trouble {
    match why {
        ServiceError::McpError(error) => Trouble::Said { what: clipped(&error.message) },
        ServiceError::TransportClosed | ServiceError::TransportSend(_) => Trouble::Died { last_words: String::new() },
        other => Trouble::Nonsense { what: clipped(&other.to_string()) },
    }
}

fn clipped(text: &str) -> String {
    let masked = enza_applications::companion::work::hazard::mask(text);
    enza_kernel::limits::one_line(&masked, WORDS)
}
