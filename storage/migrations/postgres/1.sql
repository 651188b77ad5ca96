-- Sessions. Updated with every append: room on the page and no index on what changes keep such an update cheap.
CREATE TABLE sessions (
    key          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id           TEXT COLLATE "C" NOT NULL UNIQUE,
    application  TEXT   NOT NULL,
    owner        TEXT COLLATE "C" NOT NULL,
    parent       BIGINT REFERENCES sessions (key),
    parent_at    BIGINT,
    opened_at    BIGINT NOT NULL,
    changed_at   BIGINT NOT NULL,
    head         BIGINT NOT NULL,
    phase        TEXT   NOT NULL,
    title        TEXT   NOT NULL,
    waiting_for  TEXT,
    lease_worker TEXT,
    lease_until  BIGINT,
    CHECK ((parent IS NULL) = (parent_at IS NULL))
) WITH (fillfactor = 70);

CREATE INDEX sessions_by_owner ON sessions (owner);
CREATE INDEX sessions_by_parent ON sessions (parent) WHERE parent IS NOT NULL;
CREATE INDEX sessions_working ON sessions (key) WHERE phase = 'working';

-- The log. Bodies are kept as text, byte for byte.
CREATE TABLE events (
    session BIGINT  NOT NULL,
    seq     BIGINT  NOT NULL,
    at      BIGINT  NOT NULL,
    kind    TEXT    NOT NULL,
    version INTEGER NOT NULL,
    body    TEXT    NOT NULL,
    PRIMARY KEY (session, seq)
);

-- A state as of an event; a cache.
CREATE TABLE snapshots (
    session BIGINT PRIMARY KEY,
    seq     BIGINT  NOT NULL,
    version INTEGER NOT NULL,
    body    BYTEA   NOT NULL
);

-- Idempotency keys and where their commands ended.
CREATE TABLE accepted (
    session BIGINT NOT NULL,
    key     TEXT   NOT NULL,
    seq     BIGINT NOT NULL,
    PRIMARY KEY (session, key)
);

CREATE TABLE timers (
    session BIGINT NOT NULL,
    name    TEXT COLLATE "C" NOT NULL,
    at      BIGINT NOT NULL,
    PRIMARY KEY (session, name)
);

CREATE INDEX timers_by_time ON timers (at);

-- Tables that follow events.
CREATE TABLE rows (
    session BIGINT NOT NULL,
    "table" TEXT   NOT NULL,
    key     TEXT COLLATE "C" NOT NULL,
    content JSON   NOT NULL,
    PRIMARY KEY (session, "table", key)
);

CREATE INDEX rows_by_table ON rows ("table", session);

-- Tokens spent. Session 0 stands for sessions that have been deleted: what they spent stays spent.
CREATE TABLE usage (
    session     BIGINT NOT NULL,
    owner       TEXT COLLATE "C" NOT NULL,
    day         BIGINT NOT NULL,
    calls       BIGINT NOT NULL,
    input       BIGINT NOT NULL,
    output      BIGINT NOT NULL,
    cache_read  BIGINT NOT NULL,
    cache_write BIGINT NOT NULL,
    PRIMARY KEY (session, owner, day)
);

CREATE INDEX usage_by_owner ON usage (owner, day);

-- Outside text, by SHA-256.
CREATE TABLE blobs (
    digest BYTEA PRIMARY KEY,
    bytes  BYTEA NOT NULL
);
