// Adding people to the open ticket and removing them, each with Undo.

import type { Refusal } from '../../shared/api.ts';
import { withoutBidi } from '../../shared/bidi.ts';
import { announce } from '../../shared/notices.tsx';
import { ask } from '../../shared/signed-in.ts';
import { draftOf } from '../composer/drafts.ts';
import { asFields, goesToIn, peopleOf } from '../composer/goes-to.ts';
import type { NamedAddress } from '../customers/add-person.tsx';
import { reload } from '../tickets/cache.ts';
import { about, reasonOf } from '../tickets/change.ts';
import { offerUndo } from '../undo.ts';
import type { Message, TicketDetail } from '../wire.ts';
import { t } from './messages.ts';

type OnTicket = Pick<TicketDetail, 'ulid' | 'reference'>;
export type Participant = TicketDetail['participants'][number];

export const calledBy = ({ name, email }: NamedAddress) => withoutBidi(name || email);

/** Who wrote this without being on the ticket. */
export function strangerOf({ author, author_role: role }: Message): NamedAddress | null {
  return role === 'other' && author?.anonymised_at === null ? author : null;
}

export async function addPerson(ticket: OnTicket, person: NamedAddress): Promise<void> {
  const answer = await add(ticket, person);
  if (!answer.isOk) return;
  const text = about(ticket.reference, t.personAdded(calledBy(person)));
  offerUndo(text, async () => void (await takeOff(ticket, answer.data.data.id)));
}

/** Someone on the ticket whose mail came back: there is no way back to that. */
export async function resumePerson(ticket: OnTicket, person: NamedAddress): Promise<void> {
  const answer = await add(ticket, person);
  if (answer.isOk) announce(about(ticket.reference, t.personAdded(calledBy(person))));
}

export async function removePerson(ticket: OnTicket, person: Participant): Promise<void> {
  const isOff = await takeOff(ticket, person.id);
  if (isOff)
    offerUndo(about(ticket.reference, t.personRemoved(calledBy(person))), async () => void (await add(ticket, person)));
}

/** What is written stays; all others on the ticket are left out, in sight. */
export function replyOnlyTo(ticket: TicketDetail, { email, name }: NamedAddress): void {
  const people = peopleOf(ticket).map((one) => one.email);
  const draft = draftOf(ticket.ulid, 'reply');
  const goesTo = {
    ...goesToIn(draft.content.peek().fields),
    leftOut: people.filter((one) => one !== email),
    added: people.includes(email) ? [] : [{ email, name, as: 'cc' as const }],
  };
  draft.change({ tab: 'reply', fields: asFields(goesTo) });
  document.querySelector<HTMLElement>('.composer textarea')?.focus();
}

async function takeOff(ticket: OnTicket, id: number): Promise<boolean> {
  const answer = await ask('DELETE', `/tickets/${ticket.ulid}/participants/${id}`);
  if (!answer.isOk) explain(ticket, answer.refusal);
  await reload(ticket.ulid);
  return answer.isOk;
}

async function add(ticket: OnTicket, { email, name }: NamedAddress) {
  const answer = await ask<{ data: Participant }>('POST', `/tickets/${ticket.ulid}/participants`, { email, name });
  if (!answer.isOk) explain(ticket, answer.refusal);
  await reload(ticket.ulid);
  return answer;
}

function explain({ reference }: OnTicket, refusal: Refusal): void {
  const isFull = refusal.code === 'too_many_participants';
  const text = isFull ? t.tooManyPeople : 'email' in refusal.fields ? t.cannotTakePart : reasonOf(refusal);
  announce(about(reference, text), 'problem');
}
