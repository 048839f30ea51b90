-- What the customer of a ticket said of the help (docs/spec/customer.md#satisfaction).
ALTER TABLE tickets ADD COLUMN satisfaction TEXT;
ALTER TABLE tickets ADD COLUMN satisfaction_comment TEXT;
ALTER TABLE tickets ADD COLUMN satisfaction_at INTEGER;
CREATE INDEX tickets_by_satisfaction ON tickets (satisfaction, status) WHERE satisfaction IS NOT NULL;

-- Whether a site's customers are asked.
UPDATE sites SET settings = json_insert(settings, '$.ask_satisfaction', json('false'));

CREATE TRIGGER report_facts_of_satisfaction AFTER UPDATE OF satisfaction, satisfaction_at ON tickets
WHEN old.satisfaction IS NOT new.satisfaction OR old.satisfaction_at IS NOT new.satisfaction_at BEGIN
  INSERT OR IGNORE INTO report_facts_due VALUES (new.id);
END;
CREATE TRIGGER report_facts_of_imported_satisfaction AFTER INSERT ON tickets WHEN new.satisfaction IS NOT NULL BEGIN
  INSERT OR IGNORE INTO report_facts_due VALUES (new.id);
END;
