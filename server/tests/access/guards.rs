//! What every request is held to, and what every answer wears.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Method, Request};
use enza_kernel::text::{Lang, Said};
use enza_server::Accounts;
use enza_server::access::Proxies;
use enza_server::state::{ModelInUse, Models};
use serde_json::json;

use crate::common::{Answer, TestServer};

async fn get(stage: &TestServer, path: &str, headers: &[(&str, &str)]) -> Answer {
    send(stage, Method::GET, path, headers).await
}

async fn send(stage: &TestServer, method: Method, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    stage.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn the_cookie_is_for_our_pages_alone() {
    let stage = TestServer::new();
    let made = stage.newcomer("ada").await;
    let body = json!({ "name": "ada", "password": super::PASSWORD });
    let answer = stage.browse(Method::POST, "/api/account/sign-in", "", Some(body)).await;
    let set = answer.headers["set-cookie"].to_str().unwrap();
    let attributes: Vec<_> = set.split("; ").skip(1).collect();
    assert_eq!(attributes, ["Path=/", "Max-Age=2592000", "HttpOnly", "SameSite=Lax"]);
    assert_ne!(answer.cookie(), made, "each browser has a secret of its own");
}

#[tokio::test]
async fn over_https_the_cookie_is_secure() {
    let stage = TestServer::reached_by("https://enza.example", Accounts::Shared);
    stage.person("ada", false).await;
    let cookie = stage.cookie("ada").await;
    let headers = [("cookie", cookie.as_str()), ("origin", "https://enza.example")];
    let answer = send(&stage, Method::POST, "/api/account/sign-out", &headers).await;
    let set = answer.headers["set-cookie"].to_str().unwrap();
    assert_eq!(set, "__Host-enza=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure");
    assert_eq!(answer.headers["strict-transport-security"], "max-age=31536000");
}

#[tokio::test]
async fn behind_tls_a_cookie_that_a_neighbouring_host_planted_is_not_read() {
    let stage = TestServer::reached_by("https://enza.example", Accounts::Shared);
    stage.person("ada", false).await;
    let cookie = stage.cookie("ada").await;
    let planted = cookie.replace("__Host-", "");
    assert_eq!(get(&stage, "/api/account", &[("cookie", &cookie)]).await.status, 200);
    assert_eq!(get(&stage, "/api/account", &[("cookie", &planted)]).await.status, 401);
}

/// A request as it comes from a machine, by way of a proxy or not.
async fn from_peer(stage: &TestServer, peer: &str, method: Method, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let peer = ConnectInfo(SocketAddr::new(peer.parse().unwrap(), 40_000));
    stage.send(request.extension(peer).body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn what_came_over_tls_is_known_by_a_named_proxy_and_by_nobody_else() {
    let stage = TestServer::new().rebuilt(|setup| setup.proxies = Proxies::of(["192.0.2.1".parse().unwrap()]));
    stage.person("ada", false).await;
    let (out, secret) = ("/api/account/sign-out", stage.cookie("ada").await);
    let hardened = format!("__Host-{secret}");
    let said = |cookie| [("cookie", cookie), ("x-forwarded-proto", "https"), ("host", "enza.example")];
    let stranger = from_peer(&stage, "192.0.2.9", Method::POST, out, &said(&hardened)).await;
    assert_eq!((stranger.status.as_u16(), stranger.headers.get("strict-transport-security")), (401, None));
    let proxy = from_peer(&stage, "192.0.2.1", Method::POST, out, &said(&hardened)).await;
    assert_eq!(proxy.status, 204);
    assert_eq!(proxy.headers["strict-transport-security"], "max-age=31536000");
    assert!(proxy.headers["set-cookie"].to_str().unwrap().starts_with("__Host-enza=;"));
}

#[tokio::test]
async fn a_page_without_tls_is_another_origin_than_one_with_it() {
    let stage = TestServer::reached_by("https://enza.example", Accounts::Shared)
        .rebuilt(|setup| setup.proxies = Proxies::of(["192.0.2.1".parse().unwrap()]));
    stage.person("ada", false).await;
    let cases = [
        ("https", "https://enza.example", 204),
        ("https", "http://enza.example", 403),
        ("https", "https://other.example", 204),
        ("https", "http://other.example", 403),
        ("http", "http://other.example", 204),
    ];
    for (scheme, origin, status) in cases {
        let cookie = stage.cookie("ada").await;
        let host = origin.split_once("://").unwrap().1;
        let headers = [("cookie", &*cookie), ("origin", origin), ("host", host), ("x-forwarded-proto", scheme)];
        let answer = from_peer(&stage, "192.0.2.1", Method::POST, "/api/account/sign-out", &headers).await;
        assert_eq!(answer.status, status, "{scheme} {origin}");
    }
}

#[tokio::test]
async fn what_a_browser_says_another_site_asked_for_is_refused_though_no_origin_is_said() {
    let stage = TestServer::new();
    let cookie = stage.newcomer("ada").await;
    let out = "/api/account/sign-out-everywhere";
    let sent = |site| [("cookie", cookie.clone()), ("host", "127.0.0.1:7878".to_owned()), ("sec-fetch-site", site)];
    let cross = sent("cross-site".to_owned());
    let cross = cross.each_ref().map(|(name, value)| (*name, value.as_str()));
    assert_eq!(send(&stage, Method::POST, out, &cross).await.code(), "foreign-origin");
    assert_eq!(get(&stage, "/api/account", &cross).await.status, 200, "a link on another site may lead here");
    let ours = sent("same-origin".to_owned());
    let ours = ours.each_ref().map(|(name, value)| (*name, value.as_str()));
    assert_eq!(send(&stage, Method::POST, out, &ours).await.status, 204);
}

#[tokio::test]
async fn alone_only_names_of_this_machine_are_answered() {
    let stage = TestServer::on(Default::default(), Accounts::Alone);
    for host in ["127.0.0.1:7878", "localhost:7878", "LOCALHOST", "[::1]:7878", "127.0.0.2"] {
        assert_eq!(get(&stage, "/api/nothing", &[("host", host)]).await.code(), "nothing-here", "{host}");
    }
    for host in ["evil.example", "evil.example:7878", "localhost.evil.example", "192.168.0.7:7878", "[::2]"] {
        let answer = get(&stage, "/api/nothing", &[("host", host)]).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (403, "foreign-host"), "{host}");
    }
    let shared = TestServer::new();
    assert_eq!(get(&shared, "/api/nothing", &[("host", "enza.example")]).await.code(), "nothing-here");
}

#[tokio::test]
async fn what_another_sites_page_sends_is_refused() {
    let stage = TestServer::new();
    let cookie = stage.newcomer("ada").await;
    let token = stage.token("ada", &["read"]).await;
    let out = "/api/account/sign-out-everywhere";
    for origin in ["https://evil.example", "null", "http://127.0.0.1:9999"] {
        let headers = [("cookie", cookie.as_str()), ("origin", origin), ("host", "127.0.0.1:7878")];
        let answer = send(&stage, Method::POST, out, &headers).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (403, "foreign-origin"), "{origin}");
    }
    // A browser sends no cookie with a token, so a token may come from anywhere.
    let bearer = format!("Bearer {token}");
    let headers = [("authorization", bearer.as_str()), ("origin", "https://evil.example")];
    assert_eq!(send(&stage, Method::POST, out, &headers).await.code(), "not-allowed");
    for origin in ["http://127.0.0.1:7878", "http://localhost:7878"] {
        let cookie = stage.cookie("ada").await;
        let headers = [("cookie", cookie.as_str()), ("origin", origin), ("host", "localhost:7878")];
        assert_eq!(send(&stage, Method::POST, out, &headers).await.status, 204, "{origin}");
    }
}

#[tokio::test]
async fn another_sites_page_opens_no_socket() {
    let stage = TestServer::new();
    let cookie = stage.newcomer("ada").await;
    let headers = [
        ("cookie", cookie.as_str()),
        ("origin", "http://127.0.0.1:9999"),
        ("host", "127.0.0.1:7878"),
        ("connection", "upgrade"),
        ("upgrade", "websocket"),
    ];
    assert_eq!(get(&stage, "/api/nothing", &headers).await.code(), "foreign-origin");
}

#[tokio::test]
async fn a_body_that_is_too_large_is_refused_whether_or_not_it_says_so() {
    let stage = TestServer::new();
    let large = "x".repeat(1_250_001);
    let post = || Request::builder().method(Method::POST).uri("/api/account/sign-in");
    let post = || post().header("content-type", "application/json");
    let told = post().header("content-length", large.len()).body(Body::from(large.clone())).unwrap();
    let answer = stage.send(told).await;
    assert_eq!((answer.status.as_u16(), answer.code().as_str()), (413, "body-too-large"));
    let untold = post().body(Body::from(large)).unwrap();
    assert_eq!(stage.send(untold).await.code(), "body-too-large");
}

#[tokio::test]
async fn what_is_private_is_kept_nowhere_and_every_answer_is_strict() {
    let stage = TestServer::new();
    let cookie = stage.newcomer("ada").await;
    for path in ["/api/account", "/api/nothing", "/nothing"] {
        let answer = stage.browse(Method::GET, path, &cookie, None).await;
        assert_eq!(answer.headers["cache-control"], "no-store", "{path}");
        assert_eq!(answer.headers["x-content-type-options"], "nosniff", "{path}");
        let policy = answer.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{path}: {policy}");
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
    }
}

#[tokio::test]
async fn an_address_may_be_tried_from_twenty_times_quickly_whatever_the_names() {
    let stage = TestServer::new();
    let mut codes = Vec::new();
    for number in 0..21 {
        codes.push(sign_in_from(&stage, "192.0.2.7:40000", None, &format!("name-{number}")).await.code());
    }
    let last = codes.pop().unwrap();
    assert_eq!(codes, vec!["password-wrong"; 20]);
    assert_eq!(last, "too-many-requests");
    // Elsewhere one may.
    assert_eq!(sign_in_from(&stage, "192.0.2.8:40000", None, "name-21").await.code(), "password-wrong");
}

#[tokio::test]
async fn only_a_proxy_that_was_named_is_believed_about_addresses() {
    use enza_runtime::seams::register::AuditLog as _;
    let named = ["10.0.0.0/8".parse().unwrap(), "127.0.0.1".parse().unwrap()];
    let unnamed = TestServer::new();
    let stage = TestServer::new().rebuilt(|setup| setup.proxies = Proxies::of(named));
    let cases = [
        (&unnamed, "127.0.0.1:40000", "198.51.100.2", "127.0.0.1"),
        (&stage, "203.0.113.3:40000", "198.51.100.2", "203.0.113.3"),
        (&stage, "127.0.0.1:40000", "198.51.100.2", "198.51.100.2"),
        // What stands before the first address that is no proxy's was written by whoever it is.
        (&stage, "127.0.0.1:40000", "192.0.2.1, 198.51.100.2", "198.51.100.2"),
        (&stage, "127.0.0.1:40000", "192.0.2.1, 198.51.100.2:5123, 10.0.0.7", "198.51.100.2"),
        (&stage, "127.0.0.1:40000", "192.0.2.1, nonsense, 10.0.0.7", "10.0.0.7"),
        (&stage, "127.0.0.1:40000", "", "127.0.0.1"),
    ];
    for (stage, peer, said, from) in cases {
        sign_in_from(stage, peer, Some(said), "ada").await;
        let lines = stage.store.notes(None, None, 1).await.unwrap();
        assert_eq!(lines[0].note.from, from, "{peer} {said}");
    }
}

async fn sign_in_from(stage: &TestServer, peer: &str, forwarded: Option<&str>, name: &str) -> Answer {
    let body = json!({ "name": name, "password": "not the password" });
    let mut request = Request::builder()
        .method(Method::POST)
        .uri("/api/account/sign-in")
        .header("content-type", "application/json")
        .extension(ConnectInfo(peer.parse::<SocketAddr>().unwrap()));
    if let Some(forwarded) = forwarded {
        request = request.header("x-forwarded-for", forwarded);
    }
    stage.send(request.body(Body::from(body.to_string())).unwrap()).await
}

#[tokio::test]
async fn a_request_that_takes_too_long_is_given_up() {
    let answer = choose_among_rude_models("waits for ever", Duration::from_millis(200)).await;
    assert_eq!((answer.status.as_u16(), answer.code().as_str()), (503, "request-too-slow"));
    assert_eq!(answer.headers["retry-after"], "1");
}

#[tokio::test]
async fn a_body_that_does_not_come_to_its_end_is_the_senders_affair() {
    let stage = TestServer::new().rebuilt(|setup| setup.patience = Duration::from_millis(200));
    for (path, accepts) in [("/api/account/sign-in", "application/json"), ("/sign-in", "text/html")] {
        let half = futures_util::stream::iter([Ok::<_, std::io::Error>("{\"name\":")]);
        let body = Body::from_stream(futures_util::StreamExt::chain(half, futures_util::stream::pending()));
        let kind = if path.starts_with("/api") { "application/json" } else { "application/x-www-form-urlencoded" };
        let request = Request::builder().method(Method::POST).uri(path).header("content-type", kind);
        let answer = stage.send(request.header("accept", accepts).body(body).unwrap()).await;
        assert_eq!(answer.status.as_u16(), 408, "{path}: {}", answer.text());
        let said = "What you sent did not arrive completely";
        assert!(answer.text().contains(said), "{path}: {}", answer.text());
    }
}

#[tokio::test]
async fn a_handler_that_panics_is_our_fault_and_says_nothing_of_why() {
    // With little patience a slow machine would be told that the request was too slow.
    let answer = choose_among_rude_models("panics", Duration::from_secs(30)).await;
    assert_eq!((answer.status.as_u16(), answer.code().as_str()), (500, "internal-error"));
    assert!(!answer.text().contains("a secret of the house"), "{}", answer.text());
}

/// Asks a house with so much patience to use a model.
async fn choose_among_rude_models(name: &str, patience: Duration) -> Answer {
    let stage = TestServer::new().rebuilt(|setup| {
        setup.models = Arc::new(Rude);
        setup.patience = patience;
    });
    stage.person("ada", true).await;
    let token = stage.token("ada", &["admin"]).await;
    stage.ask(Method::PUT, "/api/house/model", &token, Some(json!({ "name": name }))).await
}

/// Models that cannot be chosen: one never answers, the other breaks.
struct Rude;

#[async_trait]
impl Models for Rude {
    fn current(&self) -> ModelInUse {
        ModelInUse { name: "rude".to_owned(), understudy: false }
    }

    fn choices(&self) -> Vec<String> {
        Vec::new()
    }

    async fn choose(&self, name: &str, _: Lang) -> Result<(), Said> {
        assert_ne!(name, "panics", "a secret of the house");
        std::future::pending().await
    }
}
