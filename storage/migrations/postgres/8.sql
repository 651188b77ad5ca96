-- A fork that only tries how else it might have gone is woken by no timer.
ALTER TABLE sessions ADD COLUMN quiet BOOLEAN NOT NULL DEFAULT FALSE;
