-- A mail tells what an agent has not read of what shares its time.
DROP INDEX notifications_to_mail;
CREATE INDEX notifications_mailed ON notifications (agent_id, mail_at) WHERE mail_at IS NOT NULL;
