-- The SHA-256 of the stored request. Null for forms, and for mail that came before this and was not read since.
ALTER TABLE inbound_mail ADD COLUMN sha256 TEXT;
