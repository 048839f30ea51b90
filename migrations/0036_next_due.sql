-- The order by the clock that is due first: paused clocks after running ones, then tickets whose clocks have stopped.

ALTER TABLE tickets ADD COLUMN next_due_sort INTEGER NOT NULL GENERATED ALWAYS AS (
  CASE
    WHEN resolved_at IS NOT NULL THEN 9007199254740991
    WHEN min(coalesce(CASE WHEN first_response_at IS NULL THEN first_response_due_at END, 9007199254740991),
             coalesce(resolution_due_at, 9007199254740991)) = 9007199254740991 THEN 9007199254740991
    ELSE min(coalesce(CASE WHEN first_response_at IS NULL THEN first_response_due_at END, 9007199254740991),
             coalesce(resolution_due_at, 9007199254740991))
      + CASE WHEN sla_paused_at IS NULL THEN 0 ELSE 4503599627370496 END
  END
) VIRTUAL;
CREATE INDEX tickets_by_next_due ON tickets
  (status, next_due_sort, id, is_test, is_spam, site_id, category_id, priority_id, assignee_id, author_id, sla_marks, created_at);
CREATE INDEX tickets_by_site_next_due ON tickets
  (site_id, status, next_due_sort, id, is_test, is_spam, category_id, priority_id, assignee_id, author_id, sla_marks, created_at);
