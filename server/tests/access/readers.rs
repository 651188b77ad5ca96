//! A walk through a session that several people are in: every operation of the document, every page and every feed, as each
//! of them, with what is another's looked for in every answer.
//!
//! The session is a till with two seats whose holders jot down notes; neither the host nor the other seat may ever read
//! them. A till with a leak planted in it must be found out, whichever way it leaks.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use enza_kernel::application::Application;
use enza_kernel::testing::till::{Audience, Command, Seat, SeatCommand, Till};
use enza_kernel::time::Actor;
use enza_runtime::engine::Submission;
use enza_runtime::seams::model::Piece;
use enza_runtime::seams::store::{SessionId, SessionOpening};
use futures_util::StreamExt as _;
use serde_json::json;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

use crate::access::leaks::{self, LeakyTill};
use crate::access::walk::{Operation, operations};
use crate::common::{Answer, PUBLIC, TestServer};

/// What the host alone may know of the till: it is in the event that opened it.
const HOSTS: &[&str] = &["word-of-the-host"];
/// What the cashier alone may know: what was jotted down, and what was thought and said of it.
const CASHIERS: &[&str] = &["word-of-the-cashier", "thought-for-the-cashier", "piece-for-the-cashier"];
/// What the porter alone may know.
const PORTERS: &[&str] = &["word-of-the-porter", "thought-for-the-porter", "piece-for-the-porter"];

/// Somebody who walks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Walker {
    Host,
    Cashier,
    Porter,
    /// Signed in, at a till where everybody may look.
    Spectator,
    /// An administrator, at a till where nobody else may look.
    Administrator,
    /// Signed in, at a till where nobody else may look.
    Stranger,
    /// Not signed in, at a till where anybody may look.
    Passerby,
    /// Not signed in, at a till where only those may look who are.
    Nobody,
}

impl Walker {
    const ALL: [Self; 8] = [
        Self::Host,
        Self::Cashier,
        Self::Porter,
        Self::Spectator,
        Self::Administrator,
        Self::Stranger,
        Self::Passerby,
        Self::Nobody,
    ];

    fn name(self) -> Option<&'static str> {
        match self {
            Self::Host => Some("ada"),
            Self::Cashier => Some("bob"),
            Self::Porter => Some("cyd"),
            Self::Spectator => Some("eve"),
            Self::Administrator => Some("root"),
            Self::Stranger => Some("mal"),
            Self::Passerby | Self::Nobody => None,
        }
    }

    /// Who may look at the till that they come to.
    fn audience(self) -> Audience {
        match self {
            Self::Host | Self::Cashier | Self::Porter | Self::Administrator | Self::Stranger => Audience::Nobody,
            Self::Spectator | Self::Nobody => Audience::People,
            Self::Passerby => Audience::Anybody,
        }
    }

    /// What must be in no answer to them.
    fn forbidden(self) -> Vec<&'static str> {
        let all = [HOSTS, CASHIERS, PORTERS];
        let own: &[&str] = match self {
            Self::Host => HOSTS,
            Self::Cashier => CASHIERS,
            Self::Porter => PORTERS,
            Self::Spectator | Self::Administrator | Self::Stranger | Self::Passerby | Self::Nobody => &[],
        };
        all.into_iter().filter(|one| *one != own).flatten().copied().collect()
    }

    /// What they must come across on their way, or the walk has not looked.
    fn own(self) -> &'static [&'static str] {
        match self {
            Self::Host => HOSTS,
            Self::Cashier => CASHIERS,
            Self::Porter => PORTERS,
            Self::Spectator | Self::Passerby => &["hello"],
            Self::Administrator | Self::Stranger | Self::Nobody => &[],
        }
    }

    /// What they are told of a session that is not for them.
    fn turned_away(self) -> (u16, &'static str) {
        if self.name().is_some() { (404, "session-unknown") } else { (401, "not-signed-in") }
    }
}

/// A house with a till in it.
pub struct Stage {
    pub server: TestServer,
    pub till: SessionId,
}

