//! An owner with a published form, and respondents who answer it by its link.

use std::collections::BTreeMap;

use axum::body::Body;
use axum::http::{Method, Request};
use enza_forms::{Command as FormCommand, LinkKind, Rules, Secret, Webhook};
use enza_forms_web::actions::forms::LinkTo;
use enza_forms_web::actions::respond::{self, GuestInterview, InterviewStart};
use enza_interview::{Bootstrap, Field, Form, Group, Interview, Kind, Order, Stage as Progress};
use enza_kernel::text::Lang;
use enza_kernel::time::Actor;
use enza_runtime::engine::Submission;
use enza_runtime::seams::store::{SessionId, SessionOpening};
use enza_server::Accounts;
use enza_server::actions::IdempotencyKey;
use serde_json::{Value, json};

use crate::common::{Answer, TestServer};

/// What signs, in these tests.
pub const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
/// What stands in the form's link.
const TOKEN: &str = "Ab12Cd34Ef56";

/// An owner, her form, and her token.
pub struct FormOwner {
    pub stage: TestServer,
    pub form: SessionId,
    pub token: String,
    pub cookie: String,
}

impl FormOwner {
    /// A house without accounts, which may send to this machine.
    pub async fn new() -> Self {
        Self::in_house(TestServer::with_one_clock(Accounts::Alone)).await
    }

    /// A desk in a house that stands already.
    pub async fn in_house(stage: TestServer) -> Self {
        stage.person("ada", false).await;
        let (token, cookie) = (stage.token("ada", &["read", "write"]).await, stage.cookie("ada").await);
        let form = SessionId::of(uuid::Uuid::now_v7().to_string());
        let begin =
            FormCommand::Begin { title: String::new(), language: Lang::En, form: Some(visit_report()), sentence: None };
        let submission = Submission { command: json!(begin), by: Actor::Person("ada".to_owned()), key: None };
        stage
            .app
            .engine()
            .open(&form, SessionOpening::new("form", "ada"), submission)
            .await
            .expect("the form is sound");
        let desk = Self { stage, form, token, cookie };
        desk.tell(&FormCommand::Publish).await;
        let link = FormCommand::MakeLink {
            token: TOKEN.to_owned(),
            kind: LinkKind::Public,
            note: String::new(),
            prefill: BTreeMap::new(),
        };
        desk.tell(&link).await;
        desk
    }

    /// The owner tells the form something.
    pub async fn tell(&self, command: &FormCommand) {
        let submission = Submission { command: json!(command), by: Actor::Person("ada".to_owned()), key: None };
        self.stage.app.engine().submit(&self.form, submission).await.expect("the form takes it");
    }

    /// Sends submissions on to this address.
    pub async fn send_to(&self, url: &str) {
        let webhook = Some(Webhook { url: url.to_owned(), secret: Secret::new(SECRET) });
        self.tell(&FormCommand::SetWebhook { webhook }).await;
    }

    /// Keeps submissions for so many days.
    pub async fn keep_for(&self, keep_days: u32) {
        self.tell(&FormCommand::SetRules { rules: Rules { keep_days: Some(keep_days), ..Rules::default() } }).await;
    }

    /// What stands behind `/f/`.
    pub fn link(&self) -> LinkTo {
        LinkTo { form: self.form.clone(), token: TOKEN.to_owned() }
    }

    /// Someone comes by the link.
    pub async fn guest(&self) -> GuestInterview {
        self.guest_from(Bootstrap::of(Lang::En)).await
    }

    /// Someone comes by the link, of whom this much is known.
    pub async fn guest_from(&self, bootstrap: Bootstrap) -> GuestInterview {
        let link = self.link();
        let arrival = InterviewStart { bootstrap, ..InterviewStart::default() };
        let ticket =
            respond::begin(&self.stage.app, &link, arrival, IdempotencyKey::default()).await.expect("the form is open");
        self.guest_again(&ticket.to_string()).await
    }

