-- The register: who there is, what lets them in, what was done, and which requests were answered.

CREATE TABLE people (
    name           TEXT COLLATE "C" PRIMARY KEY,
    display        TEXT    NOT NULL,
    password       TEXT,
    is_admin       BOOLEAN NOT NULL,
    is_blocked     BOOLEAN NOT NULL,
    lang           TEXT,
    tokens_in_all  BIGINT,
    tokens_per_day BIGINT,
    money_in_all   BIGINT,
    money_per_day  BIGINT,
    added_at       BIGINT  NOT NULL
);

-- By the SHA-256 of a secret; the secret itself is never here.
CREATE TABLE passes (
    digest     BYTEA  PRIMARY KEY,
    kind       TEXT   NOT NULL,
    person     TEXT COLLATE "C" REFERENCES people (name),
    label      TEXT   NOT NULL,
    scopes     TEXT   NOT NULL,
    issued_at  BIGINT NOT NULL,
    expires_at BIGINT,
    used_at    BIGINT
);

CREATE INDEX passes_by_person ON passes (person, kind);
CREATE INDEX passes_by_end ON passes (expires_at) WHERE expires_at IS NOT NULL;

-- Only added to. It names people who may be gone, and addresses where nobody was signed in.
CREATE TABLE journal (
    line       BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at         BIGINT NOT NULL,
    by_whom    TEXT COLLATE "C" NOT NULL,
    act        TEXT   NOT NULL,
    on_what    TEXT   NOT NULL,
    from_where TEXT   NOT NULL
);

CREATE INDEX journal_by_person ON journal (by_whom, line);

-- Requests with an idempotency key, and what was answered.
CREATE TABLE answers (
    person TEXT COLLATE "C" NOT NULL REFERENCES people (name),
    key    TEXT COLLATE "C" NOT NULL,
    digest BYTEA   NOT NULL,
    at     BIGINT  NOT NULL,
    status INTEGER,
    body   BYTEA,
    PRIMARY KEY (person, key),
    CHECK ((status IS NULL) = (body IS NULL))
);

CREATE INDEX answers_by_time ON answers (at);

-- One document, in one row, as text: it comes back as it was written.
CREATE TABLE settings (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    content TEXT NOT NULL
);

-- An owner's sessions in the order in which they are listed, page by page: without it every page would sort all that an
-- owner has. The price is that an append, which moves changed_at, writes to this index too.
DROP INDEX sessions_by_owner;
CREATE INDEX sessions_by_owner ON sessions (owner, changed_at DESC, id);
