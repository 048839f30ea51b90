-- What agents hear of, who follows or mutes a ticket, and where each agent wants to hear.

CREATE TABLE notifications (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  reason TEXT NOT NULL,
  -- Null: about the whole desk.
  site_id INTEGER,
  ticket_id INTEGER REFERENCES tickets (id) ON DELETE CASCADE,
  -- The event that it tells of, if it is one of a ticket.
  event_seq INTEGER,
  payload TEXT NOT NULL,
  -- 0: told by other ways only.
  in_inbox INTEGER NOT NULL,
  -- When it is to be mailed unless it has been read. Null: it was, or is not to be.
  mail_at INTEGER,
  created_at INTEGER NOT NULL,
  read_at INTEGER
) STRICT;
-- One event makes at most one for an agent.
CREATE UNIQUE INDEX notifications_once ON notifications (agent_id, event_seq) WHERE event_seq IS NOT NULL;
CREATE INDEX notifications_by_agent ON notifications (agent_id, id);
CREATE INDEX notifications_unread ON notifications (agent_id, id) WHERE read_at IS NULL;
CREATE INDEX notifications_to_mail ON notifications (mail_at) WHERE mail_at IS NOT NULL;
CREATE INDEX notifications_by_ticket ON notifications (ticket_id, agent_id);
CREATE INDEX notifications_by_site ON notifications (site_id);

CREATE TABLE ticket_followers (
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  is_muted INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (ticket_id, agent_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX ticket_followers_by_agent ON ticket_followers (agent_id, ticket_id);

-- What differs from the desk's preferences, which differ from the built-in ones.
ALTER TABLE agents ADD COLUMN notification_preferences TEXT NOT NULL DEFAULT '{}';
UPDATE agents SET notification_preferences =
  json_object('switches', (SELECT json_group_object(value, json('false')) FROM json_each(muted_notices)))
  WHERE muted_notices <> '[]';
ALTER TABLE agents DROP COLUMN muted_notices;
ALTER TABLE desk_settings ADD COLUMN notifications TEXT NOT NULL DEFAULT '{}';

-- Who began it hears of the answers. Null: a token, or before this was kept.
ALTER TABLE side_conversations ADD COLUMN agent_id INTEGER;
