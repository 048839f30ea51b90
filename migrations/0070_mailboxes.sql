-- Mailboxes that a team already has: the desk reads them, and sends through their server.
CREATE TABLE mailboxes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  address TEXT NOT NULL,
  provider TEXT NOT NULL,
  authentication TEXT NOT NULL,
  -- The servers, without their passwords. Null: the desk does not read it, or sends through its own server.
  incoming TEXT,
  outgoing TEXT,
  -- What the desk signs in with, encrypted: for reading and sending, and for sending if that is another.
  secret_sealed TEXT,
  outgoing_secret_sealed TEXT,
  -- Null: only what comes after the first connection. Otherwise so many days before it too.
  first_days INTEGER,
  save_sent INTEGER NOT NULL,
  is_paused INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL
) STRICT;
CREATE INDEX mailboxes_by_site ON mailboxes (site_id);

CREATE TRIGGER mailboxes_added AFTER INSERT ON mailboxes BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER mailboxes_changed AFTER UPDATE ON mailboxes BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER mailboxes_removed AFTER DELETE ON mailboxes BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;

-- How reading goes. It changes often, so it is no setting.
CREATE TABLE mailbox_states (
  mailbox_id INTEGER PRIMARY KEY REFERENCES mailboxes (id) ON DELETE CASCADE,
  state TEXT NOT NULL,
  reason TEXT,
  since INTEGER NOT NULL,
  wrong_sign_ins INTEGER NOT NULL,
  looked_at INTEGER,
  message_at INTEGER,
  sync_asked_at INTEGER
) STRICT;

-- Up to where a folder is read. `last_uid` moves in the commit that stores a message's bytes.
CREATE TABLE mailbox_cursors (
  mailbox_id INTEGER NOT NULL REFERENCES mailboxes (id) ON DELETE CASCADE,
  folder TEXT NOT NULL,
  uid_validity TEXT NOT NULL,
  last_uid INTEGER NOT NULL,
  -- Up to here, only what came to the server after `since` and is not known is read; silently in the days before the first connection.
  listed_until_uid INTEGER NOT NULL,
  since INTEGER NOT NULL,
  is_silent INTEGER NOT NULL,
  -- How often the server has numbered its messages anew.
  changes INTEGER NOT NULL,
  PRIMARY KEY (mailbox_id, folder)
) STRICT, WITHOUT ROWID;

-- The messages that the desk knows, by keyed hashes: of Message-ID, date and size, and of the content.
CREATE TABLE mailbox_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  mailbox_id INTEGER NOT NULL REFERENCES mailboxes (id) ON DELETE CASCADE,
  folder TEXT NOT NULL,
  uid_validity TEXT NOT NULL,
  uid INTEGER NOT NULL,
  mark TEXT,
  content_mark TEXT,
  inbound_id INTEGER REFERENCES inbound_mail (id) ON DELETE SET NULL,
  -- It is still to be marked as read, or moved.
  is_pending INTEGER NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT;
CREATE INDEX mailbox_messages_by_mark ON mailbox_messages (mailbox_id, mark);
CREATE INDEX mailbox_messages_by_content ON mailbox_messages (mailbox_id, content_mark);
CREATE INDEX mailbox_messages_by_inbound ON mailbox_messages (inbound_id) WHERE inbound_id IS NOT NULL;
CREATE INDEX mailbox_messages_pending ON mailbox_messages (mailbox_id, id) WHERE is_pending = 1;

-- Where a mail was read, and its date on the server if it is filed silently.
ALTER TABLE inbound_mail ADD COLUMN mailbox_id INTEGER REFERENCES mailboxes (id) ON DELETE SET NULL;
ALTER TABLE inbound_mail ADD COLUMN silent_date INTEGER;
CREATE INDEX inbound_mail_by_mailbox ON inbound_mail (mailbox_id) WHERE mailbox_id IS NOT NULL;
