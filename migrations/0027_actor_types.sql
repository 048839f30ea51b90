-- A team token's changes say `token`, the command line's `command_line`. `agent` becomes free for people who sign in.

UPDATE events
SET actor = json_set(actor, '$.type', CASE actor ->> '$.type' WHEN 'agent' THEN 'token' ELSE 'command_line' END)
WHERE actor ->> '$.type' IN ('agent', 'operator');

-- Recomputations keep the whole actor. Its one site became a set of sites, or all of them.
UPDATE sla_recomputes SET actor = json_set(actor, '$.kind', 'command_line') WHERE actor ->> '$.kind' = 'operator';
UPDATE sla_recomputes
SET actor = json_set(
  json_remove(actor, '$.siteId'),
  '$.scope',
  iif(actor ->> '$.siteId' IS NULL, 'all', json_array(actor ->> '$.siteId'))
)
WHERE actor ->> '$.kind' = 'token';
