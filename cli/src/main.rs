//! The `enza` binary.

fn main() {}
