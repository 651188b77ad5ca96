//! How the workshop behaves in a folder: what it reads, changes, takes back, and never touches.

mod looking;
mod making;
mod orders;
mod patching;
mod paths;
mod preparing;
mod races;
mod restoring;
mod snapshots;
mod storing;
mod yard;
