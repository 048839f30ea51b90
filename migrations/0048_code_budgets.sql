-- Codes that a visit by a link asked for count apart from those that anyone can ask for.

ALTER TABLE customer_codes ADD COLUMN is_by_link INTEGER NOT NULL DEFAULT 0;
ALTER TABLE customer_codes ADD COLUMN digits INTEGER NOT NULL DEFAULT 6;
CREATE INDEX customer_codes_by_site ON customer_codes (site_id, created_at);
