//! Rows of a table that is shown, as a question asks for them: what the databases say in SQL.

use std::cmp::Ordering;

use enza_kernel::table::{Cell, Column};
use enza_runtime::seams::store::{Condition, Relation, ResolvedQuery, Sort, TableQuery, TableRow};

/// The rows that are asked for, of those that are there by session and key.
pub(super) fn answer(query: &TableQuery<'_>, resolved: &ResolvedQuery, rows: Vec<TableRow>) -> Vec<TableRow> {
    let cell = |row: &TableRow, column: &Column| query.table.cell(column, row.session.as_str(), &row.key, &row.content);
    let is_wanted = |row: &TableRow, Condition { column, relation, value }: &Condition| {
        let shown = cell(row, column);
        match relation {
            Relation::Equal => shown == *value,
            Relation::AtLeast => shown != Cell::Null && shown.order(value) != Ordering::Less,
        }
    };
    let by = |one: &TableRow, other: &TableRow, (column, sort): &(&Column, Sort)| {
        let order = cell(one, column).order(&cell(other, column));
        match sort {
            Sort::Ascending => order,
            Sort::Descending => order.reverse(),
        }
    };
    let mut found: Vec<_> =
        rows.into_iter().filter(|row| resolved.conditions.iter().all(|condition| is_wanted(row, condition))).collect();
    // Rows that are alike stay by session and key.
    found.sort_by(|one, other| {
        resolved.order.iter().map(|term| by(one, other, term)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    });
    let limit = if query.limit == 0 { usize::MAX } else { query.limit };
    found.into_iter().skip(query.offset).take(limit).collect()
}
