//! Tables of allowed moves.

/// A table.
#[derive(Debug, Clone)]
pub struct Table;
