-- Rules that act once a ticket has been in a state for a time, and tickets that are opened on a schedule.
CREATE TABLE timed_rules (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  is_active INTEGER NOT NULL,
  since TEXT NOT NULL,
  minutes INTEGER NOT NULL,
  time TEXT NOT NULL,
  match TEXT NOT NULL,
  conditions TEXT NOT NULL,
  actions TEXT NOT NULL,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX timed_rules_by_site ON timed_rules (site_id, position);
CREATE TRIGGER timed_rules_added AFTER INSERT ON timed_rules BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER timed_rules_changed AFTER UPDATE ON timed_rules BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER timed_rules_removed AFTER DELETE ON timed_rules BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
  DELETE FROM automation_days WHERE kind = 'timed_rule' AND rule_id = OLD.id;
END;
-- How far each rule has come in the moments of its site: what lies before was looked at, and never is again.
CREATE TABLE timed_rule_progress (
  rule_id INTEGER PRIMARY KEY REFERENCES timed_rules (id) ON DELETE CASCADE,
  passed_at INTEGER NOT NULL,
  passed_id INTEGER NOT NULL
) STRICT;
-- When tickets came into their states, on sites with timed rules that ask.
CREATE TABLE ticket_moments (
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  since TEXT NOT NULL,
  site_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (ticket_id, since)
) STRICT, WITHOUT ROWID;
CREATE INDEX ticket_moments_by_time ON ticket_moments (site_id, since, at, ticket_id);
-- Of which sites the moments of older tickets are still being gathered.
CREATE TABLE moment_gatherings (
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  since TEXT NOT NULL,
  after_id INTEGER NOT NULL,
  PRIMARY KEY (site_id, since)
) STRICT, WITHOUT ROWID;

CREATE TABLE recurring_tickets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  is_active INTEGER NOT NULL,
  schedule TEXT NOT NULL,
  ticket TEXT NOT NULL,
  next_at INTEGER,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX recurring_tickets_by_site ON recurring_tickets (site_id, position);
CREATE INDEX recurring_tickets_due ON recurring_tickets (next_at) WHERE is_active = 1 AND next_at IS NOT NULL;
CREATE TRIGGER recurring_tickets_added AFTER INSERT ON recurring_tickets BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER recurring_tickets_changed AFTER UPDATE ON recurring_tickets BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER recurring_tickets_removed AFTER DELETE ON recurring_tickets BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
  DELETE FROM automation_days WHERE kind = 'recurring_ticket' AND rule_id = OLD.id;
END;
