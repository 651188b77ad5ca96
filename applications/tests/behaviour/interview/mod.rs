//! The interview. Requirement ids stand where the rule is tested, so that a search finds them.

mod agents;
mod chaos;
mod confirmation;
mod deliveries;
mod failures;
mod fields;
mod floor;
mod formats;
mod formats_examples;
mod formats_schema;
mod formats_ui;
mod forms;
mod prompts;
mod refusals;
mod reviews;
mod whole;
mod world;
