-- What a spam filter said of a mail, and from which score on a site holds mail or marks its ticket as spam.
ALTER TABLE inbound_mail ADD COLUMN spam_check TEXT;
UPDATE sites SET settings = json_insert(settings, '$.spam_hold_score', 6, '$.spam_mark_score', 15);