impl Stage {
    /// A till of ada's, at which bob is the cashier and cyd the porter.
    pub async fn new<A: Application>(application: A, audience: Audience) -> Self {
        let server = TestServer::new().with_application(application);
        for name in ["ada", "bob", "cyd", "eve", "mal"] {
            server.person(name, false).await;
        }
        server.person("root", true).await;
        let till = SessionId::of(uuid::Uuid::now_v7().to_string());
        let command = json!(Command::Open { budget: None, floor: HOSTS[0].to_owned() });
        let submission = Submission { command, by: Actor::Person("ada".to_owned()), key: None };
        server.app.engine().open(&till, SessionOpening::new("till", "ada"), submission).await.unwrap();
        let stage = Self { server, till };
        stage.rest().await;
        stage.send("ada", Command::Say { text: "hello".to_owned() }).await;
        for (seat, person) in [(Seat::Cashier, "bob"), (Seat::Porter, "cyd")] {
            stage.give(seat, Some(person)).await;
        }
        stage.send("ada", Command::Seats(SeatCommand::Admit { audience })).await;
        stage
    }

    pub async fn give(&self, seat: Seat, person: Option<&str>) {
        let person = person.map(str::to_owned);
        self.send("ada", Command::Seats(SeatCommand::Give { seat, person })).await;
    }

    /// Somebody jots down a note, and is thought and spoken about while the reply is written.
    pub async fn jot(&self, person: &str, [word, thought, piece]: [&str; 3]) {
        self.server.model.shows([Piece::Reasoning(thought.to_owned()), Piece::Text(piece.to_owned())]);
        self.send(person, Command::Seats(SeatCommand::Jot { text: word.to_owned() })).await;
    }

    pub async fn send(&self, person: &str, command: Command) {
        let by = Actor::Person(person.to_owned());
        let submission = Submission { command: json!(command), by, key: None };
        self.server.app.engine().submit(&self.till, submission).await.expect("it is theirs to send");
        self.rest().await;
    }

    async fn rest(&self) {
        self.server.app.engine().wait_for_rest(&self.till).await.expect("the understudy replies");
    }

    pub async fn head(&self) -> u64 {
        self.server.app.engine().row(&self.till).await.unwrap().head.0
    }

    /// A request of somebody's, as a browser sends it.
    pub async fn request(
        &self,
        name: Option<&str>,
        method: &Method,
        address: &str,
        body: &'static str,
    ) -> Request<Body> {
        let mut request = Request::builder().method(method.clone()).uri(address).header("origin", PUBLIC);
        if let Some(name) = name {
            // A new one for each, since some operations take it away.
            request = request.header("cookie", self.server.cookie(name).await);
        }
        let request = request.header("accept", "application/json").header("content-type", "application/json");
        request.body(Body::from(body)).expect("a sound request")
    }

    pub async fn ask(&self, name: Option<&str>, method: &Method, address: &str, body: &'static str) -> Answer {
        let request = self.request(name, method, address, body).await;
        self.server.send(request).await
    }
}

/// What somebody heard of a feed, for as long as it was open.
struct Heard {
    what: &'static str,
    text: Arc<Mutex<String>>,
    listening: tokio::task::JoinHandle<()>,
}

