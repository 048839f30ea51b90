-- Until when the provider of a mailbox lets a consent count, and since when, if it says so.
ALTER TABLE mailboxes ADD COLUMN consent_from INTEGER;
ALTER TABLE mailboxes ADD COLUMN consent_until INTEGER;
