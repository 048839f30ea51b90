-- Whom a site always or never hears by mail.

UPDATE sites SET settings = json_set(settings, '$.blocked_senders', json('[]'), '$.allowed_senders', json('[]'))
WHERE json_type(settings, '$.blocked_senders') IS NULL;
