-- What reports count, computed from the history of each ticket (docs/spec/reports.md).
CREATE TABLE report_facts (
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  number INTEGER NOT NULL,
  site_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  until_at INTEGER,
  ticket_created_at INTEGER NOT NULL,
  agent_id INTEGER,
  calendar_ms INTEGER,
  working_ms INTEGER,
  amount INTEGER,
  is_last INTEGER NOT NULL,
  PRIMARY KEY (ticket_id, kind, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX report_facts_by_time ON report_facts
  (kind, site_id, at, ticket_id, number, until_at, ticket_created_at, agent_id, calendar_ms, working_ms, amount, is_last);
CREATE INDEX report_facts_by_end ON report_facts (kind, site_id, until_at) WHERE until_at IS NOT NULL;

-- Tickets whose facts are computed again before the transaction commits. What is too much for one waits here for the next.
CREATE TABLE report_facts_due (ticket_id INTEGER PRIMARY KEY REFERENCES tickets (id) ON DELETE CASCADE) STRICT;
INSERT INTO report_facts_due SELECT id FROM tickets;

-- Whatever changes a ticket's history, its facts follow. A new ticket has none.
CREATE TRIGGER report_facts_of_message AFTER INSERT ON messages WHEN new.is_agent = 1 AND new.is_internal = 0 BEGIN
  INSERT OR IGNORE INTO report_facts_due VALUES (new.ticket_id);
END;
CREATE TRIGGER report_facts_of_changed_message
AFTER UPDATE OF ticket_id, agent_id, is_agent, is_internal, is_automated, created_at ON messages
WHEN old.ticket_id <> new.ticket_id OR old.agent_id IS NOT new.agent_id OR old.is_agent <> new.is_agent
  OR old.is_internal <> new.is_internal OR old.is_automated <> new.is_automated OR old.created_at <> new.created_at BEGIN
  INSERT OR IGNORE INTO report_facts_due SELECT id FROM tickets WHERE id IN (old.ticket_id, new.ticket_id);
END;
CREATE TRIGGER report_facts_of_removed_message AFTER DELETE ON messages WHEN old.is_internal = 0 BEGIN
  INSERT OR IGNORE INTO report_facts_due SELECT id FROM tickets WHERE id = old.ticket_id;
END;
CREATE TRIGGER report_facts_of_event AFTER INSERT ON events
WHEN new.kind IN ('ticket.status_changed', 'ticket.merged', 'ticket.unmerged')
  OR (new.kind = 'ticket.created' AND new.data ->> 'is_silent' IS NOT NULL) BEGIN
  INSERT OR IGNORE INTO report_facts_due SELECT id FROM tickets WHERE id = new.ticket_id;
END;
CREATE TRIGGER report_facts_of_interval AFTER INSERT ON sla_intervals BEGIN
  INSERT OR IGNORE INTO report_facts_due VALUES (new.ticket_id);
END;
CREATE TRIGGER report_facts_of_changed_interval AFTER UPDATE ON sla_intervals BEGIN
  INSERT OR IGNORE INTO report_facts_due VALUES (new.ticket_id);
END;
CREATE TRIGGER report_facts_of_ticket
AFTER UPDATE OF status, is_spam, is_test, sla_policy_id, first_response_from, first_response_at, first_response_due_at,
  first_response_breached_at, resolved_at, resolution_due_at, resolution_breached_at, closed_at ON tickets
WHEN old.status <> new.status OR old.is_spam <> new.is_spam OR old.is_test <> new.is_test
  OR old.sla_policy_id IS NOT new.sla_policy_id
  OR old.first_response_from IS NOT new.first_response_from OR old.first_response_at IS NOT new.first_response_at
  OR old.first_response_due_at IS NOT new.first_response_due_at
  OR old.first_response_breached_at IS NOT new.first_response_breached_at
  OR old.resolved_at IS NOT new.resolved_at OR old.resolution_due_at IS NOT new.resolution_due_at
  OR old.resolution_breached_at IS NOT new.resolution_breached_at OR old.closed_at IS NOT new.closed_at BEGIN
  INSERT OR IGNORE INTO report_facts_due VALUES (new.id);
END;
-- An imported ticket can come answered or resolved, without an event.
CREATE TRIGGER report_facts_of_imported_ticket AFTER INSERT ON tickets
WHEN new.resolved_at IS NOT NULL OR new.first_response_at IS NOT NULL OR new.first_response_breached_at IS NOT NULL
  OR new.resolution_breached_at IS NOT NULL BEGIN
  INSERT OR IGNORE INTO report_facts_due VALUES (new.id);
END;

-- Who sees what single agents did: everyone, each only their own, or no one.
ALTER TABLE desk_settings ADD COLUMN agent_reports TEXT NOT NULL DEFAULT 'all';
