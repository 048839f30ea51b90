// The addresses that mail comes to.

import { normaliseEmail } from '../../domain/mail/address.ts';
import type { Tx } from '../../engine/database.ts';
import { allMailboxes } from '../../store/mail/mailboxes.ts';
import { isSenderOfSite } from '../../store/sites/senders.ts';
import { siteBySlug } from '../../store/sites/sites.ts';
import type { Context } from '../context.ts';
import { deskAddress } from '../outbox/own-server.ts';

/** One that mail comes to: to write to it would be to write to the desk. */
export function isOwnAddress(tx: Tx, ctx: Context, address: string): boolean {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  const isInbound =
    address.slice(at + 1) === ctx.mailDomain.toLowerCase() &&
    (/^(ticket|agent|side)\+/.test(local) || siteBySlug(tx, local) !== undefined);
  const isRead = allMailboxes(tx).some((mailbox) => mailbox.address === address);
  return isInbound || isRead || address === normaliseEmail(deskAddress(tx, ctx)) || isSenderOfSite(tx, address);
}
