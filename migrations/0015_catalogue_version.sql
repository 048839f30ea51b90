-- A number that differs after every change of what a site is set up with, so that it is read again only then. It is drawn
-- by lot: one that is counted up could be reached twice, when a change is rolled back.
CREATE TABLE catalogue_version (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL
) STRICT;
INSERT INTO catalogue_version (id, version) VALUES (1, random() >> 11);

CREATE TRIGGER sites_added AFTER INSERT ON sites BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER sites_changed AFTER UPDATE ON sites BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER sites_removed AFTER DELETE ON sites BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER categories_added AFTER INSERT ON categories BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER categories_changed AFTER UPDATE ON categories BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER categories_removed AFTER DELETE ON categories BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER priorities_added AFTER INSERT ON priorities BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER priorities_changed AFTER UPDATE ON priorities BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER priorities_removed AFTER DELETE ON priorities BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER custom_fields_added AFTER INSERT ON custom_fields BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER custom_fields_changed AFTER UPDATE ON custom_fields BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER custom_fields_removed AFTER DELETE ON custom_fields BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER channels_added AFTER INSERT ON channels BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER channels_changed AFTER UPDATE ON channels BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER channels_removed AFTER DELETE ON channels BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER inbound_rules_added AFTER INSERT ON inbound_rules BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER inbound_rules_changed AFTER UPDATE ON inbound_rules BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER inbound_rules_removed AFTER DELETE ON inbound_rules BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
