-- How far the erasure of a person has come: through their own tickets, through what they wrote elsewhere, and through the inbound log.

ALTER TABLE erasures_under_way ADD COLUMN after_ticket_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE erasures_under_way ADD COLUMN after_message_id INTEGER NOT NULL DEFAULT 0;
-- The newest mail when the erasure began. 0: the mail is erased already.
ALTER TABLE erasures_under_way ADD COLUMN until_mail_id INTEGER NOT NULL DEFAULT 0;
-- Another person has the same address.
ALTER TABLE erasures_under_way ADD COLUMN is_shared INTEGER NOT NULL DEFAULT 0;
DROP TABLE erasure_tickets;

-- An author's tickets in the order of their ids, so that a step continues where the one before ended.
DROP INDEX tickets_by_author;
CREATE INDEX tickets_by_author ON tickets (author_id);

-- Forwards of a mail are found by the mail.
CREATE INDEX deliveries_forwards ON deliveries (payload ->> 'inbound_id') WHERE event = 'mail.forward';
