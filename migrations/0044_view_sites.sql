-- The sites of who made a view, as they were then. Null: every site.

ALTER TABLE views ADD COLUMN site_ids TEXT;
UPDATE views SET site_ids = (SELECT json_group_array(site_id) FROM agent_sites WHERE agent_id = views.agent_id)
  WHERE EXISTS (SELECT 1 FROM agent_sites WHERE agent_id = views.agent_id)
    AND (SELECT role FROM agents WHERE id = views.agent_id) <> 'owner';
