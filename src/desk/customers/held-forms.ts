// Forms that wait for an agent, in the inbound log: held in place of a ticket, released into one (docs/spec/customer.md#form).

import { newUlid } from '../../base/ids.ts';
import { formLimits } from '../../domain/customers/portal.ts';
import { DeskError, notFound } from '../../domain/errors.ts';
import type { FormInput } from '../../domain/input/portal.ts';
import { heldText } from '../../domain/mail/held-texts.ts';
import { held } from '../../domain/mail/inbound.ts';
import type { Tx } from '../../engine/database.ts';
import { countHeldForms } from '../../store/customers/forms.ts';
import { inboundMailById, insertHeldForm, updateInboundMail } from '../../store/mail/inbound.ts';
import type { Site } from '../../store/sites/sites.ts';
import type { Ticket } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { type Filed, finish } from '../mail/filing.ts';
import { mailFormReceipt } from '../outbox/customer-mails.ts';
import { checkForm, openFromForm } from '../tickets/tickets.ts';

const reasonOf = ({ email }: FormInput) =>
  heldText('unconfirmed_forms', { address: email, count: formLimits.unconfirmedAnHour });

const retryAfterSeconds = 3600;

/** An accepted form is kept, so it is refused if there is no room. */
export function holdForm(tx: Tx, ctx: Context, site: Site, form: FormInput): void {
  checkForm(tx, site, form);
  const { heldOfAddress, heldOnSite } = formLimits;
  const isFull =
    countHeldForms(tx, site.id, form.email, heldOfAddress) >= heldOfAddress ||
    countHeldForms(tx, site.id, null, heldOnSite) >= heldOnSite;
  if (isFull)
    throw new DeskError('rate_limited', 'Too many forms are waiting for an agent. Try again later, or send a mail.', {
      reason: 'too_many_forms',
      retryAfterSeconds,
    });
  insertHeldForm(tx, { ulid: newUlid(ctx.now), siteId: site.id, receivedAt: ctx.now, reason: reasonOf(form), form });
}

/** Without a release it waits again, also after a crash in between. */
export function fileHeldForm(tx: Tx, ctx: Context, site: Site, id: number): Filed {
  const row = inboundMailById(tx, id);
  if (!row) throw notFound('mail');
  const { form } = row;
  if (row.status === 'done' || form === null) return { row, ticket: null };
  if (!row.isReleased) return finish(tx, ctx, id, held('form', reasonOf(form)));
  const asApplication: Context = { ...ctx, actor: { kind: 'application', siteId: site.id } };
  const ticket = openWhatFits(tx, asApplication, site, form);
  mailFormReceipt(tx, asApplication, ticket);
  updateInboundMail(tx, id, { form: null });
  return finish(tx, ctx, id, {
    outcome: 'ticket_created',
    reason: 'An agent released this form.',
    ticketId: ticket.id,
  });
}

/** The catalogue can have changed since: then category and fields become part of the text, so that nothing is lost. */
function openWhatFits(tx: Tx, ctx: Context, site: Site, form: FormInput): Ticket {
  try {
    return openFromForm(tx, ctx, site, form, { takesFields: true }).ticket;
  } catch (error) {
    if (!(error instanceof DeskError) || error.code !== 'invalid') throw error;
  }
  const values = Object.entries(form.custom_fields ?? {}).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const message = [form.message, ...values].join('\n');
  const rest = { ...form, message, category_id: null, custom_fields: null };
  return openFromForm(tx, ctx, site, rest, { takesFields: false }).ticket;
}
