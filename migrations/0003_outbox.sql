-- What leaves the desk: written in the transaction of its cause, delivered afterwards, every try kept.

CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- What the receiver recognises a repeat by; the same over all tries.
  ulid TEXT NOT NULL UNIQUE,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  -- Null: a mail.
  channel_id INTEGER REFERENCES channels (id) ON DELETE CASCADE,
  ticket_id INTEGER REFERENCES tickets (id) ON DELETE CASCADE,
  event_seq INTEGER,
  event TEXT NOT NULL,
  -- What the event's own row and the ticket do not tell at the time of the delivery.
  payload TEXT NOT NULL,
  -- Mail only: where to, and its own Message-ID.
  recipient TEXT,
  mail_message_id TEXT,
  status TEXT NOT NULL DEFAULT 'queued',
  attempts INTEGER NOT NULL DEFAULT 0,
  -- Tries since it was queued or sent again: what the retries are counted by.
  tries INTEGER NOT NULL DEFAULT 0,
  first_tried_at INTEGER,
  next_at INTEGER,
  claimed_until INTEGER NOT NULL DEFAULT 0,
  finished_at INTEGER,
  last_error TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX deliveries_due ON deliveries (channel_id, next_at, id) WHERE status = 'queued';
CREATE INDEX deliveries_in_order ON deliveries (channel_id, ticket_id, recipient, id) WHERE status = 'queued';
CREATE INDEX deliveries_by_channel ON deliveries (channel_id, id);
CREATE INDEX deliveries_finished ON deliveries (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX deliveries_by_ticket ON deliveries (ticket_id, id) WHERE ticket_id IS NOT NULL;
CREATE INDEX deliveries_by_site ON deliveries (site_id, id);
CREATE INDEX deliveries_by_mail_id ON deliveries (mail_message_id) WHERE mail_message_id IS NOT NULL;

CREATE TABLE delivery_attempts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  delivery_id INTEGER NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  response_status INTEGER,
  response_excerpt TEXT NOT NULL,
  error TEXT
) STRICT;
CREATE INDEX delivery_attempts_by_delivery ON delivery_attempts (delivery_id, id);
CREATE INDEX delivery_attempts_by_age ON delivery_attempts (at);

-- When the last delivery succeeded: what failed since then is sent again when a disabled channel is enabled.
ALTER TABLE channels ADD COLUMN last_success_at INTEGER;
