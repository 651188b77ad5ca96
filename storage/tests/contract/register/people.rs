//! The people.

use enza_kernel::conversation::{Digest, Usage};
use enza_kernel::text::Lang;
use enza_runtime::engine::{Allowance, Limit};
use enza_runtime::seams::register::{
    Added, AuditEntry, Begun, KeyedRequest, NewAuditEntry, PassKind, PendingRequest, Person, Removed,
};
use enza_runtime::seams::store::{Append, Deleted, Fork, Forked, OwnerSpent, SessionOpening, Spent};
use enza_storage::Opened;

use super::{at_once, issue, pass, person, welcome};
use crate::common::{append, at, id, opening, standing};

/// Somebody with everything set.
fn ada() -> Person {
    Person {
        display: "Ada Lovelace 愛田".to_owned(),
        password: Some("$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA".to_owned()),
        is_admin: true,
        is_blocked: true,
        lang: Some(Lang::Ja),
        allowance: Allowance {
            tokens: Limit { in_all: Some(1), per_day: Some(0) },
            money: Limit { in_all: None, per_day: Some(5_000_000_000) },
        },
        added_at: at(7),
        ..person("ada")
    }
}

pub async fn a_person_comes_back_whole(Opened { register, .. }: Opened) {
    let bob = Person { lang: Some(Lang::En), ..person("ボブ %_'\"") };
    for one in [ada(), bob, person("nobody in particular")] {
        assert_eq!(register.add(&one).await, Ok(Added::Added));
        assert_eq!(register.person(&one.name).await, Ok(Some(one)));
    }
    assert_eq!(register.person("Ada").await, Ok(None));
    assert_eq!(register.person("").await, Ok(None));
}

pub async fn a_name_is_given_once(Opened { register, .. }: Opened) {
    welcome(&*register, &["ada"]).await;
    assert_eq!(register.add(&ada()).await, Ok(Added::NameTaken));
    assert_eq!(register.person("ada").await, Ok(Some(person("ada"))), "the first one is as it was");
    assert_eq!(register.add(&person("Ada")).await, Ok(Added::Added), "names are compared as they are");
}

pub async fn of_several_who_take_one_name_at_once_exactly_one_gets_it(Opened { register, .. }: Opened) {
    for number in 0..10 {
        let name = format!("p{number}");
        let added = at_once(&register, |register| {
            let one = person(&name);
            async move { register.add(&one).await.unwrap() }
        });
        assert_eq!(added.await.iter().filter(|one| **one == Added::Added).count(), 1);
    }
    assert_eq!(register.people(None, 99).await.unwrap().len(), 10);
}

pub async fn people_are_read_by_name_and_page_by_page(Opened { register, .. }: Opened) {
    welcome(&*register, &["c", "a", "B", "é", "ab", "あ"]).await;
    let names = async |after: Option<&str>, limit| {
        let people = register.people(after, limit).await.unwrap();
        people.into_iter().map(|one| one.name).collect::<Vec<_>>()
    };
    assert_eq!(names(None, 9).await, ["B", "a", "ab", "c", "é", "あ"]);
    assert_eq!(names(None, 2).await, ["B", "a"]);
    assert_eq!(names(Some("a"), 2).await, ["ab", "c"]);
    assert_eq!(names(Some("b"), 9).await, ["c", "é", "あ"], "whoever ended the last page may be gone");
    assert_eq!(names(Some("あ"), 9).await, [""; 0]);
    assert_eq!(names(None, 0).await, [""; 0]);
    assert_eq!(register.people(Some("é"), 1).await, Ok(vec![person("あ")]));
}

pub async fn a_change_replaces_everything_but_the_name_and_when_the_person_was_added(Opened { register, .. }: Opened) {
    welcome(&*register, &["ada", "bob"]).await;
    assert_eq!(register.change(&ada()).await, Ok(true));
    assert_eq!(register.person("ada").await, Ok(Some(Person { added_at: at(1), ..ada() })));
    assert_eq!(register.change(&Person { added_at: at(9), ..person("ada") }).await, Ok(true));
    assert_eq!(register.person("ada").await, Ok(Some(person("ada"))), "what was set is unset");
    assert_eq!(register.change(&person("eve")).await, Ok(false));
    assert_eq!(register.people(None, 9).await, Ok(vec![person("ada"), person("bob")]));
}

/// One session of an owner, which spends.
fn session(name: &str, owner: &str) -> Append {
    let opening_of = SessionOpening::new("interview", owner);
    let usage = vec![Spent { model: "m".to_owned(), usage: Usage { input: 7, ..Usage::default() }, calls: 1 }];
    Append { opening: Some(opening_of), usage, ..opening(name, 1) }
}

fn request(person: &str) -> KeyedRequest {
    KeyedRequest {
        person: person.to_owned(),
        key: "k".to_owned(),
        digest: Digest::of(b"asked"),
        at: at(5),
        worker: "w".to_owned(),
    }
}

