//! What people may spend: the house's word and their own, of each limit the lower, and it counts at once.

use axum::http::Method;
use enza_kernel::application::Phase;
use enza_runtime::engine::{Allowance, Allowances as _, Limit};
use enza_runtime::seams::register::Settings as _;
use enza_server::access::AllowanceCache;
use serde_json::json;

use crate::common::TestServer;

fn tokens(per_day: Option<u64>, in_all: Option<u64>) -> Allowance {
    Allowance { tokens: Limit { per_day, in_all }, money: Limit::default() }
}

#[tokio::test]
async fn of_what_the_house_allows_and_what_a_person_has_set_the_lower_counts() {
    let stage = TestServer::new();
    let ada = stage.newcomer("ada").await;
    let bob = stage.newcomer("bob").await;
    let of = |name: &str| stage.app.allowances().of(name);
    assert_eq!(of("bob"), Allowance::default());

    let rules = json!({ "registration": "open", "limits": { "tokens_per_day": 1000, "tokens_in_all": 9000 } });
    stage.browse(Method::PUT, "/api/house/rules", &ada, Some(rules)).await;
    assert_eq!(of("bob"), tokens(Some(1000), Some(9000)));

    let own = async |per_day: u64| {
        let wish = json!({ "own_limits": { "tokens_per_day": per_day } });
        assert_eq!(stage.browse(Method::PATCH, "/api/account", &bob, Some(wish)).await.status, 200);
    };
    own(300).await;
    assert_eq!(of("bob"), tokens(Some(300), Some(9000)));
    own(5000).await;
    assert_eq!(of("bob"), tokens(Some(1000), Some(9000)));
    assert_eq!(of("ada"), tokens(Some(1000), Some(9000)));

    // What is said of one person stands in place of what is said of everyone.
    let more = json!({ "limits": { "tokens_per_day": 4000 } });
    stage.browse(Method::PATCH, "/api/people/bob", &ada, Some(more)).await;
    assert_eq!(of("bob"), tokens(Some(4000), None));
    let same = json!({ "limits_of_everyone": true });
    stage.browse(Method::PATCH, "/api/people/bob", &ada, Some(same)).await;
    assert_eq!(of("bob"), tokens(Some(1000), Some(9000)));
}

#[tokio::test]
async fn the_engine_asks_before_every_call() {
    let stage = TestServer::new();
    let ada = stage.newcomer("ada").await;
    let session = stage.interview("ada").await;
    assert_eq!(stage.app.engine().row(&session).await.unwrap().standing.phase, Phase::Waiting);
    let wish = json!({ "own_limits": { "tokens_per_day": 1 } });
    stage.browse(Method::PATCH, "/api/account", &ada, Some(wish)).await;
    let session = stage.interview("ada").await;
    assert_eq!(stage.app.engine().row(&session).await.unwrap().standing.phase, Phase::Stuck);
}

#[tokio::test]
async fn a_house_that_opens_knows_what_was_set_before() {
    let stage = TestServer::new();
    stage.store.set_settings(&json!({ "everyone": { "tokens_per_day": 7 } })).await.unwrap();
    let opened = AllowanceCache::open(stage.store.clone()).await.unwrap();
    assert_eq!(opened.of("whoever"), tokens(Some(7), None));
}

#[tokio::test]
async fn settings_that_cannot_be_read_are_a_failure_and_not_no_limit() {
    let stage = TestServer::new();
    stage.store.set_settings(&json!({ "everyone": "as much as they like" })).await.unwrap();
    assert!(AllowanceCache::open(stage.store.clone()).await.is_err());
}
