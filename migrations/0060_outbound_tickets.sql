-- When the clock of the first response started. NULL: with the ticket. 0: an agent opened it with a mail to the author, who has
-- not answered yet.
ALTER TABLE tickets ADD COLUMN first_response_from INTEGER;

-- What an agent has written into the form for a new ticket and not sent.
CREATE TABLE ticket_drafts (
  agent_id INTEGER PRIMARY KEY REFERENCES agents (id) ON DELETE CASCADE,
  body TEXT NOT NULL,
  body_format TEXT NOT NULL,
  -- The ids of draft files, as JSON.
  attachment_ids TEXT NOT NULL,
  -- The other fields of the form, as JSON.
  fields TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

-- Files for a ticket that is not opened yet. They become its attachments, with the same ulid.
CREATE TABLE draft_files (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ulid TEXT NOT NULL UNIQUE,
  agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  filename TEXT NOT NULL,
  content_type TEXT NOT NULL,
  size INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX draft_files_by_agent ON draft_files (agent_id);
