-- Who a reply goes to, as JSON, with what became of the mail to each. Null: to the author, or not mailed.
ALTER TABLE messages ADD COLUMN recipients TEXT;
ALTER TABLE scheduled_replies ADD COLUMN recipients TEXT;

-- Finds the copies that someone in Bcc got, when they are erased.
CREATE INDEX deliveries_copies ON deliveries (site_id, recipient) WHERE event = 'mail.reply_copy';
