-- The row of the inbound log that a customer's message came by. The row goes earlier than the message, and its number is not used again.
ALTER TABLE messages ADD COLUMN inbound_id INTEGER;

-- A message is stored in the same step as the outcome of its mail.
UPDATE messages SET inbound_id = found.inbound_id FROM (
  SELECT inbound_mail.id AS inbound_id, min(messages.id) AS message_id
  FROM inbound_mail JOIN messages ON messages.ticket_id = inbound_mail.ticket_id AND messages.created_at = inbound_mail.processed_at
  WHERE outcome IN ('ticket_created', 'reply_added') AND source = 'email' AND is_agent = 0 AND is_internal = 0
  GROUP BY inbound_mail.id HAVING count(*) = 1
) AS found WHERE messages.id = found.message_id;
