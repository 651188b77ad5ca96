-- Files, by the session that took them in. Bytes are kept once, in parts, and counted by the files that have them.

-- Without a digest while it is coming in.
CREATE TABLE contents (
    key    INTEGER PRIMARY KEY AUTOINCREMENT,
    digest BLOB UNIQUE,
    size   INTEGER NOT NULL
) STRICT;

CREATE TABLE content_parts (
    content INTEGER NOT NULL REFERENCES contents (key),
    place   INTEGER NOT NULL,
    bytes   BLOB    NOT NULL,
    PRIMARY KEY (content, place)
) STRICT;

-- `until` is when room that was set aside is given back; none once the file is whole. `link` is the way its respondent
-- came by.
CREATE TABLE files (
    key     INTEGER PRIMARY KEY AUTOINCREMENT,
    session INTEGER NOT NULL REFERENCES sessions (key),
    content INTEGER NOT NULL REFERENCES contents (key),
    size    INTEGER NOT NULL,
    link    TEXT,
    until   INTEGER
) STRICT;

CREATE INDEX files_by_session ON files (session);
CREATE INDEX files_by_content ON files (content);
CREATE INDEX files_by_link ON files (link) WHERE link IS NOT NULL;
CREATE INDEX files_by_end ON files (until) WHERE until IS NOT NULL;

-- Files so far were kept by digest alone, and every interview that named one could have it. They now go to the interviews
-- that named them first, and to others of the same owner that did. What nobody names goes.
CREATE TABLE named AS
SELECT session, substr(text, 1, 64) AS digest, min(at) AS at
FROM (SELECT e.session, e.at, iif(json_valid(e.body), json_extract(e.body, '$.text'), '') AS text
      FROM events e JOIN sessions s ON s.key = e.session
      WHERE s.application = 'interview' AND e.kind = 'AnswerGiven')
WHERE instr(text, '/') = 65
GROUP BY 1, 2;

CREATE INDEX named_by_digest ON named (digest, at, session);

INSERT INTO contents (digest, size)
SELECT b.digest, length(b.bytes) FROM blobs b WHERE lower(hex(b.digest)) IN (SELECT digest FROM named);

INSERT INTO content_parts (content, place, bytes)
WITH RECURSIVE places (place) AS (SELECT 0 UNION ALL SELECT place + 1 FROM places WHERE place < 63)
SELECT c.key, p.place, substr(b.bytes, p.place * 262144 + 1, 262144)
FROM contents c JOIN blobs b ON b.digest = c.digest JOIN places p ON p.place * 262144 < length(b.bytes);

INSERT INTO files (session, content, size)
SELECT n.session, c.key, c.size
FROM contents c JOIN named n ON n.digest = lower(hex(c.digest)) JOIN sessions s ON s.key = n.session
WHERE s.owner = (SELECT o.owner FROM named f JOIN sessions o ON o.key = f.session
                 WHERE f.digest = n.digest ORDER BY f.at, f.session LIMIT 1);

DROP TABLE named;
DROP TABLE blobs;
