//! What forms put behind an engine: the delivery of what was answered to them, and their part of the server.
//!
//! Only a server delivers. Whoever works elsewhere leaves a form's submission to the next one, by failing to deliver it;
//! that is what the interview's own tool does, in whose place this one stands.

use std::sync::Arc;

use enza_forms_web::FormsWeb;
use enza_forms_web::webhook::{DeliveryTool, EgressPolicy};
use enza_interview::DELIVER;
use enza_runtime::seams::store::Store;
use enza_runtime::seams::tools::{NoTools, ToolRegistry};
use enza_server::AppState;
use enza_server::part::WebPart;
use enza_terminal::environment::Environment;
use enza_terminal::part::{Serving, ToolSet};
use tokio::sync::watch;

/// The tools of forms.
pub fn tools(_around: &Environment, _store: &Arc<dyn Store>) -> Arc<dyn ToolSet> {
    Arc::new(FormsTools { app: watch::Sender::new(None) })
}

/// The part of a server.
pub fn web(serving: Serving) -> Arc<dyn WebPart> {
    let policy = if serving.reaches_private { EgressPolicy::Anywhere } else { EgressPolicy::Public };
    Arc::new(FormsWeb::new(policy))
}

struct FormsTools {
    app: watch::Sender<Option<AppState>>,
}

impl ToolSet for FormsTools {
    fn add_to(&self, registry: ToolRegistry) -> ToolRegistry {
        registry
    }

    fn add_to_server(&self, registry: ToolRegistry) -> ToolRegistry {
        let without_form = registry.find(DELIVER).cloned().unwrap_or_else(|| Arc::new(NoTools));
        registry.with(DELIVER, Arc::new(DeliveryTool { without_form, app: self.app.subscribe() }))
    }

    fn served(&self, app: &AppState) {
        self.app.send_replace(Some(app.clone()));
    }
}
