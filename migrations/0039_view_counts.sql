-- Counts of views and of customers' tickets read only these indexes.

DROP INDEX tickets_by_assignee;
CREATE INDEX tickets_by_assignee ON tickets (assignee_id, status, site_id, is_test, is_spam, snoozed_until);
DROP INDEX tickets_sla_breached;
CREATE INDEX tickets_sla_breached ON tickets (status, site_id, is_test, is_spam)
  WHERE first_response_breached_at IS NOT NULL OR resolution_breached_at IS NOT NULL;
DROP INDEX tickets_by_author;
CREATE INDEX tickets_by_author ON tickets (author_id, status, created_at, is_test, is_spam);
CREATE INDEX authors_by_site ON authors (site_id) WHERE anonymised_at IS NULL;
