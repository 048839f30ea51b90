-- Rules that act after a change of a ticket, what each did in the last 30 days, and what they answered.
CREATE TABLE triggers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  is_active INTEGER NOT NULL,
  events TEXT NOT NULL,
  match TEXT NOT NULL,
  conditions TEXT NOT NULL,
  actions TEXT NOT NULL,
  stop_processing INTEGER NOT NULL,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX triggers_by_site ON triggers (site_id, position);
CREATE TRIGGER triggers_added AFTER INSERT ON triggers BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER triggers_changed AFTER UPDATE ON triggers BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER triggers_removed AFTER DELETE ON triggers BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
-- A rule is known by its kind and id: each kind has its own table.
CREATE TABLE automation_days (
  kind TEXT NOT NULL,
  rule_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  ran INTEGER NOT NULL,
  matched INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  skipped INTEGER NOT NULL,
  PRIMARY KEY (kind, rule_id, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX automation_days_by_day ON automation_days (day);
-- What a rule did is in the history of the ticket: here is where.
CREATE TABLE automation_runs (
  first_seq INTEGER PRIMARY KEY,
  last_seq INTEGER NOT NULL,
  cause_seq INTEGER,
  kind TEXT NOT NULL,
  rule_id INTEGER NOT NULL,
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX automation_runs_by_rule ON automation_runs (kind, rule_id, first_seq);
CREATE INDEX automation_runs_by_ticket ON automation_runs (ticket_id);
-- So that a rule answers a ticket once.
CREATE TABLE automation_replies (
  kind TEXT NOT NULL,
  rule_id INTEGER NOT NULL,
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  times INTEGER NOT NULL,
  PRIMARY KEY (ticket_id, kind, rule_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER automation_of_removed_triggers AFTER DELETE ON triggers BEGIN
  DELETE FROM automation_days WHERE kind = 'trigger' AND rule_id = OLD.id;
END;
