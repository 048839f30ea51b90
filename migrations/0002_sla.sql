-- The policy that each ticket's clocks run by, and the stretches in which they stood still.

-- A changed site policy applies to new tickets, so an old ticket keeps the one that it was opened under.
CREATE TABLE sla_policies (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  policy TEXT NOT NULL,
  UNIQUE (site_id, policy)
) STRICT;
INSERT INTO sla_policies (site_id, policy) SELECT id, sla_policy FROM sites;

ALTER TABLE sites ADD COLUMN sla_policy_id INTEGER REFERENCES sla_policies (id) DEFERRABLE INITIALLY DEFERRED;
UPDATE sites SET sla_policy_id = (SELECT id FROM sla_policies WHERE site_id = sites.id);
ALTER TABLE tickets ADD COLUMN sla_policy_id INTEGER REFERENCES sla_policies (id);
UPDATE tickets SET sla_policy_id = (SELECT sla_policy_id FROM sites WHERE id = tickets.site_id);
CREATE INDEX tickets_by_sla_policy ON tickets (sla_policy_id);

CREATE TABLE sla_intervals (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  started_by_seq INTEGER,
  ended_by_seq INTEGER
) STRICT;
CREATE INDEX sla_intervals_by_ticket ON sla_intervals (ticket_id, id);

-- What auto-close looks through: only what is resolved.
CREATE INDEX tickets_resolved ON tickets (site_id, resolved_at) WHERE status = 'resolved';