    /// The interview as it stands now.
    pub async fn guest_again(&self, ticket: &str) -> GuestInterview {
        let guest = GuestInterview::find(&self.stage.app, ticket).await.expect("the ticket fits");
        self.stage.app.engine().wait_for_rest(&guest.row.id).await.expect("it comes to rest");
        GuestInterview::find(&self.stage.app, ticket).await.expect("the ticket fits")
    }

    /// Someone writes these into the fields.
    pub async fn fill(&self, guest: GuestInterview, answers: &[(&str, &str)]) -> GuestInterview {
        let answers = answers.iter().map(|(id, text)| ((*id).to_owned(), (*text).to_owned())).collect();
        guest
            .order(&self.stage.app, respond::GuestCommand::Fill(answers), IdempotencyKey::default())
            .await
            .expect("it can be written in");
        self.guest_again(&guest.ticket.to_string()).await
    }

    /// Someone answers everything and says yes.
    pub async fn submitted(&self, answers: &[(&str, &str)]) -> SessionId {
        let guest = self.fill(self.guest().await, answers).await;
        let gate = guest.state.gate().map(|gate| gate.id.clone());
        let gate =
            gate.unwrap_or_else(|| panic!("not at the gate: {:?}, {:?}", guest.state.stage(), guest.state.question()));
        guest
            .order(&self.stage.app, respond::GuestCommand::Submit(gate), IdempotencyKey::default())
            .await
            .expect("everything is there");
        let guest = self.guest_again(&guest.ticket.to_string()).await;
        assert!(guest.state.stage().is_submitted(), "{:?}", guest.state.stage());
        guest.row.id
    }

    /// Waits until a submission has arrived; the test's own time limit is the safety net.
    pub async fn arrived(&self, session: &SessionId) {
        loop {
            let (_, state) = self.stage.app.engine().state::<Interview>(session).await.expect("it is there");
            if state.stage() == Progress::Delivered {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.stage.ask(Method::GET, path, &self.token, None).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.stage.ask(Method::DELETE, path, &self.token, None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.stage.ask(Method::POST, path, &self.token, Some(body)).await
    }

    /// Sends a form of a page, without scripts.
    pub async fn press(&self, path: &str) -> Answer {
        let request = Request::post(path)
            .header("cookie", &self.cookie)
            .header("origin", crate::common::PUBLIC)
            .header("accept", "text/html")
            .header("accept-language", "en")
            .header("content-type", "application/x-www-form-urlencoded");
        self.stage.send(request.body(Body::empty()).expect("a sound request")).await
    }

    /// The address of the form's answers on the pages.
    pub fn page(&self) -> String {
        format!("/forms/{}/submissions", self.form)
    }

    /// The address of the form for programs.
    pub fn api(&self) -> String {
        format!("/api/forms/{}", self.form)
    }
}

/// A form with a field of most kinds, one of them sensitive, and a group.
pub fn visit_report() -> Form {
    let guest = Field { group: Some("guests".to_owned()), ..Field::new("age", "Age", Kind::Number) };
    Form {
        title: "Visit report".to_owned(),
        language: Lang::En,
        order: Order::Fixed,
        fields: vec![
            Field::new("day", "Day of the visit", Kind::Date).required(),
            Field::new("people", "How many came", Kind::Number),
            Field { sensitive: true, ..Field::new("mail", "Contact", Kind::Email) },
            Field::new("pleased", "Were they pleased", Kind::YesNo),
            guest,
        ],
        groups: vec![Group { group_id: "guests".to_owned(), item: "guest".to_owned(), min: 1, max: 1 }],
        ..Form::default()
    }
}

/// Answers to all of it; the group has one guest.
pub const ALL: &[(&str, &str)] =
    &[("day", "2026-11-03"), ("people", "-3"), ("mail", "ada@example.org"), ("pleased", "yes"), ("guests.1.age", "41")];
