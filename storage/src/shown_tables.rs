//! Tables of the domain in SQL: the views and indexes that show them, and the queries that read them.
//!
//! One text for both dialects, made from a declaration that has no faults, so that a query's expression is the index's to
//! the letter; only then is the index used. What a cell is, is said by `DomainTable::cell`, and this says the same in SQL.
//! No expression here may fail, whatever JSON is in a row: an index is written with the append, and an append must not be
//! refused for it. That is why kinds are asked for first, why numbers and indexed texts have a length, and why the
//! character U+0000, which PostgreSQL refuses, is taken out first.
//!
//! Making views, and finding out which are there, is each store's own.

use enza_kernel::table::{
    Cell, Column, ColumnKind, DIGITS, DomainTable, INDEXED_TEXT, Index, NUL, SHOWN_NUL, Source, faults,
};
use enza_runtime::seams::store::{Condition, Failure, Relation, ResolvedQuery, Rows, SessionId, Sort, TableQuery};

/// Which SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

/// What tells that we have made something.
pub(crate) const MARK: &str = "shown by enza";

/// A view or an index, and the statement that makes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ShownObject {
    pub kind: ObjectKind,
    pub name: String,
    pub sql: String,
}

/// What has been made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ObjectKind {
    View,
    Index,
}

impl ObjectKind {
    /// Its word in SQL, in capitals.
    pub fn word(self) -> &'static str {
        match self {
            Self::View => "VIEW",
            Self::Index => "INDEX",
        }
    }

    /// The statement that removes one. A name that was found in a database may be any text.
    pub fn drop(self, name: &str) -> String {
        format!("DROP {} \"{}\"", self.word(), name.replace('"', "\"\""))
    }
}

/// Everything that shows these tables.
pub(crate) fn shown_objects(dialect: Dialect, tables: &[DomainTable]) -> Result<Vec<ShownObject>, Failure> {
    if let Some(fault) = faults(tables).first() {
        return Err(Failure::Other(fault.to_string()));
    }
    let of = |table: &DomainTable| {
        let view = ShownObject { kind: ObjectKind::View, name: table.name.to_owned(), sql: view(dialect, table) };
        let made = |made: &Index| ShownObject {
            kind: ObjectKind::Index,
            name: made.name.to_owned(),
            sql: index(dialect, table, made),
        };
        std::iter::once(view).chain(table.indexes.iter().map(made)).collect::<Vec<_>>()
    };
    Ok(tables.iter().flat_map(of).collect())
}

fn view(dialect: Dialect, table: &DomainTable) -> String {
    let columns: Vec<_> = table
        .columns
        .iter()
        .map(|column| format!("{} AS \"{}\"", expression(dialect, table, column), column.name))
        .collect();
    let session = match table.columns.iter().any(|column| column.source == Source::Session) {
        true => " JOIN sessions s ON s.key = r.session",
        false => "",
    };
    let (name, columns) = (table.name, columns.join(", "));
    format!("CREATE VIEW \"{name}\" /* {MARK} */ AS SELECT {columns} FROM rows r{session} WHERE {}", is_of(table))
}

fn index(dialect: Dialect, table: &DomainTable, index: &Index) -> String {
    let term = |column: &Column| match (column.source, dialect) {
        (Source::Session, _) => "session".to_owned(),
        (Source::Key, _) => "key".to_owned(),
        (Source::Field(_), Dialect::Sqlite) => expression(dialect, table, column),
        (Source::Field(_), Dialect::Postgres) => format!("({}) NULLS FIRST", expression(dialect, table, column)),
    };
    let terms: Vec<_> = index.columns.iter().filter_map(|name| table.column(name)).map(term).collect();
    let (name, terms) = (index.name, terms.join(", "));
    format!("CREATE INDEX \"{name}\" /* {MARK} */ ON rows ({terms}) WHERE {}", is_of(table))
}

