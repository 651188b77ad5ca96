//! Writes rules for a project into the user's own file, on a session's word.
//!
//! The user's file and not the project's: what one person allows is no permission for whoever clones the folder.

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use enza_companion::KeepRule;
use enza_kernel::effect::RunTool;
use enza_kernel::text::Lang;
use enza_runtime::seams::store::SessionId;
use enza_runtime::seams::tools::{ToolFailure, Tools};

use super::settings;

/// The tool that keeps rules.
pub struct RuleWriter {
    config: PathBuf,
    lang: Lang,
}

impl RuleWriter {
    /// In the user's file in this config folder.
    pub fn new(config: PathBuf, lang: Lang) -> Self {
        Self { config, lang }
    }
}

#[async_trait]
impl Tools for RuleWriter {
    async fn run(&self, _session: &SessionId, run: &RunTool) -> Result<String, ToolFailure> {
        let KeepRule { folder, rule } = serde_json::from_value(run.arguments.clone())
            .map_err(|why| ToolFailure(format!("The arguments are no rule: {why}")))?;
        settings::keep(&self.config, Path::new(&folder), &rule).map_err(|trouble| {
            let said = enza_terminal::words::trouble::say(&trouble, self.lang);
            ToolFailure(said.in_one())
        })?;
        Ok(self.config.join(settings::FILE).display().to_string())
    }
}
