-- The signature under the replies of a site's agents.
UPDATE sites SET settings = json_set(settings, '$.signature', NULL);
