//! What was spent: by whom, on which day, in which application and session, on which model, and for how much.

use std::sync::Arc;

use enza_kernel::application::Phase;
use enza_kernel::conversation::Usage;
use enza_kernel::time::Seq;
use enza_runtime::seams::store::{
    Append, Appended, Deleted, Fork, Forked, NewEvent, OwnerSpent, SessionOpening, Spent, Store, UsageQuery, UsageRow,
};

use crate::common::{append, at, id, on, opening, standing, stored};

const DAY: i64 = 86_400_000;

/// An amount of which every number is another.
fn amount(times: u64) -> Usage {
    Usage { input: 100 * times, output: 20 * times, cache_read: 30 * times, cache_write: 4 * times, cost: 5 * times }
}

fn spent(model: &str, times: u64) -> Spent {
    Spent { model: model.to_owned(), usage: amount(times), calls: times }
}

/// The append, with one event on this day and these spendings.
fn spending(append: Append, day: i64, usage: Vec<Spent>) -> Append {
    let events = vec![NewEvent { at: at(day * DAY + 1), stored: stored("x") }];
    Append { events, usage, ..append }
}

fn opening_of(session: &str, application: &str, owner: &str) -> Append {
    let opened = SessionOpening::new(application, owner);
    Append { opening: Some(opened), ..opening(session, 1) }
}

/// A line of an interview of Ada's.
fn line(day: i64, model: &str, session: Option<&str>, times: u64) -> UsageRow {
    UsageRow {
        owner: "ada".to_owned(),
        day,
        application: "interview".to_owned(),
        model: model.to_owned(),
        session: session.map(id),
        calls: times,
        usage: amount(times),
    }
}

async fn lines(store: &dyn Store) -> Vec<UsageRow> {
    store.usage(&UsageQuery::default()).await.unwrap()
}

pub async fn usage_is_kept_by_owner_day_application_model_and_session(store: Arc<dyn Store>) {
    append(&*store, spending(opening("b", 1), 7, vec![spent("m", 1)])).await;
    append(&*store, spending(opening("a", 1), 7, vec![spent("m", 2)])).await;
    append(&*store, spending(on("a", 1, 1), 7, vec![spent("m", 3)])).await;
    append(&*store, spending(on("a", 2, 1), 8, vec![spent("m", 4)])).await;
    append(&*store, spending(on("b", 1, 1), 7, vec![spent("", 5)])).await;
    append(&*store, spending(opening_of("n", "novel", "ada"), 7, vec![spent("m", 6)])).await;
    append(&*store, spending(opening_of("c", "interview", "Bob"), -1, vec![spent("m", 7)])).await;
    let bobs = UsageRow { owner: "Bob".to_owned(), ..line(-1, "m", Some("c"), 7) };
    let novel = UsageRow { application: "novel".to_owned(), ..line(7, "m", Some("n"), 6) };
    let all = [
        bobs,
        line(7, "", Some("b"), 5),
        line(7, "m", Some("a"), 5),
        line(7, "m", Some("b"), 1),
        novel,
        line(8, "m", Some("a"), 4),
    ];
    assert_eq!(lines(&*store).await, all);
    let ask = async |query: UsageQuery| store.usage(&query).await.unwrap();
    let any = UsageQuery::default;
    assert_eq!(ask(UsageQuery { owner: Some("Bob".to_owned()), ..any() }).await, all[..1]);
    assert_eq!(ask(UsageQuery { owner: Some("eve".to_owned()), ..any() }).await, []);
    assert_eq!(ask(UsageQuery { session: Some(id("a")), ..any() }).await, [all[2].clone(), all[5].clone()]);
    assert_eq!(ask(UsageQuery { session: Some(id("none")), ..any() }).await, []);
    assert_eq!(ask(UsageQuery { from_day: Some(8), ..any() }).await, all[5..]);
    assert_eq!(ask(UsageQuery { to_day: Some(6), ..any() }).await, all[..1]);
    assert_eq!(ask(UsageQuery { from_day: Some(7), to_day: Some(7), ..any() }).await, all[1..5]);
    let both = UsageQuery {
        owner: Some("ada".to_owned()),
        session: Some(id("n")),
        from_day: Some(7),
        to_day: Some(8),
        ..any()
    };
    assert_eq!(ask(both).await, all[4..5]);
}

