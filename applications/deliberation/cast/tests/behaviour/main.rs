//! What the cast promises, as sentences.

mod circle;
mod coaching;
mod debates;
mod files;
mod outcomes;
mod personas;
mod wishes;
