//! A house for tests: a store in memory, the interview, and a model that is the understudy unless it is told otherwise.
//!
//! Requests go through the whole router in this process; tests that need a real connection call `listen`. People are
//! let in by passes that are put into the register directly, so that no test depends on how signing in works.
#![allow(dead_code, reason = "each crate whose tests share this takes what it needs")]

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode};
use enza_companion::Companion;
use enza_companion_web::CompanionWeb;
use enza_forms::Forms;
use enza_forms_web::FormsWeb;
use enza_forms_web::webhook::{DeliveryTool, EgressPolicy};
use enza_interview::{Form, Interview, Open};
use enza_interview_web::InterviewWeb;
use enza_kernel::application::Application;
use enza_kernel::conversation::{Reply, Request as Prompt};
use enza_kernel::effect::RunTool;
use enza_kernel::text::{Lang, Said};
use enza_kernel::time::Timestamp;
use enza_runtime::engine::{Allowance, Engine};
use enza_runtime::host::ApplicationRegistry;
use enza_runtime::seams::clock::{Clock, WallClock};
use enza_runtime::seams::model::{Deltas, Model, ModelFailure, Piece};
use enza_runtime::seams::register::{Pass, PassKind, Person, Register};
use enza_runtime::seams::store::{SessionId, SessionOpening, Store};
use enza_runtime::seams::tools::{ToolFailure, Tools};
use enza_server::access::{AllowanceCache, Proxies, Secret};
use enza_server::part::Parts;
use enza_server::prepare::Prepare;
use enza_server::state::{Mask, ModelInUse, Models};
use enza_server::{Accounts, AppState, Connections, Setup};
use enza_storage::{Memory, Opened};
use serde_json::{Value, json};
use tokio::sync::watch;
use tower::ServiceExt as _;

/// How people reach a house, where a test does not say otherwise.
pub const PUBLIC: &str = "http://127.0.0.1:7878";

/// A house and everything in it.
pub struct TestServer {
    pub store: Arc<Memory>,
    pub model: Arc<ScriptedModel>,
    pub clock: Arc<PushedClock>,
    pub app: AppState,
    pub router: Router,
}

