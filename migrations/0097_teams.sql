-- Teams: who is in them, and of which sites they are; without any, of every site. A ticket can have a team beside its assignee.
CREATE TABLE teams (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  -- Who has so many open tickets gets no more from automatic assignment. Null: as many as there are.
  max_open_per_agent INTEGER,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX teams_by_name ON teams (lower(name));

CREATE TABLE team_members (
  team_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  -- The number of their last turn in the team; 0 before the first. Who has waited longest is next.
  turn INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (team_id, agent_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX team_members_by_agent ON team_members (agent_id);

CREATE TABLE team_sites (
  team_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  PRIMARY KEY (team_id, site_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX team_sites_by_site ON team_sites (site_id);

ALTER TABLE tickets ADD COLUMN team_id INTEGER REFERENCES teams (id) ON DELETE SET NULL;
CREATE INDEX tickets_by_team ON tickets (team_id, status, site_id, is_test, is_spam, snoozed_until) WHERE team_id IS NOT NULL;

-- Teams are kept in memory, until one of these changes. A turn is not.
CREATE TRIGGER teams_added AFTER INSERT ON teams BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER teams_changed AFTER UPDATE ON teams BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER teams_removed AFTER DELETE ON teams BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER team_members_added AFTER INSERT ON team_members BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER team_members_removed AFTER DELETE ON team_members BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER team_sites_added AFTER INSERT ON team_sites BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
CREATE TRIGGER team_sites_removed AFTER DELETE ON team_sites BEGIN
  UPDATE catalogue_version SET version = random() >> 11;
END;
