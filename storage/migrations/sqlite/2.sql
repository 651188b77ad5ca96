-- What was spent, by model and application too, and what it cost. The lines kept so far know no model (''); those of
-- deleted sessions (session 0) know no application either.
ALTER TABLE usage RENAME TO usage_by_day;

CREATE TABLE usage (
    session     INTEGER NOT NULL,
    owner       TEXT    NOT NULL,
    day         INTEGER NOT NULL,
    application TEXT    NOT NULL,
    model       TEXT    NOT NULL,
    calls       INTEGER NOT NULL,
    input       INTEGER NOT NULL,
    output      INTEGER NOT NULL,
    cache_read  INTEGER NOT NULL,
    cache_write INTEGER NOT NULL,
    cost        INTEGER NOT NULL,
    PRIMARY KEY (session, owner, day, application, model)
) STRICT, WITHOUT ROWID;

INSERT INTO usage
SELECT u.session, u.owner, u.day, coalesce(s.application, ''), '',
       u.calls, u.input, u.output, u.cache_read, u.cache_write, 0
FROM usage_by_day u LEFT JOIN sessions s ON s.key = u.session;

DROP TABLE usage_by_day;

CREATE INDEX usage_by_owner ON usage (owner, day);
