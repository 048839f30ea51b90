-- Tickets that made a recurring job fail: left out of it for a while, so that they hold up nobody but themselves.

CREATE TABLE ticket_faults (
  job TEXT NOT NULL,
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  -- The kind of the error: its words may quote what somebody wrote.
  error TEXT NOT NULL,
  failed_at INTEGER NOT NULL,
  retry_at INTEGER NOT NULL,
  PRIMARY KEY (job, ticket_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX ticket_faults_by_ticket ON ticket_faults (ticket_id);
