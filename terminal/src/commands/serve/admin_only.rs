//! Keeps work in folders of this machine to sessions of those who run the house.
//!
//! Where others have accounts, a session of an application that does so may be someone's who never was, or is no longer,
//! an administrator: begun by an older Enza, or before the person was one no more. The engine takes it up all the same; its
//! tools say no. Other applications' tools are not asked about.

use std::sync::Arc;

use async_trait::async_trait;
use enza_kernel::effect::RunTool;
use enza_runtime::seams::register::Register;
use enza_runtime::seams::store::{Failure, SessionId, Store};
use enza_runtime::seams::tools::{ToolFailure, Tools};

use crate::applications::Applications;

/// The tools of this machine, for administrators alone.
pub struct AdminOnlyTools {
    /// Whose a session is.
    pub store: Arc<dyn Store>,
    /// Who runs the house.
    pub register: Arc<dyn Register>,
    pub tools: Arc<dyn Tools>,
    /// Which applications work on this machine.
    pub applications: Applications,
}

#[async_trait]
impl Tools for AdminOnlyTools {
    async fn run(&self, session: &SessionId, run: &RunTool) -> Result<String, ToolFailure> {
        match self.may_work(session).await {
            Ok(true) => self.tools.run(session, run).await,
            Ok(false) => Err(ToolFailure("Only administrators may work in folders of this machine.".to_owned())),
            Err(failure) => Err(ToolFailure(format!("Nobody could say whose session this is: {failure}"))),
        }
    }
}

impl AdminOnlyTools {
    async fn may_work(&self, session: &SessionId) -> Result<bool, Failure> {
        let works_here = |name: &str| self.applications.find(name).is_some_and(|one| one.is_for_admins);
        let Some(row) = self.store.find(session).await?.filter(|row| works_here(&row.application)) else {
            return Ok(true);
        };
        // What was begun at a terminal of this machine is the business of whoever has the machine.
        if row.owner == crate::setup::OWNER {
            return Ok(true);
        }
        let owner = self.register.person(&row.owner).await?;
        Ok(owner.is_some_and(|person| person.is_admin && !person.is_blocked))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use enza_kernel::effect::{Key, Safety};
    use enza_kernel::testing::till::Till;
    use enza_kernel::time::{Actor, Timestamp};
    use enza_models::understudy::Understudy;
    use enza_runtime::engine::{Allowance, Engine, Setup, Submission};
    use enza_runtime::host::ApplicationRegistry;
    use enza_runtime::seams::register::{People as _, Person};
    use enza_runtime::seams::store::SessionOpening;
    use enza_runtime::seams::tools::NoTools;
    use enza_storage::Memory;
    use serde_json::json;

    use super::*;
    use crate::applications::Registered;
    use crate::setup::OWNER;

    struct Does;

    #[async_trait]
    impl Tools for Does {
        async fn run(&self, _session: &SessionId, _run: &RunTool) -> Result<String, ToolFailure> {
            Ok("done".to_owned())
        }
    }

    #[tokio::test]
    async fn a_session_of_someone_who_does_not_run_the_house_reaches_no_folder() {
        let store = Arc::new(Memory::new());
        for (name, is_admin, is_blocked) in [("ada", true, false), ("eve", false, false), ("old", true, true)] {
            let (display, added_at) = (name.to_owned(), Timestamp(1));
            let (name, allowance) = (display.clone(), Allowance::default());
            let person =
                Person { name, display, password: None, is_admin, is_blocked, lang: None, allowance, added_at };
            store.add(&person).await.unwrap();
        }
        let rules = ApplicationRegistry::default().with(Till::new(Duration::from_secs(60)));
        let understudy = Arc::new(Understudy::new(rules.clone()));
        let engine = Engine::dormant(Setup::new(store.clone(), understudy, Arc::new(NoTools), rules));
        let (tool, arguments) = ("workshop".to_owned(), json!({}));
        let run = RunTool { key: Key::default(), tool, arguments, safety: Safety::Once, started: None, reserve: 0 };
        let tried = async |is_for_admins: bool, owner: &str| {
            let till = Registered { is_for_admins, ..Registered::of::<Till>(|all, _| Ok(all)) };
            let applications = Applications::new(vec![till]);
            let (store, register) = (store.clone(), store.clone());
            let tools = AdminOnlyTools { store, register, tools: Arc::new(Does), applications };
            let session = crate::setup::new_session();
            let command = json!({ "open": { "budget": null, "floor": "" } });
            let submission = Submission { command, by: Actor::Person(owner.to_owned()), key: None };
            engine.open(&session, SessionOpening::new("till", owner), submission).await.unwrap();
            tools.run(&session, &run).await.is_ok()
        };
        for (owner, may) in [("ada", true), ("eve", false), ("old", false), ("gone", false), (OWNER, true)] {
            assert_eq!(tried(true, owner).await, may, "{owner}");
        }
        assert!(tried(false, "eve").await, "other applications are not asked about");
    }
}