/// An answer, read to its end.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl TestServer {
    /// A house with accounts, and nobody in it yet.
    pub fn new() -> Self {
        Self::on(Arc::new(Memory::new()), Accounts::Shared)
    }

    /// A house on a store that may have seen others.
    pub fn on(store: Arc<Memory>, accounts: Accounts) -> Self {
        Self::built(store.clone(), store, accounts, Setup::STREAMS, PUBLIC)
    }

    /// A house whose sessions are reached by way of something in front of the store.
    pub fn behind(store: Arc<Memory>, line: Arc<dyn Store>) -> Self {
        Self::built(store, line, Accounts::Shared, Setup::STREAMS, PUBLIC)
    }

    /// A house in which a person may have so many live streams.
    pub fn with_streams(streams: usize) -> Self {
        let store = Arc::new(Memory::new());
        Self::built(store.clone(), store, Accounts::Shared, streams, PUBLIC)
    }

    /// A new house that people reach by another address.
    pub fn reached_by(public: &str, accounts: Accounts) -> Self {
        let store = Arc::new(Memory::new());
        Self::built(store.clone(), store, accounts, Setup::STREAMS, public)
    }

    /// A house whose engine has the clock that is pushed, so that what waits for days can be seen to happen.
    pub fn with_one_clock(accounts: Accounts) -> Self {
        let store = Arc::new(Memory::new());
        Self::raised(store.clone(), store, accounts, Setup::STREAMS, PUBLIC, |clock| clock, None)
    }

    /// A house on a database; nothing of it is in the store of the stage.
    pub fn on_disk(opened: Opened, accounts: Accounts) -> Self {
        let Opened { store, register, .. } = opened;
        let (nothing, clock) = (Arc::new(Memory::new()), |clock| clock as Arc<dyn Clock>);
        Self::furnished(nothing, store, register, accounts, Setup::STREAMS, PUBLIC, clock, None)
    }

    /// A house whose companion may work in these folders.
    pub fn with_folders(accounts: Accounts, folders: Arc<dyn Prepare>) -> Self {
        let store = Arc::new(Memory::new());
        let clock = |_| Arc::new(WallClock) as Arc<dyn Clock>;
        Self::raised(store.clone(), store, accounts, Setup::STREAMS, PUBLIC, clock, Some(folders))
    }

    fn built(store: Arc<Memory>, line: Arc<dyn Store>, accounts: Accounts, streams: usize, public: &str) -> Self {
        Self::raised(store, line, accounts, streams, public, |_| Arc::new(WallClock), None)
    }

    fn raised(
        store: Arc<Memory>,
        line: Arc<dyn Store>,
        accounts: Accounts,
        streams: usize,
        public: &str,
        engine_clock: fn(Arc<PushedClock>) -> Arc<dyn Clock>,
        folders: Option<Arc<dyn Prepare>>,
    ) -> Self {
        let register = store.clone();
        Self::furnished(store, line, register, accounts, streams, public, engine_clock, folders)
    }

    #[expect(clippy::too_many_arguments, reason = "each is one way in which houses of tests differ")]
    fn furnished(
        store: Arc<Memory>,
        line: Arc<dyn Store>,
        register: Arc<dyn Register>,
        accounts: Accounts,
        streams: usize,
        public: &str,
        engine_clock: fn(Arc<PushedClock>) -> Arc<dyn Clock>,
        folders: Option<Arc<dyn Prepare>>,
    ) -> Self {
        let repertoire = ApplicationRegistry::default().with(Interview::new()).with(Forms::new());
        let repertoire = if folders.is_some() { repertoire.with(Companion::new()) } else { repertoire };
        let clock = Arc::new(PushedClock::default());
        let model = Arc::new(ScriptedModel {
            repertoire: repertoire.clone(),
            script: Mutex::default(),
            pieces: Mutex::default(),
        });
        let allowances = AllowanceCache::unread(register.clone());
        let opened = watch::Sender::new(None);
        let post = Arc::new(DeliveryTool { without_form: Arc::new(NullTools), app: opened.subscribe() });
        let setup = enza_runtime::engine::Setup {
            clock: engine_clock(clock.clone()),
            allowances: allowances.clone(),
            patrol: Duration::from_millis(50),
            ..enza_runtime::engine::Setup::new(line, model.clone(), post, repertoire)
        };
        let app = AppState::new(Setup {
            engine: Engine::start(setup),
            register,
            clock: clock.clone(),
            allowances,
            accounts,
            models: Arc::new(OneModel),
            public: public.to_owned(),
            patience: Duration::from_secs(30),
            streams,
            connections: Connections::default(),
            proxies: Proxies::default(),
            contents: None,
            workers: None,
            parts: parts(accounts),
            prepares: folders.into_iter().collect(),
            masks: masks(),
        });
        opened.send_replace(Some(app.clone()));
        let router = enza_server::router(app.clone());
        Self { store, model, clock, app, router }
    }

    /// The same house, run another way.
    pub fn rebuilt(mut self, change: impl FnOnce(&mut Setup)) -> Self {
        let mut setup = Setup {
            engine: self.app.engine().clone(),
            register: self.store.clone(),
            clock: self.clock.clone(),
            allowances: AllowanceCache::unread(self.store.clone()),
            accounts: self.app.accounts(),
            models: Arc::new(OneModel),
            public: self.app.public().to_owned(),
            patience: self.app.patience(),
            streams: self.app.streams(),
            connections: *self.app.connections(),
            proxies: self.app.proxies().clone(),
            contents: None,
            workers: None,
            parts: parts(Accounts::Shared),
            prepares: Vec::new(),
            masks: masks(),
        };
        change(&mut setup);
        self.app = AppState::new(setup);
        self.router = enza_server::router(self.app.clone());
        self
    }

    /// The same house with one application in it.
    pub fn with_application<A: Application>(self, application: A) -> Self {
        let repertoire = ApplicationRegistry::default().with(application);
        let (script, pieces) = (Mutex::default(), Mutex::default());
        let model = Arc::new(ScriptedModel { repertoire: repertoire.clone(), script, pieces });
        let (store, actor) = (self.store.clone(), model.clone());
        let house = self.rebuilt(|setup| {
            let tools = Arc::new(NullTools);
            let engine = enza_runtime::engine::Setup::new(store, actor, tools, repertoire);
            setup.engine = Engine::start(engine);
        });
        Self { model, ..house }
    }

    /// Adds a person; with the password `correct horse` only where the test sets one itself.
    pub async fn person(&self, name: &str, is_admin: bool) {
        let person = Person {
            name: name.to_owned(),
            display: name.to_owned(),
            password: None,
            is_admin,
            is_blocked: false,
            lang: None,
            allowance: Allowance::default(),
            added_at: Timestamp(1),
        };
        self.app.register().add(&person).await.expect("the register works");
    }

    /// A token of a person's, with these scopes.
    pub async fn token(&self, name: &str, scopes: &[&str]) -> String {
        self.pass(name, PassKind::Token, scopes).await
    }

    /// The value of a person's cookie header.
    pub async fn cookie(&self, name: &str) -> String {
        let label = if self.app.public().starts_with("https://") { "__Host-enza" } else { "enza" };
        format!("{label}={}", self.pass(name, PassKind::SignIn, &[]).await)
    }

    async fn pass(&self, name: &str, kind: PassKind, scopes: &[&str]) -> String {
        let secret = Secret::draw("enza");
        let pass = Pass {
            digest: secret.digest(),
            kind,
            person: Some(name.to_owned()),
            label: "for a test".to_owned(),
            scopes: scopes.iter().map(|scope| (*scope).to_owned()).collect(),
            issued_at: self.app.now(),
            expires_at: None,
            used_at: None,
        };
        self.app.register().issue(&pass).await.expect("the register works");
        secret.reveal().to_owned()
    }

    /// Sends a request, whatever it is.
    pub async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.expect("a router never fails");
        let (parts, body) = response.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.expect("the body ends");
        Answer { status: parts.status, headers: parts.headers, body }
    }

    /// Asks for something with a token.
    pub async fn ask(&self, method: Method, path: &str, token: &str, body: Option<Value>) -> Answer {
        let request = Request::builder().method(method).uri(path).header("authorization", format!("Bearer {token}"));
        let request = match body {
            Some(body) => request.header("content-type", "application/json").body(Body::from(body.to_string())),
            None => request.body(Body::empty()),
        };
        self.send(request.expect("a sound request")).await
    }

    /// Looks at a page with a cookie, in a language.
    pub async fn look(&self, path: &str, cookie: &str, lang: Lang) -> Answer {
        let request = Request::builder().uri(path).header("cookie", cookie).header("accept-language", lang.to_string());
        let request = request.header("accept", "text/html,application/xhtml+xml");
        self.send(request.body(Body::empty()).expect("a sound request")).await
    }

    /// Opens an interview of the sample form for a person, through the engine.
    pub async fn interview(&self, owner: &str) -> SessionId {
        self.interview_as(SessionOpening::new("interview", owner)).await
    }

    /// The same, as one that may belong to another session.
    pub async fn interview_as(&self, opening: SessionOpening) -> SessionId {
        let session = SessionId::of(uuid::Uuid::now_v7().to_string());
        let submission = enza_runtime::engine::Submission {
            command: json!({ "open": Open::at_home(Form::sample(Lang::En)) }),
            by: enza_kernel::time::Actor::Person(opening.owner.clone()),
            key: None,
        };
        self.app.engine().open(&session, opening, submission).await.expect("the form is sound");
        self.app.engine().wait_for_rest(&session).await.expect("the understudy asks");
        session
    }

    /// Serves on a free port of this machine until the house is closed.
    pub async fn listen(&self) -> SocketAddr {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (app, stop) = (self.app.clone(), self.app.closed());
        tokio::spawn(async move { enza_server::serve(listener, app, stop).await });
        address
    }
}

