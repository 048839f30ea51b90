-- A word that changes with every change of a site's rules, so that a thousand of them are not read anew for each message.
-- It is random: a number would come back after a rollback, with other rules.
CREATE TABLE inbound_rule_marks (
  site_id INTEGER PRIMARY KEY REFERENCES sites (id) ON DELETE CASCADE,
  mark TEXT NOT NULL
) STRICT;
INSERT INTO inbound_rule_marks
SELECT site_id, lower(hex(randomblob(16))) FROM (SELECT DISTINCT site_id FROM inbound_rules);

CREATE TRIGGER inbound_rule_marks_added AFTER INSERT ON inbound_rules BEGIN
  INSERT OR REPLACE INTO inbound_rule_marks VALUES (NEW.site_id, lower(hex(randomblob(16))));
END;
CREATE TRIGGER inbound_rule_marks_changed AFTER UPDATE ON inbound_rules BEGIN
  UPDATE inbound_rule_marks SET mark = lower(hex(randomblob(16))) WHERE site_id IN (OLD.site_id, NEW.site_id);
END;
CREATE TRIGGER inbound_rule_marks_removed AFTER DELETE ON inbound_rules BEGIN
  UPDATE inbound_rule_marks SET mark = lower(hex(randomblob(16))) WHERE site_id = OLD.site_id;
END;
