-- Lists of what is unread, and of the tickets of a mail domain.
CREATE INDEX tickets_unanswered ON tickets (status, last_customer_message_at)
  WHERE last_customer_message_at > coalesce(last_agent_message_at, -1);
CREATE INDEX read_marks_unread ON read_marks (agent_id, ticket_id) WHERE read_at IS NULL;
CREATE INDEX authors_by_domain ON authors (substr(email, instr(email, '@')));
