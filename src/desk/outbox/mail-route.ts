// Whom a mail is from, and through whose server it leaves.

import { isAuthorMail } from '../../domain/event.ts';
import { normaliseEmail } from '../../domain/mail/address.ts';
import type { Tx } from '../../engine/database.ts';
import type { Delivery } from '../../store/outbox/outbox.ts';
import { type Mailbox, mailboxRows } from '../../store/sites/catalogue.ts';
import type { Site } from '../../store/sites/sites.ts';
import type { Message } from '../../store/tickets/messages.ts';
import type { Ticket } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { type Sender, senderOf } from '../sites/site-senders.ts';
import { deskAddress } from './own-server.ts';

interface MailRoute {
  sender: Sender;
  /** Whose address the sender has, if it is one's. */
  mailbox: Mailbox | null;
  /** Whose server takes it. Null: the desk's own does. */
  through: Mailbox | null;
}

export function routeOf(
  tx: Tx,
  ctx: Context,
  site: Site,
  event: Delivery['event'],
  ticket: Pick<Ticket, 'senderId'> | null,
  message: Pick<Message, 'senderId'> | null,
): MailRoute {
  const sender = senderOf(tx, site, isAuthorMail(event) ? (message?.senderId == null ? ticket : message) : null);
  const address = normaliseEmail(sender.address || deskAddress(tx, ctx));
  // A mail about a mailbox that does not work must not need it.
  const mailbox =
    event === 'mail.mailbox_alarm'
      ? null
      : (mailboxRows.list(tx, site.id).find((row) => row.address === address) ?? null);
  return { sender, mailbox, through: mailbox?.outgoing ? mailbox : null };
}

/** From the mailbox to itself, whichever address the site writes from. */
export const canaryRoute = ({ sender }: MailRoute, mailbox: Mailbox | null): MailRoute => ({
  sender: { ...sender, address: mailbox?.address ?? sender.address },
  mailbox,
  through: mailbox?.outgoing ? mailbox : null,
});
