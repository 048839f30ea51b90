-- No ticket was updated before it was created: lists bounded by one time are bounded by the other.

UPDATE tickets SET updated_at = created_at
WHERE id IN (SELECT id FROM tickets INDEXED BY tickets_by_updated WHERE status IN ('open', 'pending', 'resolved', 'closed') AND updated_at < created_at);
