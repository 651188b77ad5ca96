//! What the stores do when the world breaks: exactly one kind of failure each, and nothing acknowledged is lost.

mod backups;
mod changed;
mod damaged;
mod deep;
mod disk;
mod emptied;
mod gone;
mod no_room;
mod older;
mod read_only;
mod server_gone;
mod strangers;
mod torn_log;
