-- The register: who there is, what lets them in, what was done, and which requests were answered.

CREATE TABLE people (
    name           TEXT    NOT NULL PRIMARY KEY,
    display        TEXT    NOT NULL,
    password       TEXT,
    is_admin       INTEGER NOT NULL CHECK (is_admin IN (0, 1)),
    is_blocked     INTEGER NOT NULL CHECK (is_blocked IN (0, 1)),
    lang           TEXT,
    tokens_in_all  INTEGER,
    tokens_per_day INTEGER,
    money_in_all   INTEGER,
    money_per_day  INTEGER,
    added_at       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- By the SHA-256 of a secret; the secret itself is never here.
CREATE TABLE passes (
    digest     BLOB    NOT NULL PRIMARY KEY,
    kind       TEXT    NOT NULL,
    person     TEXT    REFERENCES people (name),
    label      TEXT    NOT NULL,
    scopes     TEXT    NOT NULL,
    issued_at  INTEGER NOT NULL,
    expires_at INTEGER,
    used_at    INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX passes_by_person ON passes (person, kind);
CREATE INDEX passes_by_end ON passes (expires_at) WHERE expires_at IS NOT NULL;

-- Only added to. It names people who may be gone, and addresses where nobody was signed in.
CREATE TABLE journal (
    line       INTEGER PRIMARY KEY AUTOINCREMENT,
    at         INTEGER NOT NULL,
    by_whom    TEXT    NOT NULL,
    act        TEXT    NOT NULL,
    on_what    TEXT    NOT NULL,
    from_where TEXT    NOT NULL
) STRICT;

CREATE INDEX journal_by_person ON journal (by_whom, line);

-- Requests with an idempotency key, and what was answered.
CREATE TABLE answers (
    person TEXT    NOT NULL REFERENCES people (name),
    key    TEXT    NOT NULL,
    digest BLOB    NOT NULL,
    at     INTEGER NOT NULL,
    status INTEGER,
    body   BLOB,
    PRIMARY KEY (person, key),
    CHECK ((status IS NULL) = (body IS NULL))
) STRICT;

CREATE INDEX answers_by_time ON answers (at);

-- One document, in one row, as text: it comes back as it was written.
CREATE TABLE settings (
    one     INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    content TEXT    NOT NULL
) STRICT;

-- An owner's sessions in the order in which they are listed, page by page.
DROP INDEX sessions_by_owner;
CREATE INDEX sessions_by_owner ON sessions (owner, changed_at DESC, id);
