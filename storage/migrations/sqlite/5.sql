-- Checksums. The link of an event is a digest over the link before it and the event; a session's is that of its head.
-- What was written before has none.
ALTER TABLE events ADD COLUMN link BLOB;
ALTER TABLE sessions ADD COLUMN link BLOB;
ALTER TABLE snapshots ADD COLUMN checksum BLOB;

-- What tells this database from every other, and the last time that somebody tried whether it can be written.
CREATE TABLE identity (
    one        INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    id         TEXT    NOT NULL,
    written_at INTEGER NOT NULL,
    -- Whether traces of what was deleted are still to be swept out of the file.
    unswept    INTEGER NOT NULL DEFAULT 0 CHECK (unswept IN (0, 1))
) STRICT;

-- Until now, what was deleted was not overwritten.
INSERT INTO identity (one, id, written_at, unswept) VALUES (1, lower(hex(randomblob(16))), 0, 1);
