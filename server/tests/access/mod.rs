//! Who gets in, who may do what, and what every request is held to.

mod accounts;
mod administration;
mod allowances;
mod connections;
mod guards;
mod leaks;
mod links;
mod pages;
mod passwords;
mod people;
mod readers;
mod seats;
mod tokens;
mod walk;

use axum::body::Body;
use axum::http::{Method, Request};
use serde_json::Value;

use crate::common::{Answer, TestServer};

/// A password that does.
pub const PASSWORD: &str = "correct horse battery";

impl TestServer {
    /// Sends JSON as a browser of ours would: with a cookie, if any, and from our own origin.
    pub async fn browse(&self, method: Method, path: &str, cookie: &str, body: Option<Value>) -> Answer {
        let mut request = Request::builder().method(method).uri(path).header("origin", "http://127.0.0.1:7878");
        if !cookie.is_empty() {
            request = request.header("cookie", cookie);
        }
        let request = match body {
            Some(body) => request.header("content-type", "application/json").body(Body::from(body.to_string())),
            None => request.body(Body::empty()),
        };
        self.send(request.expect("a sound request")).await
    }

    /// Registers somebody with `PASSWORD` in a house where anyone may, and returns their cookie. The first is made an
    /// administrator by a link, as in life.
    pub async fn newcomer(&self, name: &str) -> String {
        let register = self.app.register();
        let invitation = if enza_server::access::has_administrator(register).await.expect("memory works") {
            let mut rules = enza_server::access::Rules::read(register).await.expect("memory works");
            rules.registration = enza_server::access::Registration::Open;
            rules.write(register).await.expect("memory works");
            None
        } else {
            let link = enza_server::access::issue_link(register, None, self.app.now()).await.expect("memory works");
            Some(link.reveal().to_owned())
        };
        let body = serde_json::json!({ "name": name, "password": PASSWORD, "invitation": invitation });
        let answer = self.browse(Method::POST, "/api/account/register", "", Some(body)).await;
        assert_eq!(answer.status, 204, "{}", answer.text());
        answer.cookie()
    }
}

impl Answer {
    /// The cookie that an answer sets, as a browser sends it back.
    pub fn cookie(&self) -> String {
        let set = self.headers.get("set-cookie").expect("a cookie is set").to_str().expect("plain ASCII");
        set.split(';').next().expect("a pair").to_owned()
    }
}
