//! Which requests were answered, and how.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use enza_kernel::conversation::Digest;
use enza_runtime::seams::register::{Begun, KeptAnswer, KeyedRequest, Pass, PassKind, PendingRequest};
use enza_runtime::seams::store::{Deleted, Failure};
use enza_storage::Opened;

use super::{at_once, issue, pass, welcome};
use crate::common::{append, at, id, opening};

fn asked(person: &str, key: &str, what: &str, time: i64) -> KeyedRequest {
    let (person, key, worker) = (person.to_owned(), key.to_owned(), "w1".to_owned());
    KeyedRequest { person, key, digest: Digest::of(what.as_bytes()), at: at(time), worker }
}

fn under_way(since: i64, by: &str) -> PendingRequest {
    PendingRequest { since: at(since), by: Some(by.to_owned()) }
}

fn answer(status: u16) -> KeptAnswer {
    KeptAnswer { status, body: (0..=255).collect() }
}

pub async fn a_request_is_new_then_under_way_then_answered(Opened { register, .. }: Opened) {
    welcome(&*register, &["ada"]).await;
    let (first, again) = (asked("ada", "k", "open", 5), asked("ada", "k", "open", 8));
    assert_eq!(register.begin(&first).await, Ok(Begun::New));
    assert_eq!(register.begin(&again).await, Ok(Begun::UnderWay(under_way(5, "w1"))));
    assert_eq!(register.keep_answer(&first, &answer(201)).await, Ok(()));
    assert_eq!(register.begin(&again).await, Ok(Begun::Answered(answer(201))));
    let empty = KeptAnswer { status: 204, body: Vec::new() };
    let next = asked("ada", "", "delete", 9);
    assert_eq!(register.begin(&next).await, Ok(Begun::New));
    assert_eq!(register.keep_answer(&next, &empty).await, Ok(()));
    assert_eq!(register.begin(&next).await, Ok(Begun::Answered(empty)));
}

pub async fn a_key_that_was_used_for_another_request_is_refused(Opened { register, .. }: Opened) {
    welcome(&*register, &["ada"]).await;
    let (first, other) = (asked("ada", "k", "open", 5), asked("ada", "k", "delete", 5));
    assert_eq!(register.begin(&first).await, Ok(Begun::New));
    assert_eq!(register.begin(&other).await, Ok(Begun::OtherRequest));
    register.keep_answer(&first, &answer(201)).await.unwrap();
    assert_eq!(register.begin(&other).await, Ok(Begun::OtherRequest));
    assert_eq!(register.begin(&first).await, Ok(Begun::Answered(answer(201))));
}

pub async fn keys_of_two_people_have_nothing_to_do_with_each_other(Opened { register, .. }: Opened) {
    welcome(&*register, &["ada", "bob"]).await;
    let (adas, bobs) = (asked("ada", "k", "open", 5), asked("bob", "k", "delete", 6));
    assert_eq!(register.begin(&adas).await, Ok(Begun::New));
    assert_eq!(register.begin(&bobs).await, Ok(Begun::New));
    register.keep_answer(&adas, &answer(201)).await.unwrap();
    assert_eq!(register.begin(&bobs).await, Ok(Begun::UnderWay(under_way(6, "w1"))));
    assert_eq!(register.begin(&asked("ada", "K", "open", 7)).await, Ok(Begun::New), "keys are compared as they are");
}

pub async fn of_several_who_begin_one_request_at_once_exactly_one_does(Opened { register, .. }: Opened) {
    welcome(&*register, &["ada"]).await;
    for number in 0..10 {
        let key = format!("k{number}");
        let begun = at_once(&register, |register| {
            let request = asked("ada", &key, "open", number);
            async move { register.begin(&request).await.unwrap() }
        });
        let mut begun = begun.await;
        begun.sort_by_key(|one| *one != Begun::New);
        assert_eq!(begun[0], Begun::New);
        assert_eq!(begun[1..], vec![Begun::UnderWay(under_way(number, "w1")); 7]);
    }
}

pub async fn an_answer_that_was_kept_stays(Opened { register, .. }: Opened) {
    welcome(&*register, &["ada"]).await;
    let request = asked("ada", "k", "open", 5);
    register.begin(&request).await.unwrap();
    register.keep_answer(&request, &answer(201)).await.unwrap();
    assert_eq!(register.keep_answer(&request, &answer(500)).await, Ok(()));
    assert_eq!(register.forget(&request).await, Ok(()));
    assert_eq!(register.begin(&request).await, Ok(Begun::Answered(answer(201))));
}

pub async fn an_answer_is_kept_only_for_the_request_that_was_begun(Opened { register, .. }: Opened) {
    welcome(&*register, &["ada"]).await;
    let (request, other) = (asked("ada", "k", "open", 5), asked("ada", "k", "delete", 5));
    assert_eq!(register.keep_answer(&request, &answer(201)).await, Ok(()), "nothing was begun, nothing is kept");
    assert_eq!(register.begin(&request).await, Ok(Begun::New));
    assert_eq!(register.keep_answer(&other, &answer(201)).await, Ok(()));
    assert_eq!(register.begin(&request).await, Ok(Begun::UnderWay(under_way(5, "w1"))));
}

