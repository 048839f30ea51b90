-- Mail of people who were erased: the row tells that something came, and no longer from whom.

ALTER TABLE inbound_mail ADD COLUMN erased_at INTEGER;
