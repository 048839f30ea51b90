-- Who has claimed a delivery, so that a process that starts lets go only of what processes that are no more had claimed.

ALTER TABLE deliveries ADD COLUMN claimed_by TEXT;

-- Mails about tickets are kept as long as the ticket: what answers them is matched by their Message-ID.
DROP INDEX deliveries_finished;
CREATE INDEX deliveries_finished ON deliveries (finished_at)
  WHERE finished_at IS NOT NULL AND (mail_message_id IS NULL OR ticket_id IS NULL);

-- When somebody was last written to.
CREATE INDEX deliveries_by_recipient ON deliveries (recipient, created_at) WHERE recipient IS NOT NULL;
