-- Why mail waits for a decision, in a word to filter by; and that it was released, which a crash must not forget.
ALTER TABLE inbound_mail ADD COLUMN held_for TEXT;
ALTER TABLE inbound_mail ADD COLUMN is_released INTEGER NOT NULL DEFAULT 0;

UPDATE inbound_mail SET held_for = CASE
    WHEN provider = 'form' THEN 'form'
    WHEN reason LIKE 'Its sender is forged:%' THEN 'forged'
    WHEN reason LIKE 'It answers a ticket that is marked as spam.%' OR reason LIKE 'A ticket of % is marked as spam.%' THEN 'spam'
    WHEN reason LIKE 'It is to %' OR reason LIKE 'The message names no sender%' OR reason LIKE 'The side conversation is full.%' THEN 'undeliverable'
    WHEN reason LIKE 'Rule %' THEN 'forward_bounces'
    WHEN reason LIKE '%within an hour.%' OR reason LIKE '%sends more mail than one sender is allowed to.%' OR reason LIKE 'Too many people%' THEN 'too_much'
    ELSE 'other'
  END
WHERE outcome = 'held';

CREATE INDEX inbound_mail_held ON inbound_mail (site_id, held_for, id) WHERE outcome = 'held';
