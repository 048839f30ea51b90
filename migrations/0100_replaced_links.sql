-- Links of access tokens that an application has replaced since: they opened the page still.
DELETE FROM customer_visits WHERE link_id IN (
  SELECT l.id FROM customer_links l LEFT JOIN tickets t ON t.id = l.ticket_id
  WHERE l.kind = 'application' AND l.revoked_at IS NULL
    AND substr(l.token_hash, -length(t.access_token_hash)) IS NOT t.access_token_hash
);
UPDATE customer_links SET revoked_at = coalesce(last_used_at, created_at), revoked_by = '{"type":"application","id":null,"name":null}'
WHERE kind = 'application' AND revoked_at IS NULL AND NOT EXISTS (
  SELECT 1 FROM tickets t WHERE t.id = ticket_id AND substr(token_hash, -length(t.access_token_hash)) = t.access_token_hash
);