pub async fn a_request_that_came_to_nothing_may_be_sent_again(Opened { register, .. }: Opened) {
    welcome(&*register, &["ada"]).await;
    let (request, other) = (asked("ada", "k", "open", 5), asked("ada", "k", "delete", 6));
    assert_eq!(register.forget(&request).await, Ok(()), "there is nothing to forget");
    register.begin(&request).await.unwrap();
    register.begin(&asked("ada", "k2", "open", 5)).await.unwrap();
    assert_eq!(register.forget(&other).await, Ok(()));
    assert_eq!(
        register.begin(&request).await,
        Ok(Begun::UnderWay(under_way(5, "w1"))),
        "another's word does not count"
    );
    assert_eq!(register.forget(&request).await, Ok(()));
    assert_eq!(register.begin(&other).await, Ok(Begun::New), "the key is free for anything");
    assert_eq!(register.begin(&asked("ada", "k2", "open", 9)).await, Ok(Begun::UnderWay(under_way(5, "w1"))));
}

pub async fn beginning_and_forgetting_at_once_never_lets_two_in(Opened { register, .. }: Opened) {
    welcome(&*register, &["ada"]).await;
    let inside = Arc::new(AtomicU32::new(0));
    let rounds = at_once(&register, |register| {
        let inside = Arc::clone(&inside);
        let request = asked("ada", "k", "open", 5);
        async move {
            for _ in 0..20 {
                match register.begin(&request).await.unwrap() {
                    Begun::New => {
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "somebody else is inside");
                        tokio::task::yield_now().await;
                        inside.fetch_sub(1, Ordering::SeqCst);
                        register.forget(&request).await.unwrap();
                    }
                    other => assert_eq!(other, Begun::UnderWay(under_way(5, "w1"))),
                }
            }
        }
    });
    assert_eq!(rounds.await.len(), 8);
    assert_eq!(register.begin(&asked("ada", "k", "open", 9)).await, Ok(Begun::New));
}

pub async fn of_several_who_take_over_a_dead_workers_request_exactly_one_does(Opened { register, .. }: Opened) {
    welcome(&*register, &["ada"]).await;
    for number in 0..10 {
        let key = format!("k{number}");
        let first = asked("ada", &key, "open", 5);
        assert_eq!(register.begin(&first).await, Ok(Begun::New));
        let taken = at_once(&register, |register| {
            let request = KeyedRequest { worker: "w2".to_owned(), ..asked("ada", &key, "open", 9) };
            async move { register.take_over(&request, &under_way(5, "w1")).await.unwrap() }
        });
        assert_eq!(taken.await.into_iter().filter(|taken| *taken).count(), 1);
        assert_eq!(register.begin(&first).await, Ok(Begun::UnderWay(under_way(9, "w2"))));
        // Whoever had it before was only taken to be dead: what they say of it counts no more.
        register.keep_answer(&first, &answer(500)).await.unwrap();
        register.forget(&first).await.unwrap();
        assert_eq!(register.begin(&first).await, Ok(Begun::UnderWay(under_way(9, "w2"))));
        let second = KeyedRequest { worker: "w2".to_owned(), ..first };
        register.keep_answer(&second, &answer(201)).await.unwrap();
        assert_eq!(register.begin(&second).await, Ok(Begun::Answered(answer(201))));
        assert_eq!(register.take_over(&second, &under_way(9, "w2")).await, Ok(false), "it has its answer");
    }
}

pub async fn a_request_is_taken_over_only_as_it_was_seen(Opened { register, .. }: Opened) {
    welcome(&*register, &["ada"]).await;
    let second = KeyedRequest { worker: "w2".to_owned(), ..asked("ada", "k", "open", 9) };
    assert_eq!(register.take_over(&second, &under_way(5, "w1")).await, Ok(false), "nothing was begun");
    register.begin(&asked("ada", "k", "open", 5)).await.unwrap();
    for seen in [under_way(6, "w1"), under_way(5, "w3"), PendingRequest { since: at(5), by: None }] {
        assert_eq!(register.take_over(&second, &seen).await, Ok(false), "{seen:?}");
    }
    let other = KeyedRequest { worker: "w2".to_owned(), ..asked("ada", "k", "delete", 9) };
    assert_eq!(register.take_over(&other, &under_way(5, "w1")).await, Ok(false), "another request");
    assert_eq!(register.take_over(&second, &under_way(5, "w1")).await, Ok(true));
}

