//! Everything that these orders say to people, one file for each subject, Japanese and English side by side.

pub mod forms;
pub mod help;
pub mod interview;
pub mod question;
pub mod rehearse;
pub mod tour;
pub mod trouble;
