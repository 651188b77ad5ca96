-- A fork that only tries how else it might have gone is woken by no timer.
ALTER TABLE sessions ADD COLUMN quiet INTEGER NOT NULL DEFAULT 0;
