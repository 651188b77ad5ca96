//! Enza side of the benchmarks.

fn main() {}
