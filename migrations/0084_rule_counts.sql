-- What each rule did in the last 30 days: how often it ran and matched on a day, and the tickets that it matched.
CREATE TABLE rule_days (
  rule_id INTEGER NOT NULL REFERENCES inbound_rules (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  runs INTEGER NOT NULL,
  matches INTEGER NOT NULL,
  PRIMARY KEY (rule_id, day)
) STRICT, WITHOUT ROWID;
CREATE TABLE rule_tickets (
  rule_id INTEGER NOT NULL REFERENCES inbound_rules (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  PRIMARY KEY (rule_id, at, ticket_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX rule_tickets_by_ticket ON rule_tickets (ticket_id);
-- The inbound log knows what they did so far.
INSERT INTO rule_days (rule_id, day, runs, matches)
  SELECT inbound_rules.id, processed_at / 86400000, count(*), sum(entry.value ->> 'outcome' = 'matched')
  FROM inbound_mail, json_each(inbound_mail.trace) AS entry
    JOIN inbound_rules ON inbound_rules.id = entry.value ->> 'ruleId'
  WHERE received_at >= (unixepoch() - 30 * 86400) * 1000 AND processed_at IS NOT NULL
    AND entry.value ->> 'outcome' IN ('matched', 'not_matched')
  GROUP BY 1, 2;
INSERT OR IGNORE INTO rule_tickets (rule_id, at, ticket_id)
  SELECT inbound_rules.id, processed_at, ticket_id
  FROM inbound_mail, json_each(inbound_mail.matched_rules) AS entry
    JOIN inbound_rules ON inbound_rules.id = entry.value ->> 'id'
  WHERE received_at >= (unixepoch() - 30 * 86400) * 1000 AND processed_at IS NOT NULL AND ticket_id IS NOT NULL;
