-- What each request with a session reads about its agent is kept in memory too, until one of these columns changes.

CREATE TRIGGER agents_added AFTER INSERT ON agents BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER agents_changed AFTER UPDATE OF id, name, role, is_active ON agents BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER agents_removed AFTER DELETE ON agents BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER agent_sites_added AFTER INSERT ON agent_sites BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER agent_sites_changed AFTER UPDATE ON agent_sites BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER agent_sites_removed AFTER DELETE ON agent_sites BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER desk_settings_added AFTER INSERT ON desk_settings BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER desk_settings_changed AFTER UPDATE OF require_second_factor ON desk_settings BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER desk_settings_removed AFTER DELETE ON desk_settings BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
