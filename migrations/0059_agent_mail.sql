-- Sites of before have a setting more: what an agent's answer by mail becomes.
UPDATE sites SET settings = json_insert(settings, '$.agent_mail', 'note');
