-- After how many minutes a team hears of a ticket that waits without an assignee (null: never), and whether a customer's
-- message takes a ticket back to the team from an assignee who is away.
ALTER TABLE teams ADD COLUMN wait_minutes INTEGER;
ALTER TABLE teams ADD COLUMN returns_when_away INTEGER NOT NULL DEFAULT 0;

-- Open tickets of a team without an assignee, and since when. One goes when its team has heard of it.
CREATE TABLE team_waits (
  ticket_id INTEGER PRIMARY KEY REFERENCES tickets (id) ON DELETE CASCADE,
  team_id INTEGER NOT NULL,
  since INTEGER NOT NULL
) STRICT;
CREATE INDEX team_waits_by_team ON team_waits (team_id, since);
CREATE TRIGGER team_wait_of_new_ticket AFTER INSERT ON tickets
WHEN new.team_id IS NOT NULL AND new.assignee_id IS NULL AND new.status = 'open' AND new.is_spam = 0 AND new.is_test = 0 BEGIN
  INSERT INTO team_waits VALUES (new.id, new.team_id, new.created_at);
END;
CREATE TRIGGER team_wait_of_ticket AFTER UPDATE OF team_id, assignee_id, status, is_spam ON tickets
WHEN (old.team_id IS NOT NULL OR new.team_id IS NOT NULL) AND (old.team_id IS NOT new.team_id
  OR old.assignee_id IS NOT new.assignee_id OR old.status <> new.status OR old.is_spam <> new.is_spam) BEGIN
  DELETE FROM team_waits WHERE ticket_id = new.id;
  INSERT INTO team_waits SELECT new.id, new.team_id, new.updated_at
    WHERE new.team_id IS NOT NULL AND new.assignee_id IS NULL AND new.status = 'open' AND new.is_spam = 0 AND new.is_test = 0;
END;
