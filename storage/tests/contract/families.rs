//! Families: sessions that belong to another, as interviews belong to their form.

use std::sync::Arc;

use enza_kernel::application::{Phase, Row};
use enza_kernel::conversation::Usage;
use enza_kernel::time::Seq;
use enza_runtime::seams::store::{
    Append, Appended, Deleted, Family, Filter, Fork, Forked, Rows, SessionOpening, SessionRow, SnapshotUse, Spent,
    Store, TableRow, UsageQuery,
};
use serde_json::json;

use crate::common::{append, at, id, log, on, opening, recorded, standing};

/// The first events of a session that belongs to another.
fn member(session: &str, of: &str, count: usize) -> Append {
    Append { opening: Some(SessionOpening::new("interview", "ada").of(&id(of))), ..opening(session, count) }
}

async fn names(store: &dyn Store, filter: Filter) -> Vec<String> {
    store.list(&filter).await.unwrap().into_iter().map(|row| row.id.to_string()).collect()
}

fn of(session: &str) -> Filter {
    Filter { family: Family::Of(id(session)), ..Filter::default() }
}

fn fork(parent: &str, child: &str) -> Fork {
    Fork {
        parent: id(parent),
        at: Seq(1),
        child: id(child),
        owner: "bob".to_owned(),
        standing: standing(Phase::Waiting),
        timers: Vec::new(),
        now: at(9_000),
        quiet: false,
    }
}

pub async fn a_session_says_what_it_belongs_to(store: Arc<dyn Store>) {
    append(&*store, opening("form", 1)).await;
    append(&*store, member("a", "form", 2)).await;
    let row = SessionRow {
        id: id("a"),
        application: "interview".to_owned(),
        owner: "ada".to_owned(),
        of: Some(id("form")),
        head: Seq(3),
        standing: standing(Phase::Waiting),
        opened_at: at(1_000),
        changed_at: at(3_000),
        parent: None,
        quiet: false,
    };
    append(&*store, on("a", 2, 1)).await;
    assert_eq!(store.find(&id("a")).await, Ok(Some(row.clone())));
    assert_eq!(store.load(&id("a"), SnapshotUse::Never).await.unwrap().unwrap().row, row);
    assert_eq!(store.list(&of("form")).await, Ok(vec![row]));
    assert_eq!(store.find(&id("form")).await.unwrap().unwrap().of, None);
}

pub async fn nobody_can_belong_to_a_session_that_is_not_there(store: Arc<dyn Store>) {
    append(&*store, opening("form", 1)).await;
    assert_eq!(store.append(member("a", "none", 1)).await, Ok(Appended::Conflict { head: Seq::START }));
    assert_eq!(store.append(member("a", "a", 1)).await, Ok(Appended::Conflict { head: Seq::START }));
    assert_eq!(store.find(&id("a")).await, Ok(None));
    append(&*store, member("a", "form", 1)).await;
    assert_eq!(store.append(member("a", "none", 1)).await, Ok(Appended::Conflict { head: Seq(1) }));
    assert_eq!(log(&*store, "a").await, recorded("a", 1..=1));
}

pub async fn lists_tell_families_from_those_who_are_alone(store: Arc<dyn Store>) {
    for form in ["f1", "f2"] {
        append(&*store, opening(form, 1)).await;
    }
    append(&*store, member("a", "f1", 3)).await;
    append(&*store, member("b", "f1", 2)).await;
    append(&*store, member("c", "f2", 4)).await;
    let bobs = Append { opening: Some(SessionOpening::new("interview", "bob").of(&id("f1"))), ..opening("d", 5) };
    append(&*store, bobs).await;
    append(&*store, member("deep", "a", 6)).await;
    let all = Filter::default;
    let ada = || Some("ada".to_owned());
    assert_eq!(names(&*store, all()).await, ["deep", "d", "c", "a", "b", "f1", "f2"]);
    assert_eq!(names(&*store, Filter { owner: ada(), ..all() }).await, ["deep", "c", "a", "b", "f1", "f2"]);
    let alone = || Filter { family: Family::Alone, ..all() };
    assert_eq!(names(&*store, alone()).await, ["f1", "f2"]);
    assert_eq!(names(&*store, Filter { owner: ada(), ..alone() }).await, ["f1", "f2"]);
    assert_eq!(names(&*store, Filter { owner: Some("bob".to_owned()), ..alone() }).await, [""; 0]);
    assert_eq!(names(&*store, of("f1")).await, ["d", "a", "b"], "not those of a member");
    assert_eq!(names(&*store, Filter { owner: ada(), ..of("f1") }).await, ["a", "b"]);
    assert_eq!(names(&*store, of("f2")).await, ["c"]);
    assert_eq!(names(&*store, of("b")).await, [""; 0]);
    assert_eq!(names(&*store, of("none")).await, [""; 0]);
    append(&*store, on("b", 2, 9)).await;
    assert_eq!(names(&*store, Filter { limit: 2, ..of("f1") }).await, ["b", "d"], "the last change counts");
}

