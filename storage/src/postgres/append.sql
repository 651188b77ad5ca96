-- Appends of several sessions, each session once, in one statement.
--
-- asked      one row per append: what it was decided on and what the session's row becomes
-- duplicate  those whose idempotency key the session has accepted before
-- opened     new sessions, where what they belong to is there
-- held       rows of the others, locked in the order of their keys so that two batches never wait for each other
-- continued  those whose head is still the one decided on, with the link that the new events' links were made from, and
--            whose lease allows it: the compare-and-set
-- moved      both kinds; everything else is written for these only
WITH asked AS MATERIALIZED (
    SELECT * FROM unnest(
        $1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::bigint[],
        $8::text[], $9::bigint[], $10::bigint[], $11::text[], $12::text[], $13::bigint[],
        $14::text[], $15::bigint[], $16::boolean[], $41::boolean[], $44::text[], $45::bytea[], $46::bytea[]
    ) WITH ORDINALITY AS a (
        id, expected, head, phase, title, waiting_for, changed_at,
        worker, now, until, application, owner, opened_at,
        accepted_key, accepted_seq, retimed, leaves, belongs_to, link_before, link, n
    )
),
duplicate AS MATERIALIZED (
    SELECT a.n, k.seq
    FROM asked a
    JOIN sessions s ON s.id = a.id
    JOIN accepted k ON k.session = s.key AND k.key = a.accepted_key
),
opened AS (
    INSERT INTO sessions (id, application, owner, head, phase, title, waiting_for, opened_at, changed_at,
                          lease_worker, lease_until, belongs_to, link)
    SELECT id, application, owner, head, phase, title, waiting_for, coalesce(opened_at, 0), coalesce(changed_at, 0),
           worker, until, belongs_to, link
    FROM asked a
    WHERE application IS NOT NULL AND expected = 0 AND n NOT IN (SELECT n FROM duplicate)
      AND (belongs_to IS NULL OR EXISTS (SELECT 1 FROM sessions f WHERE f.id = a.belongs_to))
    ORDER BY id
    ON CONFLICT (id) DO NOTHING
    RETURNING key, id, owner, application
),
held AS MATERIALIZED (
    SELECT s.key, a.n
    FROM sessions s
    JOIN asked a ON a.id = s.id
    WHERE a.application IS NULL AND a.n NOT IN (SELECT n FROM duplicate)
    ORDER BY s.key
    FOR NO KEY UPDATE OF s
),
continued AS (
    UPDATE sessions s
    SET head = a.head, phase = a.phase, title = a.title, waiting_for = a.waiting_for,
        changed_at = coalesce(a.changed_at, s.changed_at),
        lease_worker = CASE WHEN a.leaves THEN s.lease_worker ELSE a.worker END,
        lease_until = CASE WHEN a.leaves THEN s.lease_until ELSE a.until END,
        link = a.link
    FROM held h JOIN asked a ON a.n = h.n
    WHERE s.key = h.key
      AND s.head = a.expected
      AND s.link IS NOT DISTINCT FROM a.link_before
      AND (a.worker IS NULL OR s.lease_worker IS NULL OR s.lease_worker = a.worker OR s.lease_until <= a.now)
    RETURNING s.key, a.n, s.owner, s.application
),
moved AS MATERIALIZED (
    SELECT key, n, owner, application FROM continued
    UNION ALL
    SELECT o.key, a.n, o.owner, o.application FROM opened o JOIN asked a ON a.id = o.id
),
logged AS (
    INSERT INTO events (session, seq, at, kind, version, body, link)
    SELECT m.key, e.seq, e.at, e.kind, e.version, e.body, e.link
    FROM unnest($17::bigint[], $18::bigint[], $19::bigint[], $20::text[], $21::integer[], $22::text[], $47::bytea[])
         AS e (n, seq, at, kind, version, body, link)
    JOIN moved m ON m.n = e.n
),
remembered AS (
    INSERT INTO accepted (session, key, seq)
    SELECT m.key, a.accepted_key, a.accepted_seq
    FROM moved m JOIN asked a ON a.n = m.n
    WHERE a.accepted_key IS NOT NULL
),
timer AS MATERIALIZED (
    SELECT m.key AS session, t.name, t.at
    FROM unnest($23::bigint[], $24::text[], $25::bigint[]) AS t (n, name, at)
    JOIN moved m ON m.n = t.n
),
stopped AS (
    DELETE FROM timers t
    USING moved m JOIN asked a ON a.n = m.n
    WHERE t.session = m.key AND a.retimed
      AND NOT EXISTS (SELECT 1 FROM timer s WHERE s.session = t.session AND s.name = t.name)
),
started AS (
    INSERT INTO timers (session, name, at)
    SELECT session, name, at FROM timer
    ON CONFLICT (session, name) DO UPDATE SET at = excluded.at
),
change AS MATERIALIZED (
    SELECT m.key AS session, r.in_table, r.key, r.content
    FROM unnest($26::bigint[], $27::text[], $28::text[], $29::text[]) AS r (n, in_table, key, content)
    JOIN moved m ON m.n = r.n
),
removed AS (
    DELETE FROM rows r
    USING change c
    WHERE r.session = c.session AND r."table" = c.in_table AND r.key = c.key AND c.content IS NULL
),
put AS (
    INSERT INTO rows (session, "table", key, content)
    SELECT session, in_table, key, content::json FROM change WHERE content IS NOT NULL
    ON CONFLICT (session, "table", key) DO UPDATE SET content = excluded.content
),
spent AS (
    INSERT INTO usage (session, owner, day, application, model, calls, input, output, cache_read, cache_write, cost)
    SELECT m.key, m.owner, u.day, m.application, u.model, u.calls, u.input, u.output, u.cache_read, u.cache_write, u.cost
    FROM unnest($30::bigint[], $31::bigint[], $32::bigint[], $33::bigint[], $34::bigint[], $35::bigint[], $36::bigint[],
                $42::text[], $43::bigint[])
         AS u (n, day, calls, input, output, cache_read, cache_write, model, cost)
    JOIN moved m ON m.n = u.n
    ON CONFLICT (session, owner, day, application, model) DO UPDATE
    SET calls = usage.calls + excluded.calls, input = usage.input + excluded.input,
        output = usage.output + excluded.output, cache_read = usage.cache_read + excluded.cache_read,
        cache_write = usage.cache_write + excluded.cache_write, cost = usage.cost + excluded.cost
),
kept AS (
    INSERT INTO snapshots (session, seq, version, body, checksum)
    SELECT m.key, s.seq, s.version, s.body, s.checksum
    FROM unnest($37::bigint[], $38::bigint[], $39::integer[], $40::bytea[], $48::bytea[])
         AS s (n, seq, version, body, checksum)
    JOIN moved m ON m.n = s.n
    ON CONFLICT (session) DO UPDATE SET seq = excluded.seq, version = excluded.version, body = excluded.body,
        checksum = excluded.checksum
)
SELECT a.n, m.n IS NOT NULL AS moved, d.seq AS duplicate
FROM asked a
LEFT JOIN moved m ON m.n = a.n
LEFT JOIN duplicate d ON d.n = a.n
