//! The design system, and the pages that are made of it.

mod by_script;
mod components;
mod home;
mod pages;
mod tokens;