impl Answer {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|why| panic!("not JSON ({why}): {}", self.text()))
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The code of the problem in the body.
    pub fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }
}

/// What applications add, as a house of this kind has it.
pub fn parts(accounts: Accounts) -> Parts {
    let reach = if accounts == Accounts::Alone { EgressPolicy::Anywhere } else { EgressPolicy::Public };
    vec![Arc::new(FormsWeb::new(reach)), Arc::new(InterviewWeb), Arc::new(CompanionWeb)]
}

fn masks() -> BTreeMap<&'static str, Mask> {
    BTreeMap::from([(Companion::NAME, enza_companion_web::MASK)])
}

/// Plays what it is given, in order, and then as the understudy.
pub struct ScriptedModel {
    repertoire: ApplicationRegistry,
    script: Mutex<VecDeque<Result<Reply, ModelFailure>>>,
    pieces: Mutex<VecDeque<Piece>>,
}

impl ScriptedModel {
    /// What to show of the next reply before it is there.
    pub fn shows(&self, pieces: impl IntoIterator<Item = Piece>) {
        self.pieces.lock().expect("pieces").extend(pieces);
    }

    /// What to reply next.
    pub fn then(&self, reply: Result<Reply, ModelFailure>) {
        self.script.lock().expect("script").push_back(reply);
    }
}

