-- The addresses under which mail has reached a site. They are the desk's own, whoever names them.
CREATE TABLE arrival_addresses (
  id INTEGER PRIMARY KEY,
  site_id INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  address TEXT NOT NULL,
  UNIQUE (site_id, address)
) STRICT;
