-- Which site it was in the beginning: a copy, and what was imported anew, is known for the same by whoever was erased there.

ALTER TABLE sites ADD COLUMN origin_ulid TEXT NOT NULL DEFAULT '';
UPDATE sites SET origin_ulid = ulid;