#[async_trait]
impl Model for ScriptedModel {
    fn name(&self, _request: &Prompt) -> String {
        "actor".to_owned()
    }

    async fn reply(&self, request: &Prompt, deltas: &dyn Deltas) -> Result<Reply, ModelFailure> {
        let pieces: Vec<_> = self.pieces.lock().expect("pieces").drain(..).collect();
        pieces.into_iter().for_each(|piece| deltas.piece(piece));
        if let Some(reply) = self.script.lock().expect("script").pop_front() {
            return reply;
        }
        let host = self.repertoire.find(&request.application).expect("an application that is there");
        host.understudy(request).ok_or_else(|| ModelFailure::Refused("there is no understudy".to_owned()))
    }
}

/// The house's clock: stands still from when it was made, and goes on when it is pushed. The engine has the wall's.
pub struct PushedClock(AtomicI64);

impl Default for PushedClock {
    fn default() -> Self {
        Self(AtomicI64::new(WallClock.now().0))
    }
}

impl PushedClock {
    /// Lets so much time pass at once.
    pub fn push(&self, by: Duration) {
        self.0.fetch_add(i64::try_from(by.as_millis()).expect("a human span"), Ordering::Relaxed);
    }

    /// Puts the clock back by so much.
    pub fn pull(&self, by: Duration) {
        self.0.fetch_sub(i64::try_from(by.as_millis()).expect("a human span"), Ordering::Relaxed);
    }
}

impl Clock for PushedClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::Relaxed))
    }
}

/// Delivers everything to nowhere.
struct NullTools;

#[async_trait]
impl Tools for NullTools {
    async fn run(&self, _session: &SessionId, _run: &RunTool) -> Result<String, ToolFailure> {
        Ok("delivered".to_owned())
    }
}

/// There is one model, and it stays.
struct OneModel;

#[async_trait]
impl Models for OneModel {
    fn current(&self) -> ModelInUse {
        ModelInUse { name: "understudy".to_owned(), understudy: true }
    }

    fn choices(&self) -> Vec<String> {
        vec!["understudy".to_owned()]
    }

    async fn choose(&self, name: &str, _lang: Lang) -> Result<(), Said> {
        Err(Said::new(format!("There is no model named {name}."), "Use the one there is."))
    }
}
