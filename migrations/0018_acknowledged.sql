-- When a mailbox was last acknowledged, whatever plus address was used: one acknowledgement an hour goes to it.

CREATE INDEX deliveries_acknowledged ON deliveries (
  CASE WHEN instr(recipient, '+') BETWEEN 2 AND instr(recipient, '@')
    THEN substr(recipient, 1, instr(recipient, '+') - 1) || substr(recipient, instr(recipient, '@')) ELSE recipient END,
  created_at
) WHERE event = 'mail.acknowledgement';
