// Mails the codes and links that were asked for (src/desk/outbox/asked-mails.ts).

import { errorFields, type Log } from '../base/log.ts';
import type { Desk } from '../desk/desk.ts';
import { askedToMail, forgetAsked, mailAsked } from '../desk/outbox/asked-mails.ts';
import { failsEveryTicket } from '../desk/tickets/ticket-faults.ts';

export async function mailAllAsked(desk: Desk, log: Log): Promise<void> {
  const ctx = desk.context({ kind: 'scan' }, 'asked-mails');
  const waiting = desk.read((tx) => askedToMail(tx, ctx));
  await Promise.all(
    waiting.map((one) =>
      desk
        .write((tx) => {
          mailAsked(tx, ctx, one);
          return null;
        })
        .catch(async (error) => {
          if (failsEveryTicket(error)) throw error;
          log.error(errorFields(error), 'a code or link that someone asked for could not be queued');
          await desk.write((tx) => forgetAsked(tx, one));
        }),
    ),
  );
}
