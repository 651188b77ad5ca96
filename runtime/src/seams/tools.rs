//! The seam to tools that touch the world.
//!
//! A tool marked `Once` is called at most once per key by all processes together; one marked
//! `Repeatable` may be called again with the same key after a crash. A failure means that nothing was
//! done, or says what was: it goes back to the model as it is.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use enza_kernel::effect::RunTool;

use super::store::SessionId;

/// Runs tools.
#[async_trait]
pub trait Tools: Send + Sync {
    /// Runs one. The session and the run's key together are its idempotency key.
    async fn run(&self, session: &SessionId, run: &RunTool) -> Result<String, ToolFailure>;
}

/// A tool that said no, or broke.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ToolFailure(pub String);

/// Tools by their names. Names with a slash (`server/tool`) are those of servers that sessions bring along: nobody knows
/// them beforehand, so whoever runs these is asked for all of them.
#[derive(Clone, Default)]
pub struct ToolRegistry {
    named: BTreeMap<&'static str, Arc<dyn Tools>>,
    of_servers: Option<Arc<dyn Tools>>,
}

impl ToolRegistry {
    /// With whoever runs the tool of this name, in place of whoever ran it before.
    pub fn with(mut self, name: &'static str, tools: Arc<dyn Tools>) -> Self {
        self.named.insert(name, tools);
        self
    }

    /// With whoever runs the tools of servers.
    pub fn with_servers(mut self, tools: Arc<dyn Tools>) -> Self {
        self.of_servers = Some(tools);
        self
    }

    /// Whoever runs the tool of this name.
    pub fn find(&self, name: &str) -> Option<&Arc<dyn Tools>> {
        if name.contains('/') { self.of_servers.as_ref() } else { self.named.get(name) }
    }
}

#[async_trait]
impl Tools for ToolRegistry {
    async fn run(&self, session: &SessionId, run: &RunTool) -> Result<String, ToolFailure> {
        match self.find(&run.tool) {
            Some(tools) => tools.run(session, run).await,
            None => NoTools.run(session, run).await,
        }
    }
}

/// No tools at all, for applications whose tools are all pure.
pub struct NoTools;

#[async_trait]
impl Tools for NoTools {
    async fn run(&self, _session: &SessionId, run: &RunTool) -> Result<String, ToolFailure> {
        Err(ToolFailure(format!("There is no tool named {} here.", run.tool)))
    }
}