/// The rows of the table; written out, because a bound name would not tell a database that a partial index fits.
fn is_of(table: &DomainTable) -> String {
    format!("\"table\" = {}", literal(table.of))
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// What a column shows, of `rows r` and, for a session's name, `sessions s`.
fn expression(dialect: Dialect, table: &DomainTable, column: &Column) -> String {
    let path = match column.source {
        Source::Session => return "s.id".to_owned(),
        Source::Key => return "r.key".to_owned(),
        Source::Field(path) => path,
    };
    let cut = table.is_indexed(column).then_some(INDEXED_TEXT);
    match dialect {
        Dialect::Sqlite => in_sqlite(column.kind, path, cut),
        Dialect::Postgres => in_postgres(column.kind, path, cut),
    }
}

fn in_sqlite(kind: ColumnKind, path: &str, cut: Option<usize>) -> String {
    let path = format!("'$.{}'", path.replace('/', "."));
    let found = format!("json_type(content, {path})");
    let value = format!("json_extract(content, {path})");
    match kind {
        ColumnKind::Text => {
            let text = format!("json_extract(replace(content, '{NUL}', '{SHOWN_NUL}'), {path})");
            let text = cut.map_or(text.clone(), |most| format!("substr({text}, 1, {most})"));
            format!("CAST(CASE WHEN {found} IN ('text', 'object', 'array') THEN {text} END AS TEXT)")
        }
        ColumnKind::Integer => {
            let most = 10_i64.pow(DIGITS) - 1;
            format!(
                "CAST(CASE WHEN {found} = 'integer' AND {value} BETWEEN -{most} AND {most} THEN {value} END AS INTEGER)"
            )
        }
        ColumnKind::Real => format!("CAST(CASE WHEN {found} IN ('integer', 'real') THEN {value} END AS REAL)"),
        ColumnKind::Flag => format!("CAST(CASE {found} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END AS INTEGER)"),
    }
}

fn in_postgres(kind: ColumnKind, path: &str, cut: Option<usize>) -> String {
    let path = format!("'{{{}}}'::text[]", path.replace('/', ","));
    // E'' so that a backslash is one, whatever the server is told to make of it.
    let escaped = |text: &str| format!("E'{}'", text.replace('\\', "\\\\"));
    let content = format!("replace(content::text, {}, {})::json", escaped(NUL), escaped(SHOWN_NUL));
    let found = format!("json_typeof({content} #> {path})");
    let text = format!("({content} #>> {path})");
    match kind {
        ColumnKind::Text => {
            let shown = cut.map_or(text.clone(), |most| format!("left({text}, {most})"));
            format!("(CASE WHEN {found} IN ('string', 'object', 'array') THEN {shown} END) COLLATE \"C\"")
        }
        ColumnKind::Integer => format!(
            "CASE WHEN {found} = 'number' THEN CASE WHEN {text} ~ '^-?[0-9]{{1,{DIGITS}}}$' THEN {text}::bigint END END"
        ),
        ColumnKind::Real => format!("CASE WHEN {found} = 'number' THEN {text}::double precision END"),
        ColumnKind::Flag => {
            format!("CASE WHEN {found} = 'boolean' THEN CASE {text} WHEN 'true' THEN 1::bigint ELSE 0::bigint END END")
        }
    }
}

/// A query of `session id, key, content`, and what is bound to its places.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TableReading {
    pub sql: String,
    pub bound: Vec<Cell>,
}

/// The query that answers a question.
pub(crate) fn table_reading(dialect: Dialect, query: &TableQuery<'_>) -> Result<TableReading, Failure> {
    let resolved = query.resolve()?;
    let mut places = Places { dialect, bound: Vec::new() };
    let mut wanted = vec![of_table(dialect, query, &resolved)];
    match query.of {
        Rows::All => {}
        Rows::Session(session) => wanted.push(format!("s.id = {}", places.bind_name(session))),
        Rows::Family(session) => wanted.push(format!("s.belongs_to = {}", places.bind_name(session))),
    }
    for Condition { column, relation, value } in &resolved.conditions {
        let shown = expression(dialect, query.table, column);
        wanted.push(match (relation, value) {
            (Relation::Equal, Cell::Null) => format!("{shown} IS NULL"),
            (Relation::Equal, value) => format!("{shown} = {}", places.bind(value.clone())),
            (Relation::AtLeast, value) => format!("{shown} >= {}", places.bind(value.clone())),
        });
    }
    let order: Vec<_> = resolved
        .order
        .iter()
        .map(|(column, sort)| format!("{}{}, ", expression(dialect, query.table, column), sorted(dialect, *sort)))
        .collect();
    let (from, wanted, order) = (from(dialect, query, &resolved), wanted.join(" AND "), order.concat());
    let limit = places.limit(query);
    let content = match dialect {
        Dialect::Sqlite => "r.content",
        Dialect::Postgres => "r.content::text",
    };
    let sql = format!("SELECT s.id, r.key, {content} FROM {from} WHERE {wanted} ORDER BY {order}s.id, r.key{limit}");
    Ok(TableReading { sql, bound: places.bound })
}

