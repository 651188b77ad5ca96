-- Sessions. Keys are never given twice (AUTOINCREMENT): a writer may remember one that another process has deleted.
CREATE TABLE sessions (
    key          INTEGER PRIMARY KEY AUTOINCREMENT,
    id           TEXT    NOT NULL UNIQUE,
    application  TEXT    NOT NULL,
    owner        TEXT    NOT NULL,
    parent       INTEGER REFERENCES sessions (key),
    parent_at    INTEGER,
    opened_at    INTEGER NOT NULL,
    changed_at   INTEGER NOT NULL,
    head         INTEGER NOT NULL,
    phase        TEXT    NOT NULL,
    title        TEXT    NOT NULL,
    waiting_for  TEXT,
    lease_worker TEXT,
    lease_until  INTEGER,
    CHECK ((parent IS NULL) = (parent_at IS NULL))
) STRICT;

CREATE INDEX sessions_by_owner ON sessions (owner);
CREATE INDEX sessions_by_parent ON sessions (parent) WHERE parent IS NOT NULL;
CREATE INDEX sessions_working ON sessions (key) WHERE phase = 'working';

-- The log.
CREATE TABLE events (
    session INTEGER NOT NULL,
    seq     INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    kind    TEXT    NOT NULL,
    version INTEGER NOT NULL,
    body    TEXT    NOT NULL,
    PRIMARY KEY (session, seq)
) STRICT, WITHOUT ROWID;

-- A state as of an event; a cache.
CREATE TABLE snapshots (
    session INTEGER PRIMARY KEY,
    seq     INTEGER NOT NULL,
    version INTEGER NOT NULL,
    body    BLOB    NOT NULL
) STRICT;

-- Idempotency keys and where their commands ended.
CREATE TABLE accepted (
    session INTEGER NOT NULL,
    key     TEXT    NOT NULL,
    seq     INTEGER NOT NULL,
    PRIMARY KEY (session, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE timers (
    session INTEGER NOT NULL,
    name    TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (session, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX timers_by_time ON timers (at);

-- Tables that follow events.
CREATE TABLE rows (
    session INTEGER NOT NULL,
    "table" TEXT    NOT NULL,
    key     TEXT    NOT NULL,
    content TEXT    NOT NULL,
    PRIMARY KEY (session, "table", key)
) STRICT, WITHOUT ROWID;

CREATE INDEX rows_by_table ON rows ("table");

-- Tokens spent. Session 0 stands for sessions that have been deleted: what they spent stays spent.
CREATE TABLE usage (
    session     INTEGER NOT NULL,
    owner       TEXT    NOT NULL,
    day         INTEGER NOT NULL,
    calls       INTEGER NOT NULL,
    input       INTEGER NOT NULL,
    output      INTEGER NOT NULL,
    cache_read  INTEGER NOT NULL,
    cache_write INTEGER NOT NULL,
    PRIMARY KEY (session, owner, day)
) STRICT, WITHOUT ROWID;

CREATE INDEX usage_by_owner ON usage (owner, day);

-- Outside text, by SHA-256.
CREATE TABLE blobs (
    digest BLOB NOT NULL UNIQUE,
    bytes  BLOB NOT NULL
) STRICT;
