//! What forms add to the server, for their owners, for respondents and for programs.

#[path = "../../../../server/tests/common/mod.rs"]
mod common;
mod forms;
mod respond;
mod submissions;
mod words;
