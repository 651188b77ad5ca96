//! The real binary, as a person or a script runs it: each command's path, both languages, and every bad day. What is of one
//! application lies in its folder, under `whole/`, and is a part of this program all the same.

#[path = "../../../applications/deliberation/whole/circle.rs"]
mod circle;
#[path = "../../../applications/companion/whole/companion.rs"]
mod companion;
#[path = "../../../applications/companion/whole/companion_audit.rs"]
mod companion_audit;
#[path = "../../../applications/companion/whole/companion_carried.rs"]
mod companion_carried;
#[path = "../../../applications/companion/whole/companion_fixture.rs"]
mod companion_fixture;
#[path = "../../../applications/companion/whole/companion_gate.rs"]
mod companion_gate;
#[path = "../../../applications/companion/whole/companion_killed.rs"]
mod companion_killed;
#[path = "../../../applications/companion/whole/companion_offered.rs"]
mod companion_offered;
#[path = "../../../applications/companion/whole/companion_ordered.rs"]
mod companion_ordered;
#[path = "../../../applications/companion/whole/companion_outcomes.rs"]
mod companion_outcomes;
#[path = "../../../applications/companion/whole/companion_refused.rs"]
mod companion_refused;
#[path = "../../../applications/companion/whole/companion_repository.rs"]
mod companion_repository;
#[path = "../../../applications/companion/whole/companion_return.rs"]
mod companion_return;
#[path = "../../../applications/companion/whole/companion_served.rs"]
mod companion_served;
#[path = "../../../applications/companion/whole/companion_servers.rs"]
mod companion_servers;
#[path = "../../../applications/companion/whole/companion_stopped.rs"]
mod companion_stopped;
#[path = "../../../applications/companion/whole/companion_talk.rs"]
mod companion_talk;
#[path = "../../../applications/companion/whole/companion_terminal.rs"]
mod companion_terminal;
#[path = "../../../applications/companion/whole/companion_undo.rs"]
mod companion_undo;
#[path = "../../../applications/companion/whole/companion_whole.rs"]
mod companion_whole;
mod damage;
#[path = "../../../applications/interview/whole/dialogue.rs"]
mod dialogue;
#[path = "../../../applications/forms/whole/forms.rs"]
mod forms;
mod help;
mod inspection;
#[path = "../../../applications/interview/whole/interviews.rs"]
mod interviews;
mod models_cassettes;
mod models_choice;
mod models_keys;
mod models_provider;
mod models_pull;
mod models_secret;
mod models_spending;
mod models_trouble;
mod models_weights;
mod older_database;
#[path = "../../../applications/interview/whole/rehearsal.rs"]
mod rehearsal;
mod serve;
mod session_talk;
mod sessions;
mod sign_ins;
mod simulation;
mod tour;
mod trouble;
mod usage;
