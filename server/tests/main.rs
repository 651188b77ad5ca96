//! What the server promises, to browsers and to programs.

mod access;
mod api;
mod common;
mod design;
mod inspector;
mod live;
mod observe;
mod words;
