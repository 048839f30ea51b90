// A site's rows in the order of an export.

import { query, type Tx } from '../../engine/database.ts';
import { selectFrom, statement } from '../../engine/statements.ts';
import type { InboundMail } from '../mail/inbound.ts';
import { agents, teamTokens } from '../schema/agents.ts';
import { deliveries, inboundMail } from '../schema/deliveries.ts';
import { slaPolicies } from '../schema/sites.ts';
import { attachments, authors, events, messages, participants, slaIntervals, tickets } from '../schema/tickets.ts';

function* pages<Row>(
  read: { all(tx: Tx, ...values: number[]): Row[] },
  idOf: (row: Row) => number,
  tx: Tx,
  owner: number,
  limit: number,
): Generator<Row> {
  for (let after = 0; ; ) {
    const rows = read.all(tx, owner, after, limit);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return;
    after = idOf(last);
  }
}

const byId = 'AND id > ? ORDER BY id LIMIT ?';

const policiesOf = selectFrom(slaPolicies, `WHERE site_id = ? ${byId}`);

const tokensOf = selectFrom(teamTokens, `WHERE site_id = ? ${byId}`);

// These walk the table by id: with the index of the site, each page would have to be sorted.
const authorsOf = selectFrom(authors, `NOT INDEXED WHERE site_id = ? ${byId}`);

const ticketsOf = selectFrom(tickets, `NOT INDEXED WHERE site_id = ? ${byId}`);

const messagesOf = selectFrom(messages, `INDEXED BY messages_by_ticket WHERE ticket_id = ? ${byId}`);

const participantsOf = selectFrom(participants, `INDEXED BY participants_by_ticket WHERE ticket_id = ? ${byId}`);

const attachmentsOf = selectFrom(attachments, `INDEXED BY attachments_by_ticket WHERE ticket_id = ? ${byId}`);

const intervalsOf = selectFrom(slaIntervals, `INDEXED BY sla_intervals_by_ticket WHERE ticket_id = ? ${byId}`);

const eventsOf = selectFrom(events, 'INDEXED BY events_by_site WHERE site_id = ? AND seq > ? ORDER BY seq LIMIT ?');

const mailsOf = selectFrom(inboundMail, `INDEXED BY inbound_mail_by_site WHERE site_id = ? ${byId}`);

const sentOf = selectFrom(
  deliveries,
  `INDEXED BY deliveries_by_site WHERE site_id = ? AND mail_message_id IS NOT NULL AND ticket_id IS NOT NULL ${byId}`,
);

const idOf = ({ id }: { id: number }) => id;

export const siteRows = {
  slaPolicies: (tx: Tx, siteId: number) => pages(policiesOf, idOf, tx, siteId, 100),
  tokens: (tx: Tx, siteId: number) => pages(tokensOf, idOf, tx, siteId, 100),
  authors: (tx: Tx, siteId: number) => pages(authorsOf, idOf, tx, siteId, 1000),
  tickets: (tx: Tx, siteId: number) => pages(ticketsOf, idOf, tx, siteId, 100),
  messages: (tx: Tx, ticketId: number) => pages(messagesOf, idOf, tx, ticketId, 20),
  participants: (tx: Tx, ticketId: number) => pages(participantsOf, idOf, tx, ticketId, 100),
  attachments: (tx: Tx, ticketId: number) => pages(attachmentsOf, idOf, tx, ticketId, 500),
  intervals: (tx: Tx, ticketId: number) => pages(intervalsOf, idOf, tx, ticketId, 500),
  events: (tx: Tx, siteId: number) => pages(eventsOf, ({ seq }) => seq, tx, siteId, 500),
  mails: (tx: Tx, siteId: number) => pages<InboundMail>(mailsOf, idOf, tx, siteId, 50),
  sentMails: (tx: Tx, siteId: number) => pages(sentOf, idOf, tx, siteId, 500),
} as const;

interface LinkedTicket {
  id: number;
  otherId: number;
}

function* linkedTickets(tx: Tx, siteId: number, column: 'merged_into_id' | 'split_from_id'): Generator<LinkedTicket> {
  const text = `SELECT id, ${column} AS otherId FROM tickets NOT INDEXED WHERE site_id = ? AND id > ? AND ${column} IS NOT NULL ORDER BY id LIMIT ?`;
  const read = { all: (inner: Tx, ...values: number[]) => query<LinkedTicket>(inner, text).all(...values) };
  yield* pages(read, idOf, tx, siteId, 1000);
}

export const mergedTickets = (tx: Tx, siteId: number) => linkedTickets(tx, siteId, 'merged_into_id');
export const splitTickets = (tx: Tx, siteId: number) => linkedTickets(tx, siteId, 'split_from_id');

export const ticketIdsAfter = statement(
  'SELECT id FROM tickets NOT INDEXED WHERE site_id = ? AND id > ? ORDER BY id LIMIT ?',
).column<number, [siteId: number, after: number, limit: number]>;

export const suppressionsOf = statement(
  'SELECT address, reason, created_at FROM mail_suppressions WHERE site_id = ? ORDER BY address',
).all<{ address: string; reason: string; created_at: number }, [siteId: number]>;

const namedAgents = selectFrom(
  agents,
  `WHERE id IN (
     SELECT id FROM agents WHERE NOT EXISTS (SELECT 1 FROM agent_sites WHERE agent_id = agents.id)
     UNION SELECT agent_id FROM agent_sites WHERE site_id = ?1
     UNION SELECT assignee_id FROM tickets WHERE site_id = ?1
     UNION SELECT agent_id FROM messages JOIN tickets ON tickets.id = ticket_id WHERE agent_id IS NOT NULL AND site_id = ?1
     UNION SELECT mentions.agent_id FROM mentions JOIN tickets ON tickets.id = ticket_id WHERE site_id = ?1
     UNION SELECT agent_id FROM attachments WHERE agent_id IS NOT NULL AND site_id = ?1
     UNION SELECT agent_id FROM scheduled_replies JOIN tickets ON tickets.id = ticket_id WHERE agent_id IS NOT NULL AND site_id = ?1
     UNION SELECT value FROM scheduled_replies, json_each(mentions) JOIN tickets ON tickets.id = ticket_id WHERE site_id = ?1
     UNION SELECT data ->> '$.changes.assigned_to.to' FROM events WHERE site_id = ?1 AND kind = 'ticket.assigned'
     UNION SELECT data ->> '$.changes.assigned_to.from' FROM events WHERE site_id = ?1 AND kind = 'ticket.assigned'
   ) ORDER BY id`,
);

export function agentsNamedBy(tx: Tx, siteId: number) {
  return namedAgents.all(tx, siteId).map((agent) => {
    const sites = query<{ siteId: number }>(tx, 'SELECT site_id AS siteId FROM agent_sites WHERE agent_id = ?').all(
      agent.id,
    );
    return { ...agent, belongs: sites.length === 0 || sites.some((one) => one.siteId === siteId) };
  });
}