impl Stage {
    /// Listens to every feed as somebody, from the first event on.
    async fn listen(&self, walker: Walker) -> Vec<Heard> {
        let sse = |what: &'static str, path: String| async move {
            let request = self.request(walker.name(), &Method::GET, &path, "").await;
            let response = tower::ServiceExt::oneshot(self.server.router.clone(), request).await.expect("never fails");
            let mut body = response.into_body().into_data_stream();
            hear(what, move |text| async move {
                while let Some(Ok(bytes)) = body.next().await {
                    text.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes));
                }
            })
        };
        let address = self.server.listen().await;
        let url = format!("ws://{address}/api/sessions/{}/socket", self.till);
        let mut request = url.into_client_request().unwrap();
        if let Some(name) = walker.name() {
            request.headers_mut().insert("cookie", self.server.cookie(name).await.parse().unwrap());
        }
        let socket = hear("socket", move |text| async move {
            match tokio_tungstenite::connect_async(request).await {
                Ok((mut socket, _)) => {
                    while let Some(Ok(frame)) = socket.next().await {
                        text.lock().unwrap().push_str(&frame.to_string());
                    }
                }
                Err(refused) => text.lock().unwrap().push_str(&refused.to_string()),
            }
        });
        let api = sse("GET live", format!("/api/sessions/{}/live", self.till)).await;
        let page = sse("the page's feed", format!("/sessions/{}/live", self.till)).await;
        vec![api, page, socket]
    }

    /// Everything that somebody is answered: what was asked, and the answer.
    async fn walk(&self, walker: Walker) -> Vec<(String, StatusCode, String)> {
        let mut answers = Vec::new();
        for operation in operations() {
            if is_endless(&operation) || (walker == Walker::Host && operation.name() == "DELETE /api/sessions/{id}") {
                continue;
            }
            let mut addresses = vec![operation.address(self.till.as_str())];
            if operation.path.contains("{seq}") {
                let path = format!("/api/sessions/{}/prompts", self.till);
                addresses = (1..=self.head().await).map(|seq| format!("{path}/{seq}")).collect();
            } else if operation.path.ends_with("/state") {
                let at = (1..=self.head().await).map(|at| format!("{}?at={at}", addresses[0])).collect::<Vec<_>>();
                addresses.extend(at);
            } else if operation.path.ends_with("/events") || operation.path.ends_with("/conversation") {
                addresses[0].push_str("?limit=100");
            }
            for address in addresses {
                let answer = self.ask(walker.name(), &operation.method, &address, operation.body()).await;
                answers.push((format!("{} {address}", operation.method), answer.status, answer.text()));
            }
        }
        for address in self.pages(walker).await {
            let answer = self.ask(walker.name(), &Method::GET, &address, "").await;
            answers.push((address, answer.status, answer.text()));
        }
        answers
    }

    /// The pages that have anything of sessions on them, and those of forks.
    async fn pages(&self, walker: Walker) -> Vec<String> {
        let (till, head) = (&self.till, self.head().await);
        let mut pages: Vec<String> =
            ["/", "/?q=word", "/compare", "/usage", "/settings", "/administration"].map(str::to_owned).into();
        for session in [till.clone(), self.fork(walker).await] {
            let at = format!("/sessions/{session}");
            let plain = ["", "?before=9", "/news?after=0", "/delete", "/inspect", "/gates/g1/files/0"];
            pages.extend(plain.map(|rest| format!("{at}{rest}")));
            pages.extend([format!("/compare?a={till}&b={session}"), format!("/compare?a={session}")]);
            for seq in 1..=head {
                for side in ["event", "state", "prompt", "moves"] {
                    pages.extend(["", "/raw"].map(|raw| format!("{at}/inspect{raw}?at={seq}&side={side}")));
                }
            }
            let api = format!("/api/sessions/{session}");
            pages.extend(
                ["", "/events?limit=100", "/conversation?limit=100", "/export", "/export?raw=true", "/state"]
                    .map(|rest| format!("{api}{rest}")),
            );
        }
        pages
    }

    /// A fork of the till: the walker's own, where they may fork it.
    async fn fork(&self, walker: Walker) -> SessionId {
        let address = format!("/api/sessions/{}/fork", self.till);
        let answer = self.ask(walker.name(), &Method::POST, &address, "{}").await;
        let made = (answer.status == 201).then(|| answer.json()["id"].as_str().map(SessionId::of)).flatten();
        assert_eq!(made.is_some(), walker == Walker::Host, "only the owner forks");
        made.unwrap_or_else(|| self.till.clone())
    }
}

fn hear<F: Future<Output = ()> + Send + 'static>(
    what: &'static str,
    listen: impl FnOnce(Arc<Mutex<String>>) -> F,
) -> Heard {
    let text = Arc::new(Mutex::new(String::new()));
    Heard { what, listening: tokio::spawn(listen(text.clone())), text }
}

/// Feeds are listened to by themselves.
fn is_endless(operation: &Operation) -> bool {
    operation.path.ends_with("/live") && operation.is_of_a_session()
}