pub async fn pages_of_a_family_join_without_gap_or_repeat(store: Arc<dyn Store>) {
    for form in ["f", "other"] {
        append(&*store, opening(form, 1)).await;
    }
    // Of three moments, so that pages end in the middle of one; every fourth belongs elsewhere.
    for number in 0..40 {
        let form = if number % 4 == 0 { "other" } else { "f" };
        append(&*store, member(&format!("s{}", number * 7 % 40), form, 1 + number % 3)).await;
    }
    let alone = Filter { owner: Some("ada".to_owned()), family: Family::Alone, ..Filter::default() };
    for (filter, count) in [(of("f"), 30), (of("other"), 10), (alone, 2)] {
        let whole = store.list(&filter).await.unwrap();
        assert_eq!(whole.len(), count);
        for limit in [1, 3, 30, 31] {
            let (mut joined, mut after) = (Vec::new(), None);
            loop {
                let page = store.list(&Filter { after, limit, ..filter.clone() }).await.unwrap();
                let Some(last) = page.last() else { break };
                after = Some((last.changed_at, last.id.clone()));
                joined.extend(page);
            }
            assert_eq!(joined, whole, "by {limit}");
        }
    }
}

pub async fn a_fork_belongs_to_what_its_parent_belongs_to(store: Arc<dyn Store>) {
    append(&*store, opening("form", 2)).await;
    append(&*store, member("a", "form", 2)).await;
    for (parent, child) in [("a", "b"), ("form", "form2")] {
        assert_eq!(store.fork(&fork(parent, child)).await, Ok(Forked::Forked));
    }
    assert_eq!(names(&*store, of("form")).await, ["b", "a"]);
    assert_eq!(names(&*store, of("form2")).await, [""; 0], "a family does not follow a fork");
    assert_eq!(store.find(&id("form2")).await.unwrap().unwrap().of, None);
}

pub async fn a_session_with_a_family_stays_until_it_is_gone(store: Arc<dyn Store>) {
    append(&*store, opening("form", 1)).await;
    append(&*store, member("a", "form", 1)).await;
    append(&*store, member("b", "form", 1)).await;
    assert_eq!(store.delete(&id("form")).await, Ok(Deleted::HasFamily(2)));
    assert_eq!(log(&*store, "form").await, recorded("form", 1..=1), "it is as it was");
    assert_eq!(store.fork(&fork("form", "form2")).await, Ok(Forked::Forked));
    assert_eq!(store.delete(&id("form")).await, Ok(Deleted::HasForks(vec![id("form2")])), "forks are named first");
    for (name, then) in [("form2", 2), ("b", 1)] {
        assert_eq!(store.delete(&id(name)).await, Ok(Deleted::Deleted));
        assert_eq!(store.delete(&id("form")).await, Ok(Deleted::HasFamily(then)));
    }
    assert_eq!(store.delete(&id("a")).await, Ok(Deleted::Deleted));
    assert_eq!(store.delete(&id("form")).await, Ok(Deleted::Deleted));
    assert_eq!(store.append(member("c", "form", 1)).await, Ok(Appended::Conflict { head: Seq::START }));
}