pub async fn what_a_worker_abandons_may_be_sent_again(Opened { register, .. }: Opened) {
    welcome(&*register, &["ada"]).await;
    let (cut_off, answered) = (asked("ada", "a", "x", 5), asked("ada", "b", "x", 5));
    let others = KeyedRequest { worker: "w2".to_owned(), ..asked("ada", "c", "x", 5) };
    for request in [&cut_off, &answered, &others] {
        register.begin(request).await.unwrap();
    }
    register.keep_answer(&answered, &answer(200)).await.unwrap();
    assert_eq!(register.abandon("w1").await, Ok(1));
    assert_eq!(register.abandon("w1").await, Ok(0));
    assert_eq!(register.begin(&cut_off).await, Ok(Begun::New));
    assert_eq!(register.begin(&answered).await, Ok(Begun::Answered(answer(200))));
    assert_eq!(register.begin(&others).await, Ok(Begun::UnderWay(under_way(5, "w2"))));
}

pub async fn a_request_of_somebody_unknown_does_not_begin(Opened { register, .. }: Opened) {
    let begun = register.begin(&asked("eve", "k", "open", 5)).await;
    assert!(matches!(begun, Err(Failure::Other(_))), "{begun:?}");
    welcome(&*register, &["eve"]).await;
    assert_eq!(register.begin(&asked("eve", "k", "open", 6)).await, Ok(Begun::New));
}

pub async fn a_sweep_removes_exactly_what_is_older_or_over(Opened { register, .. }: Opened) {
    welcome(&*register, &["ada"]).await;
    let requests = [asked("ada", "a", "x", 9), asked("ada", "b", "x", 10), asked("ada", "c", "x", 3)];
    for request in &requests {
        register.begin(request).await.unwrap();
    }
    register.keep_answer(&requests[1], &answer(200)).await.unwrap();
    register.keep_answer(&requests[2], &answer(200)).await.unwrap();
    let until = |secret: &str, kind, end: Option<i64>| Pass {
        expires_at: end.map(at),
        ..pass(secret, kind, Some("ada"), end.unwrap_or(0))
    };
    let over = [until("1", PassKind::SignIn, Some(9)), until("2", PassKind::Token, Some(10))];
    let lasting = [until("4", PassKind::SignIn, Some(11)), until("3", PassKind::SignIn, None)];
    issue(&*register, &over).await;
    issue(&*register, &lasting).await;

    assert_eq!(register.sweep(at(2), at(100)).await, Ok(0));
    assert_eq!(register.sweep(at(10), at(100)).await, Ok(4), "two requests and two passes");
    assert_eq!(register.sweep(at(10), at(100)).await, Ok(0));
    assert_eq!(register.passes(None, PassKind::SignIn).await.unwrap(), lasting);
    assert_eq!(register.passes(None, PassKind::Token).await.unwrap(), []);
    assert_eq!(register.begin(&requests[1]).await, Ok(Begun::Answered(answer(200))));
    for request in [&requests[0], &requests[2]] {
        assert_eq!(register.begin(request).await, Ok(Begun::New));
    }
}

pub async fn an_answer_that_a_clock_ahead_dated_was_kept_for_years(Opened { register, .. }: Opened) {
    welcome(&*register, &["ada"]).await;
    let (ahead, usual) = (asked("ada", "ahead", "x", 1_000_000), asked("ada", "usual", "x", 95));
    for request in [&ahead, &usual] {
        register.begin(request).await.unwrap();
        register.keep_answer(request, &answer(200)).await.unwrap();
    }
    assert_eq!(register.sweep(at(90), at(100)).await, Ok(0));
    assert_eq!(register.begin(&ahead).await, Ok(Begun::Answered(answer(200))), "it counts as answered just now");
    assert_eq!(register.sweep(at(100), at(110)).await, Ok(1), "the usual one; the other is of just then");
    assert_eq!(register.sweep(at(101), at(111)).await, Ok(1), "and a day later it goes like any other");
    assert_eq!(register.begin(&ahead).await, Ok(Begun::New));
}

pub async fn what_was_answered_about_a_deleted_session_is_blank(Opened { store, register, .. }: Opened) {
    welcome(&*register, &["ada"]).await;
    append(&*store, opening("session-1", 1)).await;
    let body = |text: &str| KeptAnswer { status: 201, body: text.as_bytes().to_vec() };
    let (about, other) = (asked("ada", "about", "x", 5), asked("ada", "other", "x", 5));
    for (request, kept) in [(&about, body("{\"id\":\"session-1\",\"said\":\"a secret\"}")), (&other, body("{}"))] {
        assert_eq!(register.begin(request).await, Ok(Begun::New));
        assert_eq!(register.keep_answer(request, &kept).await, Ok(()));
    }
    assert_eq!(store.delete(&id("session-1")).await, Ok(Deleted::Deleted));
    assert_eq!(register.begin(&about).await, Ok(Begun::Answered(body(""))), "it is not done twice");
    assert_eq!(register.begin(&other).await, Ok(Begun::Answered(body("{}"))));
}
