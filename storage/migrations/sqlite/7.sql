-- Deletions are counted, and so is how many of them have been swept out of the file: of two processes that delete at
-- once, neither may call swept what only the other has deleted.
ALTER TABLE identity ADD COLUMN deletions INTEGER NOT NULL DEFAULT 0;
ALTER TABLE identity ADD COLUMN swept INTEGER NOT NULL DEFAULT 0;
UPDATE identity SET deletions = unswept;
ALTER TABLE identity DROP COLUMN unswept;
