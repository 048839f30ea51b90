-- Sites of before get the settings of customers' pages. Their logos are kept apart, since sites are read for every request.

UPDATE sites SET settings = json_insert(
  settings,
  '$.portal', 'off',
  '$.customer_links', 'confirm',
  '$.brand', json('{"name":null,"color":null,"logo":null}'),
  '$.locale', NULL
);

CREATE TABLE site_logos (
  site_id INTEGER PRIMARY KEY REFERENCES sites (id) ON DELETE CASCADE,
  content_type TEXT NOT NULL,
  bytes BLOB NOT NULL
) STRICT;
