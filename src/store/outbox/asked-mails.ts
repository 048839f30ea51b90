// Requests for a mailed code or link that wait to be taken up.

import type { Instant } from '../../base/clock.ts';
import { insertInto, selectFrom, statement } from '../../engine/statements.ts';
import { askedMails } from '../schema/deliveries.ts';

export const insertAsked = insertInto(askedMails);

/** Also those of a clock that has since been set back. */
export const dueAsked = selectFrom(askedMails, 'WHERE mail_at <= ?1 OR mail_at > ?2 ORDER BY id LIMIT 500').all<
  [now: Instant, latest: Instant]
>;

export const countAsked = statement('SELECT count(*) FROM asked_mails').number<[]>;

export const deleteAsked = statement('DELETE FROM asked_mails WHERE id = ?').run<[id: number]>;
