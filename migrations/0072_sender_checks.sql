-- What the desk found when it checked who sent a mail, and whose ARC seals a site trusts.

ALTER TABLE inbound_mail ADD COLUMN sender_checks TEXT;

UPDATE sites SET settings = json_set(settings, '$.trusted_arc_sealers', json('[]'))
WHERE json_type(settings, '$.trusted_arc_sealers') IS NULL;
