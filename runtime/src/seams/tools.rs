//! The seam to tools that touch the world.
//!
//! A tool marked `Once` is called at most once per key by all processes together; one marked
//! `Repeatable` may be called again with the same key after a crash. A failure means that nothing was
//! done, or says what was: it goes back to the model as it is.

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

/// No tools at all, for applications whose tools are all pure.
pub struct NoTools;

#[async_trait]
impl Tools for NoTools {
    async fn run(&self, _session: &SessionId, run: &RunTool) -> Result<String, ToolFailure> {
        Err(ToolFailure(format!("There is no tool named {} here.", run.tool)))
    }
}
