//! What every register promises, and the people and passes it is tested with.

mod audit_log;
mod idempotency;
mod passes;
mod people;
mod settings;

use std::future::Future;
use std::sync::Arc;

use enza_kernel::conversation::Digest;
use enza_runtime::engine::Allowance;
use enza_runtime::seams::register::{Added, Pass, PassKind, Person, Register};

use crate::common::at;

every_store! { open_both =>
    people: [
        a_person_comes_back_whole,
        a_name_is_given_once,
        of_several_who_take_one_name_at_once_exactly_one_gets_it,
        people_are_read_by_name_and_page_by_page,
        a_change_replaces_everything_but_the_name_and_when_the_person_was_added,
        a_removed_person_leaves_nothing_but_the_journal,
        a_person_who_owns_sessions_stays,
        somebody_unknown_is_not_removed_and_keeps_what_was_spent,
        of_two_who_remove_one_person_exactly_one_does,
    ],
    passes: [
        a_pass_comes_back_whole_even_when_its_time_is_over,
        a_digest_is_issued_once,
        a_pass_for_somebody_unknown_is_not_kept,
        passes_are_listed_by_person_and_kind_newest_first,
        of_several_who_take_one_pass_at_once_exactly_one_gets_it,
        all_passes_of_a_kind_are_taken_but_for_one,
        a_pass_remembers_its_last_use,
        no_pass_stays_with_a_person_who_is_gone,
    ],
    audit_log: [
        lines_are_read_newest_first,
        pages_of_lines_join_without_gap_or_repeat,
        lines_noted_at_once_all_stay,
        a_deletion_is_noted_exactly_if_it_was_done,
    ],
    idempotency: [
        what_was_answered_about_a_deleted_session_is_blank,
        a_request_is_new_then_under_way_then_answered,
        a_key_that_was_used_for_another_request_is_refused,
        keys_of_two_people_have_nothing_to_do_with_each_other,
        of_several_who_begin_one_request_at_once_exactly_one_does,
        an_answer_that_was_kept_stays,
        an_answer_is_kept_only_for_the_request_that_was_begun,
        a_request_that_came_to_nothing_may_be_sent_again,
        beginning_and_forgetting_at_once_never_lets_two_in,
        of_several_who_take_over_a_dead_workers_request_exactly_one_does,
        a_request_is_taken_over_only_as_it_was_seen,
        what_a_worker_abandons_may_be_sent_again,
        a_request_of_somebody_unknown_does_not_begin,
        a_sweep_removes_exactly_what_is_older_or_over,
        an_answer_that_a_clock_ahead_dated_was_kept_for_years,
    ],
    settings: [
        settings_are_one_document_that_is_replaced,
    ],
}

/// Somebody with nothing set.
fn person(name: &str) -> Person {
    Person {
        name: name.to_owned(),
        display: name.to_uppercase(),
        password: None,
        is_admin: false,
        is_blocked: false,
        lang: None,
        allowance: Allowance::default(),
        added_at: at(1),
    }
}

/// Adds people, and insists on it.
async fn welcome(register: &dyn Register, names: &[&str]) {
    for name in names {
        assert_eq!(register.add(&person(name)).await, Ok(Added::Added));
    }
}

/// A pass that lasts for ever.
fn pass(secret: &str, kind: PassKind, person: Option<&str>, issued_at: i64) -> Pass {
    Pass {
        digest: Digest::of(secret.as_bytes()),
        kind,
        person: person.map(str::to_owned),
        label: format!("{secret}'s"),
        scopes: Vec::new(),
        issued_at: at(issued_at),
        expires_at: None,
        used_at: None,
    }
}

/// Issues passes, and insists on it.
async fn issue(register: &dyn Register, passes: &[Pass]) {
    for pass in passes {
        assert_eq!(register.issue(pass).await, Ok(()));
    }
}

/// What becomes of the same thing, done eight times at once.
async fn at_once<T, F>(register: &Arc<dyn Register>, work: impl Fn(Arc<dyn Register>) -> F) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let all: Vec<_> = (0..8).map(|_| tokio::spawn(work(Arc::clone(register)))).collect();
    let mut came = Vec::new();
    for one in all {
        came.push(one.await.unwrap());
    }
    came
}
