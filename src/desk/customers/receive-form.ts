// A form of customers' pages: opens a ticket, or waits for an agent (docs/spec/customer.md#form).

import { formLimits, mailboxOf, unconfirmedMs } from '../../domain/customers/portal.ts';
import { DeskError } from '../../domain/errors.ts';
import type { FormInput } from '../../domain/input/portal.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Tx } from '../../engine/database.ts';
import { countFormTickets, noteFormTicket, spendProof } from '../../store/customers/forms.ts';
import { lastProvenAt } from '../../store/customers/proofs.ts';
import type { Site } from '../../store/sites/sites.ts';
import type { Message } from '../../store/tickets/messages.ts';
import type { Ticket } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { mailFormReceipt } from '../outbox/customer-mails.ts';
import { openFromForm } from '../tickets/tickets.ts';
import { holdForm } from './held-forms.ts';
import { hasProved } from './proofs.ts';

export function proofRefused(): DeskError {
  return new DeskError('forbidden', 'Solve a new challenge and send the form again.', { reason: 'proof_refused' });
}

/**
 * A form that is refused does not use up its proof of work.
 * @param browser the secret of its proofs of addresses; null if it has none
 * @returns null when it waits for an agent
 */
export function receiveForm(
  tx: Tx,
  ctx: Context,
  site: Site,
  form: FormInput,
  solved: { challenge: string; expiresAt: Instant },
  browser: string | null,
): { ticket: Ticket; message: Message } | null {
  if (!spendProof(tx, solved, ctx.now)) throw proofRefused();
  const author: Context = { ...ctx, actor: { kind: 'application', siteId: site.id } };
  // Of the whole desk, so that no one can flood a mailbox by way of several sites.
  const mailbox = ctx.seal.fingerprint('form-mailbox', mailboxOf(form.email));
  const since = ctx.now - unconfirmedMs;
  const address = { siteId: site.id, address: form.email };
  const isProven = hasProved(tx, ctx.seal, browser, address, ctx.now);
  // Once someone has proved the address, what it sent before is confirmed.
  const unconfirmedSince = Math.max(since, lastProvenAt(tx, address) ?? 0);
  if (!isProven && countFormTickets(tx, mailbox, unconfirmedSince) >= formLimits.unconfirmedAnHour) {
    holdForm(tx, author, site, form);
    return null;
  }
  const opened = openFromForm(tx, author, site, form, { takesFields: true });
  if (!isProven) noteFormTicket(tx, opened.ticket.id, mailbox, ctx.now, since);
  mailFormReceipt(tx, author, opened.ticket);
  return opened;
}
