//! Keeps events and tables: memory, SQLite, PostgreSQL.