fn sorted(dialect: Dialect, sort: Sort) -> &'static str {
    match (dialect, sort) {
        (Dialect::Sqlite, Sort::Ascending) => "",
        (Dialect::Sqlite, Sort::Descending) => " DESC",
        (Dialect::Postgres, Sort::Ascending) => " NULLS FIRST",
        (Dialect::Postgres, Sort::Descending) => " DESC NULLS LAST",
    }
}

/// SQLite knows nothing about how many rows there are of what, and is told where to begin: with the rows, where an index
/// leads to few of them or all are meant; with the sessions that are named otherwise.
fn from(dialect: Dialect, query: &TableQuery<'_>, resolved: &ResolvedQuery) -> &'static str {
    let is_named = |one: &Condition| one.column.source == Source::Session && one.relation == Relation::Equal;
    let names_a_session = match query.of {
        Rows::All => resolved.conditions.iter().any(is_named),
        Rows::Session(_) | Rows::Family(_) => true,
    };
    match dialect {
        Dialect::Postgres => "rows r JOIN sessions s ON s.key = r.session",
        Dialect::Sqlite if names_a_session && leading(query, resolved) != Some(Relation::Equal) => {
            "sessions s CROSS JOIN rows r ON r.session = s.key"
        }
        Dialect::Sqlite => "rows r CROSS JOIN sessions s ON s.key = r.session",
    }
}

/// Which rows are meant. Without being told SQLite takes the rows of one table for very few, and would rather read all of
/// them than a stretch of an index.
fn of_table(dialect: Dialect, query: &TableQuery<'_>, resolved: &ResolvedQuery) -> String {
    let is_of = format!("r.{}", is_of(query.table));
    match (dialect, leading(query, resolved)) {
        (Dialect::Sqlite, Some(Relation::AtLeast)) => format!("likely({is_of})"),
        (Dialect::Sqlite, Some(Relation::Equal) | None) | (Dialect::Postgres, _) => is_of,
    }
}

/// Whether an index leads to the rows: by a value that is given, or from one on.
fn leading(query: &TableQuery<'_>, resolved: &ResolvedQuery) -> Option<Relation> {
    let first = |index: &Index| query.table.column(index.columns[0]);
    let is_first = |column| query.table.indexes.iter().any(|index| first(index) == Some(column));
    let leads = |relation| {
        let mut given = resolved.conditions.iter().filter(|one| one.relation == relation);
        given.any(|one| matches!(one.column.source, Source::Field(_)) && is_first(one.column))
    };
    [Relation::Equal, Relation::AtLeast].into_iter().find(|relation| leads(*relation))
}

/// The places of a statement, in their order.
struct Places {
    dialect: Dialect,
    bound: Vec<Cell>,
}

impl Places {
    fn bind(&mut self, value: Cell) -> String {
        self.bound.push(value);
        let sign = match self.dialect {
            Dialect::Sqlite => '?',
            Dialect::Postgres => '$',
        };
        format!("{sign}{}", self.bound.len())
    }

    fn bind_name(&mut self, session: &SessionId) -> String {
        self.bind(Cell::Text(session.as_str().to_owned()))
    }

    fn limit(&mut self, query: &TableQuery<'_>) -> String {
        let number = |count: usize| Cell::Integer(crate::columns::at_most(count));
        let limit = match (query.limit, self.dialect) {
            (0, Dialect::Postgres) => String::new(),
            (0, Dialect::Sqlite) => " LIMIT -1".to_owned(),
            (most, _) => format!(" LIMIT {}", self.bind(number(most))),
        };
        let offset = if query.offset == 0 { String::new() } else { self.bind(number(query.offset)) };
        if offset.is_empty() { limit } else { format!("{limit} OFFSET {offset}") }
    }
}
