-- Conversations of agents with people outside about a ticket. In tables of their own: nothing that shows a customer a ticket reads them.

CREATE TABLE side_conversations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ulid TEXT NOT NULL UNIQUE,
  ticket_id INTEGER NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  subject TEXT NOT NULL,
  -- Whom its messages go to: [{"email", "name"}].
  people TEXT NOT NULL,
  closed_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX side_conversations_by_ticket ON side_conversations (ticket_id, id);

CREATE TABLE side_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ulid TEXT NOT NULL UNIQUE,
  side_conversation_id INTEGER NOT NULL REFERENCES side_conversations (id) ON DELETE CASCADE,
  -- An agent's; else the sender's.
  agent_name TEXT,
  sender_email TEXT,
  sender_name TEXT,
  sender_verified INTEGER,
  body TEXT NOT NULL,
  quoted TEXT,
  attachment_ids TEXT NOT NULL,
  -- Of mail that came in.
  mail_message_id TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX side_messages_by_conversation ON side_messages (side_conversation_id, id);
CREATE INDEX side_messages_by_mail_id ON side_messages (mail_message_id) WHERE mail_message_id IS NOT NULL;
CREATE INDEX side_messages_by_sender ON side_messages (sender_email) WHERE sender_email IS NOT NULL;

CREATE INDEX deliveries_of_side_messages ON deliveries (payload ->> 'side_message_id') WHERE event = 'mail.side_message';