pub async fn a_removed_person_leaves_nothing_but_the_journal(Opened { store, register, .. }: Opened) {
    welcome(&*register, &["ada", "bob"]).await;
    let note = |by: &str| NewAuditEntry {
        at: at(2),
        by: by.to_owned(),
        act: "signed-in".to_owned(),
        on: String::new(),
        from: "::1".to_owned(),
    };
    for (name, place) in [("ada", 1), ("bob", 2)] {
        let secret = |kind: &str| format!("{name}'s {kind}");
        issue(&*register, &[pass(&secret("browser"), PassKind::SignIn, Some(name), place)]).await;
        issue(&*register, &[pass(&secret("program"), PassKind::Token, Some(name), place)]).await;
        assert_eq!(register.begin(&request(name)).await, Ok(Begun::New));
        register.note(&note(name)).await.unwrap();
        append(&*store, session(name, name)).await;
        assert_eq!(store.delete(&id(name)).await, Ok(Deleted::Deleted));
    }
    issue(&*register, &[pass("invitation", PassKind::Invitation, None, 3)]).await;
    let spent = store.spent("bob", 0).await.unwrap();

    assert_eq!(register.remove("ada").await, Ok(Removed::Removed));
    assert_eq!(register.people(None, 9).await, Ok(vec![person("bob")]));
    assert_eq!(register.passes(None, PassKind::SignIn).await.unwrap().len(), 1);
    assert_eq!(register.passes(Some("ada"), PassKind::Token).await, Ok(Vec::new()));
    assert_eq!(register.passes(Some("bob"), PassKind::Token).await.unwrap().len(), 1);
    assert_eq!(register.passes(None, PassKind::Invitation).await.unwrap().len(), 1);
    assert_eq!(store.spent("ada", 0).await, Ok(OwnerSpent::default()));
    assert_eq!(store.spent("bob", 0).await, Ok(spent));
    assert_eq!(
        register.begin(&request("bob")).await,
        Ok(Begun::UnderWay(PendingRequest { since: at(5), by: Some("w".to_owned()) }))
    );
    let lines = [AuditEntry { line: 2, note: note("bob") }, AuditEntry { line: 1, note: note("ada") }];
    assert_eq!(register.notes(None, None, 9).await.unwrap(), lines);
    // Whoever has the name next finds nothing of the one before.
    welcome(&*register, &["ada"]).await;
    assert_eq!(register.begin(&request("ada")).await, Ok(Begun::New));
    assert_eq!(register.passes(Some("ada"), PassKind::SignIn).await, Ok(Vec::new()));
}

pub async fn a_person_who_owns_sessions_stays(Opened { store, register, .. }: Opened) {
    welcome(&*register, &["ada", "bob"]).await;
    issue(&*register, &[pass("browser", PassKind::SignIn, Some("ada"), 1)]).await;
    append(&*store, session("a", "ada")).await;
    append(&*store, session("b", "bob")).await;
    let fork = Fork {
        parent: id("b"),
        at: enza_kernel::time::Seq(1),
        child: id("c"),
        owner: "ada".to_owned(),
        standing: standing(enza_kernel::application::Phase::Waiting),
        timers: Vec::new(),
        now: at(9),
        quiet: false,
    };
    assert_eq!(store.fork(&fork).await, Ok(Forked::Forked));
    let spent = store.spent("ada", 0).await.unwrap();

    assert_eq!(register.remove("ada").await, Ok(Removed::OwnsSessions(2)));
    assert_eq!(register.person("ada").await, Ok(Some(person("ada"))));
    assert_eq!(register.passes(Some("ada"), PassKind::SignIn).await.unwrap().len(), 1);
    assert_eq!(store.spent("ada", 0).await, Ok(spent));
    store.delete(&id("a")).await.unwrap();
    assert_eq!(register.remove("ada").await, Ok(Removed::OwnsSessions(1)));
    store.delete(&id("c")).await.unwrap();
    assert_eq!(register.remove("ada").await, Ok(Removed::Removed));
    assert_eq!(store.spent("ada", 0).await, Ok(OwnerSpent::default()));
}

pub async fn somebody_unknown_is_not_removed_and_keeps_what_was_spent(Opened { store, register, .. }: Opened) {
    append(&*store, session("a", "ada")).await;
    let spent = store.spent("ada", 0).await.unwrap();
    assert_eq!(register.remove("ada").await, Ok(Removed::Unknown), "owning a session makes nobody a person");
    assert_eq!(store.spent("ada", 0).await, Ok(spent));
}

pub async fn of_two_who_remove_one_person_exactly_one_does(Opened { store, register, .. }: Opened) {
    welcome(&*register, &["ada"]).await;
    append(&*store, session("b", "bob")).await;
    let came = at_once(&register, |register| async move { register.remove("ada").await.unwrap() }).await;
    assert_eq!(came.iter().filter(|one| **one == Removed::Removed).count(), 1);
    assert_eq!(came.iter().filter(|one| **one == Removed::Unknown).count(), came.len() - 1);
}
