-- What is wrong with a mailbox, or ends soon, until it is over. `step` changes when the owners are told again.
CREATE TABLE mailbox_alarms (
  mailbox_id INTEGER NOT NULL REFERENCES mailboxes (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  reason TEXT NOT NULL,
  step INTEGER NOT NULL,
  since INTEGER NOT NULL,
  PRIMARY KEY (mailbox_id, kind)
) STRICT, WITHOUT ROWID;

-- What the desk found out beside reading: the terms of the certificates of its servers.
CREATE TABLE mailbox_checks (
  mailbox_id INTEGER PRIMARY KEY REFERENCES mailboxes (id) ON DELETE CASCADE,
  certificates TEXT NOT NULL,
  certificates_at INTEGER NOT NULL
) STRICT;