pub async fn what_an_owner_has_spent_is_summed_over_everything(store: Arc<dyn Store>) {
    append(&*store, spending(opening("a", 1), 7, vec![spent("m", 1), spent("n", 2)])).await;
    append(&*store, spending(on("a", 1, 1), 8, vec![spent("m", 3)])).await;
    append(&*store, spending(opening_of("b", "novel", "ada"), 7, vec![spent("", 4)])).await;
    append(&*store, spending(opening_of("c", "novel", "bob"), 7, vec![spent("m", 100)])).await;
    let sums = async |owner, day| store.spent(owner, day).await.unwrap();
    assert_eq!(sums("ada", 7).await, OwnerSpent { in_all: amount(10), on_day: amount(7) });
    assert_eq!(sums("ada", 8).await, OwnerSpent { in_all: amount(10), on_day: amount(3) });
    assert_eq!(sums("ada", 9).await, OwnerSpent { in_all: amount(10), on_day: Usage::default() });
    assert_eq!(sums("eve", 7).await, OwnerSpent::default());
}

pub async fn one_append_may_spend_on_several_models(store: Arc<dyn Store>) {
    let several = vec![spent("n", 1), spent("m", 2), spent("n", 3), spent("", 4)];
    append(&*store, spending(opening("a", 1), 7, several)).await;
    append(&*store, spending(on("a", 1, 1), 7, vec![spent("m", 5), spent("o", 6)])).await;
    let expected =
        [line(7, "", Some("a"), 4), line(7, "m", Some("a"), 7), line(7, "n", Some("a"), 4), line(7, "o", Some("a"), 6)];
    assert_eq!(lines(&*store).await, expected);
}

pub async fn an_append_that_is_not_taken_spends_nothing(store: Arc<dyn Store>) {
    append(&*store, spending(opening("a", 1), 7, vec![spent("m", 1)])).await;
    let late = spending(on("a", 0, 1), 7, vec![spent("m", 9)]);
    assert_eq!(store.append(late).await, Ok(Appended::Conflict { head: Seq(1) }));
    assert_eq!(lines(&*store).await, [line(7, "m", Some("a"), 1)]);
}

pub async fn what_deleted_sessions_spent_stays_under_no_session(store: Arc<dyn Store>) {
    append(&*store, spending(opening("a", 1), 7, vec![spent("m", 1), spent("n", 2)])).await;
    append(&*store, spending(on("a", 1, 1), 8, vec![spent("m", 3)])).await;
    append(&*store, spending(opening("b", 1), 7, vec![spent("m", 4)])).await;
    append(&*store, spending(opening_of("c", "novel", "ada"), 7, vec![spent("m", 5)])).await;
    let before = store.spent("ada", 7).await.unwrap();
    assert_eq!(store.delete(&id("a")).await, Ok(Deleted::Deleted));
    let novel = |session| UsageRow { application: "novel".to_owned(), ..line(7, "m", session, 5) };
    let expected = [
        line(7, "m", None, 1),
        line(7, "m", Some("b"), 4),
        line(7, "n", None, 2),
        novel(Some("c")),
        line(8, "m", None, 3),
    ];
    assert_eq!(lines(&*store).await, expected);
    assert_eq!(store.delete(&id("b")).await, Ok(Deleted::Deleted));
    assert_eq!(store.delete(&id("c")).await, Ok(Deleted::Deleted));
    let expected = [line(7, "m", None, 5), line(7, "n", None, 2), novel(None), line(8, "m", None, 3)];
    assert_eq!(lines(&*store).await, expected, "one line for all that are gone, but for each application and model");
    assert_eq!(store.spent("ada", 7).await.unwrap(), before, "a budget is not refilled by a deletion");
    append(&*store, spending(opening("a", 1), 7, vec![spent("m", 6)])).await;
    let of_a = UsageQuery { session: Some(id("a")), ..UsageQuery::default() };
    assert_eq!(store.usage(&of_a).await.unwrap(), [line(7, "m", Some("a"), 6)], "a new one of the name starts anew");
}

pub async fn a_fork_starts_with_nothing_spent(store: Arc<dyn Store>) {
    append(&*store, spending(opening("a", 1), 7, vec![spent("m", 1)])).await;
    let fork = Fork {
        parent: id("a"),
        at: Seq(1),
        child: id("b"),
        owner: "bob".to_owned(),
        standing: standing(Phase::Waiting),
        timers: Vec::new(),
        now: at(7 * DAY + 2),
        quiet: false,
    };
    assert_eq!(store.fork(&fork).await, Ok(Forked::Forked));
    assert_eq!(lines(&*store).await, [line(7, "m", Some("a"), 1)]);
    append(&*store, spending(on("b", 1, 1), 7, vec![spent("m", 2)])).await;
    let of_fork = UsageRow { owner: "bob".to_owned(), ..line(7, "m", Some("b"), 2) };
    assert_eq!(lines(&*store).await, [line(7, "m", Some("a"), 1), of_fork]);
}
