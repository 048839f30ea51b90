-- Tickets that rest until a time, spam, and the ticket that another was split from.

ALTER TABLE tickets ADD COLUMN snoozed_until INTEGER;
ALTER TABLE tickets ADD COLUMN is_spam INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tickets ADD COLUMN split_from_id INTEGER REFERENCES tickets (id) ON DELETE SET NULL;
CREATE INDEX tickets_snoozed ON tickets (snoozed_until) WHERE snoozed_until IS NOT NULL;
CREATE INDEX tickets_spam ON tickets (author_id) WHERE is_spam = 1;
CREATE INDEX tickets_by_split_from ON tickets (split_from_id) WHERE split_from_id IS NOT NULL;

-- Lists leave spam out, so the indexes of lists hold it.
DROP INDEX tickets_by_created;
DROP INDEX tickets_by_updated;
DROP INDEX tickets_by_priority_level;
DROP INDEX tickets_by_first_response;
DROP INDEX tickets_by_resolution;
DROP INDEX tickets_by_site_created;
DROP INDEX tickets_by_site_updated;
DROP INDEX tickets_by_site_priority_level;
DROP INDEX tickets_by_site_first_response;
DROP INDEX tickets_by_site_resolution;
CREATE INDEX tickets_by_created ON tickets
  (status, created_at, id, is_test, is_spam, site_id, category_id, priority_id, assignee_id, author_id, sla_marks);
CREATE INDEX tickets_by_updated ON tickets
  (status, updated_at, id, is_test, is_spam, site_id, category_id, priority_id, assignee_id, author_id, sla_marks, created_at);
CREATE INDEX tickets_by_priority_level ON tickets
  (status, priority_level, created_at, id, is_test, is_spam, site_id, category_id, priority_id, assignee_id, author_id, sla_marks);
CREATE INDEX tickets_by_first_response ON tickets
  (status, first_response_sort, id, is_test, is_spam, site_id, category_id, priority_id, assignee_id, author_id, sla_marks, created_at);
CREATE INDEX tickets_by_resolution ON tickets
  (status, resolution_sort, id, is_test, is_spam, site_id, category_id, priority_id, assignee_id, author_id, sla_marks, created_at);
CREATE INDEX tickets_by_site_created ON tickets
  (site_id, status, created_at, id, is_test, is_spam, category_id, priority_id, assignee_id, author_id, sla_marks);
CREATE INDEX tickets_by_site_updated ON tickets
  (site_id, status, updated_at, id, is_test, is_spam, category_id, priority_id, assignee_id, author_id, sla_marks, created_at);
CREATE INDEX tickets_by_site_priority_level ON tickets
  (site_id, status, priority_level, created_at, id, is_test, is_spam, category_id, priority_id, assignee_id, author_id, sla_marks);
CREATE INDEX tickets_by_site_first_response ON tickets
  (site_id, status, first_response_sort, id, is_test, is_spam, category_id, priority_id, assignee_id, author_id, sla_marks, created_at);
CREATE INDEX tickets_by_site_resolution ON tickets
  (site_id, status, resolution_sort, id, is_test, is_spam, category_id, priority_id, assignee_id, author_id, sla_marks, created_at);

-- The kept totals tell spam apart.
DROP TRIGGER tickets_counted;
DROP TRIGGER tickets_uncounted;
DROP TRIGGER tickets_recounted;
CREATE TABLE counts_with_spam (
  site_id INTEGER NOT NULL,
  status TEXT NOT NULL,
  is_test INTEGER NOT NULL,
  is_spam INTEGER NOT NULL,
  total INTEGER NOT NULL,
  PRIMARY KEY (site_id, status, is_test, is_spam)
) STRICT, WITHOUT ROWID;
INSERT INTO counts_with_spam SELECT site_id, status, is_test, 0, total FROM ticket_counts;
DROP TABLE ticket_counts;
ALTER TABLE counts_with_spam RENAME TO ticket_counts;
CREATE TRIGGER tickets_counted AFTER INSERT ON tickets BEGIN
  INSERT INTO ticket_counts VALUES (new.site_id, new.status, new.is_test, new.is_spam, 1)
    ON CONFLICT DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER tickets_uncounted AFTER DELETE ON tickets BEGIN
  UPDATE ticket_counts SET total = total - 1
    WHERE site_id = old.site_id AND status = old.status AND is_test = old.is_test AND is_spam = old.is_spam;
END;
CREATE TRIGGER tickets_recounted AFTER UPDATE OF status, is_spam ON tickets
WHEN old.status <> new.status OR old.is_spam <> new.is_spam BEGIN
  UPDATE ticket_counts SET total = total - 1
    WHERE site_id = old.site_id AND status = old.status AND is_test = old.is_test AND is_spam = old.is_spam;
  INSERT INTO ticket_counts VALUES (new.site_id, new.status, new.is_test, new.is_spam, 1)
    ON CONFLICT DO UPDATE SET total = total + 1;
END;