pub async fn a_session_deleted_while_others_join_leaves_no_one_behind(store: Arc<dyn Store>) {
    for round in 0..20 {
        let form = format!("form{round}");
        append(&*store, opening(&form, 1)).await;
        let joining = (0..4).map(|number| {
            let (store, one) = (store.clone(), member(&format!("{form}-{number}"), &form, 1));
            tokio::spawn(async move { store.append(one).await.unwrap() })
        });
        let joining: Vec<_> = joining.collect();
        let deleted = store.delete(&id(&form)).await.unwrap();
        let mut joined = 0;
        for one in joining {
            match one.await.unwrap() {
                Appended::Appended(_) => joined += 1,
                Appended::Conflict { .. } => {}
                Appended::Duplicate { .. } => panic!("nobody sent a key"),
            }
        }
        let family = store.list(&of(&form)).await.unwrap().len();
        match deleted {
            Deleted::Deleted => assert_eq!((joined, family), (0, 0)),
            Deleted::HasFamily(seen) => {
                assert!((1..=4).contains(&seen), "{seen}");
                assert_eq!((joined, family), (4, 4), "it stayed, and everyone found it");
            }
            Deleted::Unknown | Deleted::HasForks(_) => panic!("{deleted:?}"),
        }
    }
}

pub async fn a_familys_rows_are_read_together(store: Arc<dyn Store>) {
    let rows = || {
        [("results", "y"), ("results", "x"), ("feedback", "z")].map(|(table, key)| Row {
            table: table.to_owned(),
            key: key.to_owned(),
            content: Some(json!({"of": key})),
        })
    };
    append(&*store, Append { rows: rows().to_vec(), ..opening("form", 1) }).await;
    append(&*store, opening("other", 1)).await;
    for (name, form) in [("b", "form"), ("a", "form"), ("c", "other")] {
        append(&*store, Append { rows: rows().to_vec(), ..member(name, form, 1) }).await;
    }
    append(&*store, member("d", "form", 1)).await;
    let row =
        |session: &str, key: &str| TableRow { session: id(session), key: key.to_owned(), content: json!({"of": key}) };
    let of_form = vec![row("a", "x"), row("a", "y"), row("b", "x"), row("b", "y")];
    assert_eq!(store.rows("results", Rows::Family(&id("form"))).await, Ok(of_form));
    assert_eq!(store.rows("feedback", Rows::Family(&id("other"))).await, Ok(vec![row("c", "z")]));
    assert_eq!(store.rows("results", Rows::Family(&id("a"))).await, Ok(Vec::new()));
    assert_eq!(store.rows("none", Rows::Family(&id("form"))).await, Ok(Vec::new()));
    assert_eq!(store.delete(&id("b")).await, Ok(Deleted::Deleted));
    assert_eq!(store.rows("feedback", Rows::Family(&id("form"))).await, Ok(vec![row("a", "z")]));
}

pub async fn what_a_family_spent_is_read_together(store: Arc<dyn Store>) {
    let spending = |append: Append, input: u64| {
        let usage = Usage { input, ..Usage::default() };
        Append { usage: vec![Spent { model: "m".to_owned(), usage, calls: 1 }], ..append }
    };
    append(&*store, spending(opening("form", 1), 1)).await;
    append(&*store, spending(opening("other", 1), 2)).await;
    for (name, form, input) in [("b", "form", 10), ("a", "form", 20), ("c", "other", 40)] {
        append(&*store, spending(member(name, form, 1), input)).await;
    }
    let ask = async |query: UsageQuery| {
        let lines = store.usage(&query).await.unwrap();
        lines.into_iter().map(|line| (line.session.map(|id| id.to_string()), line.usage.input)).collect::<Vec<_>>()
    };
    let line = |session: &str, input: u64| (Some(session.to_owned()), input);
    let any = || UsageQuery { family: Some(id("form")), ..UsageQuery::default() };
    assert_eq!(ask(any()).await, [line("a", 20), line("b", 10)], "not the session's own");
    assert_eq!(ask(UsageQuery { session: Some(id("b")), ..any() }).await, [line("b", 10)]);
    assert_eq!(ask(UsageQuery { session: Some(id("c")), ..any() }).await, []);
    assert_eq!(ask(UsageQuery { owner: Some("bob".to_owned()), ..any() }).await, []);
    assert_eq!(ask(UsageQuery { from_day: Some(1), ..any() }).await, []);
    assert_eq!(ask(UsageQuery { family: Some(id("c")), ..any() }).await, []);
    assert_eq!(store.delete(&id("b")).await, Ok(Deleted::Deleted));
    assert_eq!(ask(any()).await, [line("a", 20)], "a deleted session belongs to nobody");
}
