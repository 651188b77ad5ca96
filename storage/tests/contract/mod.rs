//! What every store promises, run on each of them.
//!
//! A promise is an async function that takes a store; the list below is all of them, but for those of the register,
//! which are listed in its folder. `every_store!` makes each one a test on memory, on SQLite and on PostgreSQL, so that
//! the three cannot drift apart.

/// One test per store and promise. A promise is given what `open` returns: the store, or with `open_both` the register
/// too.
macro_rules! every_store {
    ($open:ident => $($subject:ident: [$($promise:ident),* $(,)?]),* $(,)?) => {
        every_store!(@on memory, { crate::common::Home::memory() }, $open, $($subject: [$($promise),*]),*);
        every_store!(@on sqlite, { crate::common::Home::sqlite() }, $open, $($subject: [$($promise),*]),*);
        every_store!(@on postgres, { crate::common::Home::postgres().await }, $open, $($subject: [$($promise),*]),*);
    };
    (@on $store:ident, $home:block, $open:ident, $($subject:ident: [$($promise:ident),*]),*) => {
        mod $store {
            $(mod $subject {
                $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $promise() {
                    let home = $home;
                    super::super::$subject::$promise(home.$open().await).await;
                })*
            })*
        }
    };
}

mod appends;
mod catalog;
mod families;
mod files;
mod forks;
mod leases;
mod loads;
mod register;
mod shown_tables;
mod together;
mod usage;

every_store! { open =>
    appends: [
        events_come_back_in_the_order_of_their_append,
        an_append_on_an_older_head_is_a_conflict_and_changes_nothing,
        of_two_appends_on_one_head_exactly_one_takes_place,
        a_key_that_was_accepted_is_a_duplicate_whatever_the_head,
        one_key_may_be_used_in_two_sessions,
        opening_a_session_twice_is_a_conflict,
        of_two_that_open_one_session_at_once_exactly_one_does,
        an_append_to_a_session_that_is_not_there_is_a_conflict,
        timers_are_replaced_only_where_new_ones_are_given,
        rows_are_written_with_their_events_or_not_at_all,
        bodies_come_back_byte_for_byte,
        an_append_without_events_changes_the_standing_only,
    ],
    loads: [
        a_session_that_is_not_there_is_none,
        a_load_starts_from_the_newest_snapshot,
        a_snapshot_of_another_version_is_passed_over,
        pages_join_without_gap_or_repeat,
        a_session_row_says_where_the_session_stands,
        a_load_sees_one_moment_while_others_append,
        ten_thousand_events_load_whole,
    ],
    leases: [
        a_held_session_is_a_conflict_for_another_worker,
        a_lease_that_has_ended_is_taken_over,
        freeing_ends_the_lease_whoever_held_it,
        work_that_is_owed_is_claimed_once,
        of_two_workers_who_claim_at_once_each_session_goes_to_one,
        a_due_timer_is_claimed_and_a_later_one_is_not,
        a_renewed_lease_lasts_and_a_lost_one_stays_lost,
        a_lease_that_ends_too_late_is_told_of_and_taken_over_only_as_it_was_seen,
        a_released_session_can_be_claimed_again,
        the_next_wake_is_the_earliest_timer_that_nobody_holds,
        the_time_is_the_servers_where_several_machines_share_one,
    ],
    forks: [
        a_fork_reads_its_parents_events_up_to_where_it_left,
        a_fork_of_a_fork_reads_through_both,
        a_fork_may_leave_before_its_parent_did,
        a_fork_starts_from_its_parents_snapshot_only_up_to_where_it_left,
        a_fork_that_cannot_be_is_refused_with_the_reason,
        a_fork_starts_without_rows_and_keys_and_with_its_own_timers,
        a_session_with_forks_stays_until_they_are_gone,
    ],
    families: [
        a_session_says_what_it_belongs_to,
        nobody_can_belong_to_a_session_that_is_not_there,
        lists_tell_families_from_those_who_are_alone,
        pages_of_a_family_join_without_gap_or_repeat,
        a_fork_belongs_to_what_its_parent_belongs_to,
        a_session_with_a_family_stays_until_it_is_gone,
        a_session_deleted_while_others_join_leaves_no_one_behind,
        a_familys_rows_are_read_together,
        what_a_family_spent_is_read_together,
    ],
    files: [
        a_file_is_read_by_the_session_that_took_it_in_and_by_no_other,
        a_file_goes_with_the_last_session_that_has_it,
        a_file_stays_while_a_fork_shares_the_events_that_name_it,
        a_file_that_is_given_up_is_gone_unless_it_was_taken_in_twice,
        what_is_not_whole_is_not_there,
        room_counts_from_when_it_is_set_aside_and_then_by_what_came,
        room_that_was_not_used_in_time_is_given_back,
        room_that_a_clock_ahead_set_aside_was_kept_for_years,
        each_quota_counts_those_who_share_it,
        of_many_who_ask_for_room_at_once_only_those_get_it_who_fit_together,
        the_same_bytes_brought_and_given_up_at_once_stay_with_who_has_them,
    ],
    catalog: [
        every_change_makes_another_edition,
        a_list_is_by_last_change_and_filtered,
        a_title_is_found_by_any_part_whatever_the_case_of_ascii_letters,
        pages_of_a_list_join_without_gap_or_repeat,
        a_page_goes_on_after_a_session_that_is_gone,
        a_deleted_session_leaves_nothing_but_what_it_spent,
        a_name_can_be_used_again_after_a_deletion,
        rows_are_read_of_one_session_or_of_all,
    ],
    shown_tables: [
        a_shown_table_answers_by_its_columns,
        what_a_table_shows_is_what_can_be_asked_for,
        a_table_is_read_in_one_order_a_page_at_a_time,
        a_table_is_read_of_one_session_or_of_a_family,
        a_question_that_makes_no_sense_is_a_failure_that_says_why,
        showing_tables_changes_no_answer_and_keeps_no_row_out,
    ],
    together: [
        many_sessions_appended_at_once_have_logs_without_gaps,
        a_conflict_among_many_disturbs_nobody,
    ],
    usage: [
        usage_is_kept_by_owner_day_application_model_and_session,
        what_an_owner_has_spent_is_summed_over_everything,
        one_append_may_spend_on_several_models,
        an_append_that_is_not_taken_spends_nothing,
        what_deleted_sessions_spent_stays_under_no_session,
        a_fork_starts_with_nothing_spent,
    ],
}
