-- Files, by the session that took them in. Bytes are kept once, in parts, and counted by the files that have them.

-- Without a digest while it is coming in.
CREATE TABLE contents (
    key    BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    digest BYTEA UNIQUE,
    size   BIGINT NOT NULL
);

-- Most files are compressed already.
CREATE TABLE content_parts (
    content BIGINT NOT NULL REFERENCES contents (key),
    place   BIGINT NOT NULL,
    bytes   BYTEA  NOT NULL,
    PRIMARY KEY (content, place)
);
ALTER TABLE content_parts ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- `until` is when room that was set aside is given back; none once the file is whole. `link` is the way its respondent
-- came by.
CREATE TABLE files (
    key     BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    session BIGINT NOT NULL REFERENCES sessions (key),
    content BIGINT NOT NULL REFERENCES contents (key),
    size    BIGINT NOT NULL,
    link    TEXT COLLATE "C",
    until   BIGINT
);

CREATE INDEX files_by_session ON files (session);
CREATE INDEX files_by_content ON files (content);
CREATE INDEX files_by_link ON files (link) WHERE link IS NOT NULL;
CREATE INDEX files_by_end ON files (until) WHERE until IS NOT NULL;

-- Files so far were kept by digest alone, and every interview that named one could have it. They now go to the interviews
-- that named them first, and to others of the same owner that did. What nobody names goes.
CREATE TABLE named AS
SELECT e.session AS session, substring(e.body FROM '"text":"([0-9a-f]{64})/') AS digest, min(e.at) AS at
FROM events e JOIN sessions s ON s.key = e.session
WHERE s.application = 'interview' AND e.kind = 'AnswerGiven' AND e.body ~ '"text":"[0-9a-f]{64}/'
GROUP BY 1, 2;

CREATE INDEX named_by_digest ON named (digest, at, session);

INSERT INTO contents (digest, size)
SELECT b.digest, length(b.bytes) FROM blobs b WHERE encode(b.digest, 'hex') IN (SELECT digest FROM named);

INSERT INTO content_parts (content, place, bytes)
SELECT c.key, p.place, substring(b.bytes FROM p.place * 262144 + 1 FOR 262144)
FROM contents c JOIN blobs b ON b.digest = c.digest JOIN generate_series(0, 63) AS p (place)
ON p.place * 262144 < length(b.bytes);

INSERT INTO files (session, content, size)
SELECT n.session, c.key, c.size
FROM contents c JOIN named n ON n.digest = encode(c.digest, 'hex') JOIN sessions s ON s.key = n.session
WHERE s.owner = (SELECT o.owner FROM named f JOIN sessions o ON o.key = f.session
                 WHERE f.digest = n.digest ORDER BY f.at, f.session LIMIT 1);

DROP TABLE named;
DROP TABLE blobs;
