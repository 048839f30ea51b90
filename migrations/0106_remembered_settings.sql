-- The desk's settings are kept in memory like a site's catalogue, so every change of them makes a new version.
DROP TRIGGER desk_settings_changed;
CREATE TRIGGER desk_settings_changed AFTER UPDATE ON desk_settings BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
