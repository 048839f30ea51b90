-- Sites of before have a setting more: whose word proves a sender.

UPDATE sites SET settings = json_set(settings, '$.trusted_mail_servers', json('[]'))
WHERE json_type(settings, '$.trusted_mail_servers') IS NULL;
