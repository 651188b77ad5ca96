-- Checksums. The link of an event is a digest over the link before it and the event; a session's is that of its head.
-- What was written before has none.
ALTER TABLE events ADD COLUMN link BYTEA;
ALTER TABLE sessions ADD COLUMN link BYTEA;
ALTER TABLE snapshots ADD COLUMN checksum BYTEA;

-- What tells this database from every other, and the last time that somebody tried whether it can be written.
CREATE TABLE identity (
    one        BIGINT PRIMARY KEY CHECK (one = 1),
    id         TEXT   NOT NULL,
    written_at BIGINT NOT NULL
);

INSERT INTO identity (one, id, written_at) VALUES (1, replace(gen_random_uuid()::text, '-', ''), 0);
