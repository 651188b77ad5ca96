//! Following sessions live over real connections: no gap, no repeat, whatever happens to either side.

mod ends;
mod messages;
mod resume;
mod sockets;
mod spoken;
mod watch;
