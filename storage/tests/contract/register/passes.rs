//! What lets people in.

use std::sync::Arc;

use enza_kernel::conversation::Digest;
use enza_runtime::seams::register::{Pass, PassKind, Removed};
use enza_runtime::seams::store::Failure;
use enza_storage::Opened;

use super::{at_once, issue, pass, welcome};
use crate::common::at;

const KINDS: [PassKind; 4] = [PassKind::SignIn, PassKind::Token, PassKind::Invitation, PassKind::Link];

pub async fn a_pass_comes_back_whole_even_when_its_time_is_over(Opened { register, .. }: Opened) {
    welcome(&*register, &["ada"]).await;
    for kind in KINDS {
        let whole = Pass {
            label: "Firefox (机の上)".to_owned(),
            scopes: vec!["read".to_owned(), String::new(), "a \"b\", c\\".to_owned()],
            expires_at: Some(at(-1)),
            used_at: Some(at(3)),
            ..pass(kind.word(), kind, Some("ada"), 2)
        };
        let bare = pass(&format!("bare {}", kind.word()), kind, None, 2);
        issue(&*register, &[whole.clone(), bare.clone()]).await;
        assert_eq!(register.pass(&whole.digest).await, Ok(Some(whole)));
        assert_eq!(register.pass(&bare.digest).await, Ok(Some(bare)));
    }
    assert_eq!(register.pass(&Digest::of(b"guessed")).await, Ok(None));
}

pub async fn a_digest_is_issued_once(Opened { register, .. }: Opened) {
    let first = pass("secret", PassKind::Link, None, 1);
    issue(&*register, std::slice::from_ref(&first)).await;
    let again = register.issue(&pass("secret", PassKind::Token, None, 2)).await;
    assert!(matches!(again, Err(Failure::Other(_))), "{again:?}");
    assert_eq!(register.pass(&first.digest).await, Ok(Some(first)));
}

pub async fn a_pass_for_somebody_unknown_is_not_kept(Opened { register, .. }: Opened) {
    let stray = pass("secret", PassKind::SignIn, Some("eve"), 1);
    let issued = register.issue(&stray).await;
    assert!(matches!(issued, Err(Failure::Other(_))), "{issued:?}");
    assert_eq!(register.pass(&stray.digest).await, Ok(None));
}

pub async fn passes_are_listed_by_person_and_kind_newest_first(Opened { register, .. }: Opened) {
    welcome(&*register, &["ada", "bob"]).await;
    let token = |secret: &str, person, at| pass(secret, PassKind::Token, person, at);
    let (old, new) = (token("old", Some("ada"), 1), token("new", Some("ada"), 3));
    let (bobs, nobodys) = (token("bob's", Some("bob"), 2), token("nobody's", None, 0));
    let browser = pass("browser", PassKind::SignIn, Some("ada"), 2);
    issue(&*register, &[new.clone(), nobodys.clone(), bobs.clone(), browser.clone(), old.clone()]).await;
    let listed = async |person, kind| register.passes(person, kind).await.unwrap();
    assert_eq!(listed(Some("ada"), PassKind::Token).await, [new.clone(), old.clone()]);
    assert_eq!(listed(Some("ada"), PassKind::SignIn).await, [browser]);
    assert_eq!(listed(Some("ada"), PassKind::Link).await, []);
    assert_eq!(listed(Some("eve"), PassKind::Token).await, []);
    assert_eq!(listed(None, PassKind::Token).await, [new, bobs, old, nobodys]);
    let mut twins = [pass("one", PassKind::Link, None, 5), pass("two", PassKind::Link, None, 5)];
    issue(&*register, &twins).await;
    twins.sort_by_key(|pass| pass.digest);
    assert_eq!(listed(None, PassKind::Link).await, twins, "those of one moment have an order, too");
}

pub async fn of_several_who_take_one_pass_at_once_exactly_one_gets_it(Opened { register, .. }: Opened) {
    for number in 0..10 {
        let one = pass(&format!("link {number}"), PassKind::Link, None, number);
        issue(&*register, std::slice::from_ref(&one)).await;
        let digest = one.digest;
        let taken = at_once(&register, |register| async move { register.take(&digest).await.unwrap() }).await;
        assert_eq!(taken.into_iter().flatten().collect::<Vec<_>>(), [one]);
        assert_eq!(register.pass(&digest).await, Ok(None));
    }
}

pub async fn all_passes_of_a_kind_are_taken_but_for_one(Opened { register, .. }: Opened) {
    welcome(&*register, &["ada", "bob"]).await;
    let browser = |secret: &str, person| pass(secret, PassKind::SignIn, Some(person), 1);
    let (here, bobs) = (browser("here", "ada"), browser("bob's", "bob"));
    let token = pass("token", PassKind::Token, Some("ada"), 1);
    let others = [browser("phone", "ada"), browser("library", "ada")];
    issue(&*register, &others).await;
    issue(&*register, &[here.clone(), bobs.clone(), token.clone()]).await;
    assert_eq!(register.take_all("ada", PassKind::SignIn, Some(&here.digest)).await, Ok(2));
    assert_eq!(register.passes(None, PassKind::Token).await.unwrap(), [token]);
    assert_eq!(register.passes(Some("ada"), PassKind::SignIn).await.unwrap(), std::slice::from_ref(&here));
    assert_eq!(register.take_all("ada", PassKind::SignIn, Some(&bobs.digest)).await, Ok(1), "bob's is not among them");
    assert_eq!(register.take_all("ada", PassKind::SignIn, None).await, Ok(0));
    assert_eq!(register.passes(None, PassKind::SignIn).await.unwrap(), [bobs]);
}

pub async fn a_pass_remembers_its_last_use(Opened { register, .. }: Opened) {
    let one = pass("token", PassKind::Token, None, 1);
    let other = pass("other", PassKind::Token, None, 1);
    issue(&*register, &[one.clone(), other.clone()]).await;
    for (used, remembered) in [(5, 5), (9, 9), (7, 9)] {
        assert_eq!(register.used(&one.digest, at(used)).await, Ok(()));
        let known = register.pass(&one.digest).await.unwrap();
        assert_eq!(known, Some(Pass { used_at: Some(at(remembered)), ..one.clone() }));
    }
    assert_eq!(register.used(&Digest::of(b"taken"), at(9)).await, Ok(()), "one that is gone is nothing to remember");
    assert_eq!(register.pass(&other.digest).await, Ok(Some(other)));
}

pub async fn no_pass_stays_with_a_person_who_is_gone(Opened { register, .. }: Opened) {
    welcome(&*register, &["ada"]).await;
    let sign_in = |number: i64| {
        let register = Arc::clone(&register);
        let one = pass(&format!("browser {number}"), PassKind::SignIn, Some("ada"), number);
        tokio::spawn(async move { register.issue(&one).await })
    };
    let before: Vec<_> = (0..20).map(sign_in).collect();
    let removed = tokio::spawn({
        let register = Arc::clone(&register);
        async move { register.remove("ada").await }
    });
    let after: Vec<_> = (20..40).map(sign_in).collect();
    assert_eq!(removed.await.unwrap(), Ok(Removed::Removed));
    for one in before.into_iter().chain(after) {
        let issued = one.await.unwrap();
        assert!(matches!(issued, Ok(()) | Err(Failure::Other(_))), "in time or too late: {issued:?}");
    }
    assert_eq!(register.passes(None, PassKind::SignIn).await, Ok(Vec::new()));
}
