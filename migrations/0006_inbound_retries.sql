-- When mail that could not be filed is tried again, and whom a rule has forwarded it to: a replay sends it there no second time.

ALTER TABLE inbound_mail ADD COLUMN retry_at INTEGER;
ALTER TABLE inbound_mail ADD COLUMN forwarded_to TEXT NOT NULL DEFAULT '[]';
UPDATE inbound_mail SET forwarded_to = (
  SELECT json_group_array(recipient) FROM deliveries
  WHERE deliveries.event = 'mail.forward' AND deliveries.payload ->> 'inbound_id' = inbound_mail.id)
WHERE id IN (SELECT payload ->> 'inbound_id' FROM deliveries WHERE event = 'mail.forward');
