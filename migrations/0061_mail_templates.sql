-- What a site says in the desk's own mails to customers instead of the desk's words.
CREATE TABLE mail_templates (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  locale TEXT NOT NULL,
  -- Null: the desk's own.
  subject TEXT,
  body TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX mail_templates_by_name ON mail_templates (site_id, name, locale);
