// Answers of agents by mail: which were filed, and how often an agent was told that one was only noted.

import type { Instant } from '../../base/clock.ts';
import { statement } from '../../engine/statements.ts';

/** Also with another Message-ID or to another of its recipients. */
export const answerWasFiled = statement(`SELECT 1 FROM inbound_mail INDEXED BY inbound_mail_by_ticket
   WHERE ticket_id = ? AND content_hash = ? AND id <> ? AND outcome = 'reply_added' LIMIT 1`).has<
  [ticketId: number, contentHash: string, exceptId: number]
>;

export const unprovenAnswersSince =
  statement(`SELECT count(*) AS total FROM inbound_mail INDEXED BY inbound_mail_by_ticket
   WHERE ticket_id = ? AND received_at > ? AND outcome = 'reply_added' AND reason LIKE 'Not proven%'`).number<
    [ticketId: number, since: Instant]
  >;

export const problemsToldSince = statement(`SELECT count(*) AS total FROM deliveries INDEXED BY deliveries_by_ticket
   WHERE ticket_id = ? AND event = 'mail.answer_noted' AND created_at > ?`).number<[ticketId: number, since: Instant]>;
