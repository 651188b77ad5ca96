//! How the workshop behaves in a folder: what it reads, changes, takes back, and never touches.

mod look;
mod make;
mod orders;
mod patch;
mod paths;
mod prepare;
mod project;
mod races;
mod restore;
mod snapshots;
mod store;
