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
mod locale;
mod prompts;
mod refusals;
mod reviews;
mod values;
mod values_choices;
mod values_days;
mod values_numbers;
mod values_properties;
mod values_words;
mod whole;
mod world;
