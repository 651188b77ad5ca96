//! A table. On a narrow screen each row becomes a small list, with the heads beside the cells.

use maud::{Markup, html};

/// Rows under heads. A row may be shorter than the heads.
pub fn table(heads: &[&str], rows: Vec<Vec<Markup>>) -> Markup {
    html! {
        div.table-scroll {
            table.table {
                thead { tr { @for head in heads { th scope="col" { (head) } } } }
                tbody {
                    @for row in rows {
                        tr { @for (place, cell) in row.into_iter().enumerate() { td data-head=[heads.get(place)] { (cell) } } }
                    }
                }
            }
        }
    }
}
