-- What was spent, by model and application too, and what it cost. The lines kept so far know no model (''); those of
-- deleted sessions (session 0) know no application either.
ALTER TABLE usage
    ADD COLUMN application TEXT COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN model       TEXT COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN cost        BIGINT NOT NULL DEFAULT 0;

UPDATE usage u SET application = s.application FROM sessions s WHERE s.key = u.session;

ALTER TABLE usage
    ALTER COLUMN application DROP DEFAULT,
    ALTER COLUMN model DROP DEFAULT,
    ALTER COLUMN cost DROP DEFAULT,
    DROP CONSTRAINT usage_pkey,
    ADD PRIMARY KEY (session, owner, day, application, model);
