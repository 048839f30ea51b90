-- Requests for a mailed code or link that a job takes up within seconds.
CREATE TABLE asked_mails (
  id INTEGER PRIMARY KEY,
  mail_at INTEGER NOT NULL,
  asked_sealed TEXT NOT NULL
) STRICT;
