// Calls about one message or ticket that are no change of its fields.

import type { Refusal } from '../../shared/api.ts';
import { announce } from '../../shared/notices.tsx';
import { ask } from '../../shared/signed-in.ts';
import { knownTicket, reload } from '../tickets/cache.ts';
import { about, reasonOf } from '../tickets/change.ts';
import { t } from './messages.ts';

const named = (ticket: string, text: string) => about(knownTicket(ticket)?.reference, text);

export async function sendAgain(ticket: string, message: string): Promise<void> {
  const answer = await ask('POST', `/tickets/${ticket}/messages/${message}/resend`, {});
  if (answer.isOk) announce(named(ticket, t.sendsAgain));
  else announce(named(ticket, reasonOf(answer.refusal)), 'problem');
  await reload(ticket);
}

export async function withdraw(ticket: string, message: string): Promise<void> {
  const answer = await ask('DELETE', `/tickets/${ticket}/messages/${message}`);
  if (answer.isOk) announce(named(ticket, t.withdrawn));
  else announce(named(ticket, withdrawalRefusal(answer.refusal)), 'problem');
  await reload(ticket);
}

function withdrawalRefusal(refusal: Refusal): string {
  return refusal.code === 'already_sent' ? t.alreadySent : reasonOf(refusal);
}
