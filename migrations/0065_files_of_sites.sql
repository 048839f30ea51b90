-- Which files each site takes, and how much space all of them have.
UPDATE sites SET settings = json_insert(
  settings,
  '$.attachment_types', json('[]'),
  '$.refused_attachment_types', NULL,
  '$.attachment_max_mb', 10,
  '$.mail_attachment_max_mb', 25,
  '$.attachments_total_mb', NULL
);

CREATE TABLE site_files (
  site_id INTEGER PRIMARY KEY REFERENCES sites (id) ON DELETE CASCADE,
  bytes INTEGER NOT NULL
) STRICT;
INSERT INTO site_files (site_id, bytes) SELECT site_id, sum(size) FROM attachments GROUP BY site_id;
CREATE TRIGGER attachments_take_space AFTER INSERT ON attachments BEGIN
  INSERT INTO site_files (site_id, bytes) VALUES (NEW.site_id, NEW.size)
  ON CONFLICT (site_id) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER attachments_leave_space AFTER DELETE ON attachments BEGIN
  UPDATE site_files SET bytes = bytes - OLD.size WHERE site_id = OLD.site_id;
END;
