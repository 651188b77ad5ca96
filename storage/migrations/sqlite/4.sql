-- Sessions that belong to another: the interviews of a form. By its id, which every row that is read has to say anyway.
ALTER TABLE sessions ADD COLUMN belongs_to TEXT REFERENCES sessions (id);

-- Each session is in one of two lists that are kept in order, so an append moves it in one index as before: its owner's,
-- or that of what it belongs to. All of an owner's together are asked for seldom and sorted then.
DROP INDEX sessions_by_owner;
CREATE INDEX sessions_by_owner ON sessions (owner);
CREATE INDEX sessions_alone ON sessions (owner, changed_at DESC, id) WHERE belongs_to IS NULL;
CREATE INDEX sessions_by_family ON sessions (belongs_to, changed_at DESC, id) WHERE belongs_to IS NOT NULL;
