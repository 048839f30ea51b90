-- The addresses that a site writes from. The name and address of its default sender are in the settings of the site.
CREATE TABLE senders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  -- Null: the name of the site, and the address of the desk.
  name TEXT,
  address TEXT,
  dkim_selectors TEXT NOT NULL,
  is_default INTEGER NOT NULL,
  sort_order INTEGER NOT NULL,
  -- What was last found in DNS.
  checks TEXT,
  version INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX senders_default ON senders (site_id) WHERE is_default = 1;
CREATE INDEX senders_by_site ON senders (site_id);
CREATE INDEX senders_by_address ON senders (address);
INSERT INTO senders (site_id, dkim_selectors, is_default, sort_order, version) SELECT id, '[]', 1, 1, 1 FROM sites ORDER BY id;

CREATE TRIGGER senders_added AFTER INSERT ON senders BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER senders_changed AFTER UPDATE ON senders BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER senders_removed AFTER DELETE ON senders BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;

-- The sender that a ticket came to; null: the default one.
ALTER TABLE tickets ADD COLUMN sender_id INTEGER REFERENCES senders (id) ON DELETE SET NULL;
CREATE INDEX tickets_by_sender ON tickets (sender_id) WHERE sender_id IS NOT NULL;
ALTER TABLE scheduled_replies ADD COLUMN sender_id INTEGER REFERENCES senders (id) ON DELETE SET NULL;
CREATE INDEX scheduled_replies_by_sender ON scheduled_replies (sender_id) WHERE sender_id IS NOT NULL;