/// Waits until something is so, for as long as a busy machine may need.
async fn until(is_so: impl Fn() -> bool) {
    for _ in 0..1_000 {
        if is_so() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("it never was");
}

/// Waits until no feed has anything more to say.
async fn silence(heard: &[Heard]) {
    let length = || heard.iter().map(|one| one.text.lock().unwrap().len()).sum::<usize>();
    let mut before = usize::MAX;
    while length() != before {
        before = length();
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
}

/// What a walk came across that was not for the walker, and where.
async fn leaks_in<A: Application>(application: A, walker: Walker) -> (BTreeSet<String>, String) {
    let stage = Stage::new(application, walker.audience()).await;
    let heard = stage.listen(walker).await;
    // Every feed is there before the first word falls: what was said to it first came after it had begun to listen.
    until(|| heard.iter().all(|one| !one.text.lock().unwrap().is_empty())).await;
    stage.jot("bob", CASHIERS.try_into().unwrap()).await;
    stage.jot("cyd", PORTERS.try_into().unwrap()).await;
    let mut answers = stage.walk(walker).await;
    silence(&heard).await;
    for one in heard {
        one.listening.abort();
        answers.push((one.what.to_owned(), StatusCode::OK, one.text.lock().unwrap().clone()));
    }
    let mut found = BTreeSet::new();
    let mut all = String::new();
    for (asked, status, text) in &answers {
        assert!(!status.is_server_error(), "{walker:?} {asked}: {text}");
        found.extend(
            walker.forbidden().into_iter().filter(|word| text.contains(word)).map(|word| format!("{asked}: {word}")),
        );
        all.push_str(text);
    }
    (found, all)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_comes_across_what_is_anothers_on_any_way_out() {
    for walker in Walker::ALL {
        let (leaks, all) = leaks_in(Till::new(Duration::from_secs(3_600)), walker).await;
        assert_eq!(leaks, BTreeSet::new(), "{walker:?}");
        for own in walker.own() {
            assert!(all.contains(own), "{walker:?} did not come across {own}: the walk has not looked");
        }
    }
}

/// A planted leak, found at some way out that it opens.
async fn is_found<const LEAK: u8>(way_out: &str) {
    let till = || LeakyTill::<LEAK>(Till::new(Duration::from_secs(3_600)));
    let mut found = BTreeSet::new();
    for walker in [Walker::Host, Walker::Porter] {
        let (leaks, _) = leaks_in(till(), walker).await;
        assert!(!leaks.is_empty(), "{walker:?} came across nothing");
        found.extend(leaks);
    }
    assert!(found.iter().any(|leak| leak.contains(way_out)), "not at {way_out}: {found:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_till_that_leaks_its_lines_is_found_out() {
    is_found::<{ leaks::LINES }>("/conversation").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_till_that_leaks_on_its_floor_is_found_out() {
    is_found::<{ leaks::FLOOR }>("/sessions/").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_till_that_leaks_its_events_is_found_out() {
    is_found::<{ leaks::EVENTS }>("/export").await;
    is_found::<{ leaks::EVENTS }>("socket").await;
    is_found::<{ leaks::EVENTS }>("GET live").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_till_that_leaks_its_state_is_found_out() {
    is_found::<{ leaks::STATE }>("/state").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_till_that_leaks_its_prompts_is_found_out() {
    is_found::<{ leaks::PROMPTS }>("/prompts/").await;
    is_found::<{ leaks::PROMPTS }>("side=prompt").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_till_that_lets_everybody_hear_its_thoughts_is_found_out() {
    is_found::<{ leaks::DELTAS }>("GET live: thought-for-the-cashier").await;
    is_found::<{ leaks::DELTAS }>("socket: piece-for-the-cashier").await;
}

/// What only an owner does, and everything where nobody is let in, is answered as if there were no session.
#[tokio::test]
async fn whoever_is_not_let_in_is_answered_as_if_there_were_no_session() {
    for walker in [Walker::Administrator, Walker::Stranger, Walker::Nobody] {
        let stage = Stage::new(Till::new(Duration::from_secs(3_600)), walker.audience()).await;
        let head = stage.head().await;
        for operation in operations().iter().filter(|one| one.is_of_a_session()) {
            let address = operation.address(stage.till.as_str());
            let answer = stage.ask(walker.name(), &operation.method, &address, operation.body()).await;
            let seen = (answer.status.as_u16(), answer.code());
            let (status, code) = walker.turned_away();
            assert_eq!(seen, (status, code.to_owned()), "{walker:?} {}", operation.name());
        }
        assert_eq!(stage.head().await, head, "and nothing happened to it");
    }
}

#[tokio::test]
async fn only_the_owner_forks_and_deletes() {
    for walker in [Walker::Cashier, Walker::Spectator, Walker::Passerby] {
        let stage = Stage::new(Till::new(Duration::from_secs(3_600)), walker.audience()).await;
        let (status, code) = walker.turned_away();
        for (method, rest) in [(Method::POST, "/fork"), (Method::DELETE, "")] {
            let answer = stage.ask(walker.name(), &method, &format!("/api/sessions/{}{rest}", stage.till), "{}").await;
            assert_eq!((answer.status.as_u16(), answer.code()), (status, code.to_owned()), "{walker:?} {rest}");
        }
        assert!(stage.head().await > 0, "it is still there");
    }
}
