// Whom a reply goes to and whom it is from, as far as its agent chose: part of the draft.

import type { NamedAddress } from '../customers/add-person.tsx';
import type { Sender, TicketDetail } from '../wire.ts';
import type { FormFields } from './draft-types.ts';

interface Added extends NamedAddress {
  as: 'cc' | 'bcc';
}

export interface GoesTo {
  /** Addresses on the ticket that this reply does not go to. */
  leftOut: readonly string[];
  /** Who gets it beside the people on the ticket. */
  added: readonly Added[];
  /** The id of a sender; null: the one of the ticket. */
  from: number | null;
}

/** A draft can come from another version of the console, or have lost an address with an erased person. */
export function goesToIn({ left_out: leftOut, added, from }: FormFields): GoesTo {
  const addresses = Array.isArray(leftOut) ? leftOut.filter((one) => typeof one === 'string') : [];
  return {
    leftOut: addresses,
    added: Array.isArray(added) ? added.flatMap(addedIn) : [],
    from: typeof from === 'number' ? from : null,
  };
}

function addedIn(one: Partial<Added> | null): Added[] {
  const { email, name = null, as } = one ?? {};
  if (typeof email !== 'string' || !email.includes('@') || (as !== 'cc' && as !== 'bcc')) return [];
  return [{ email, name: typeof name === 'string' ? name : null, as }];
}

/** Nothing for a reply that goes where the ticket says. */
export function asFields({ leftOut, added, from }: GoesTo): FormFields {
  return {
    ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
    ...(added.length === 0 ? {} : { added }),
    ...(from === null ? {} : { from }),
  };
}

/** Who gets a reply unless they are left out: the author first. */
export function peopleOf({
  author,
  author_paused_at: pausedAt,
  participants,
}: Pick<TicketDetail, 'author' | 'author_paused_at' | 'participants'>): (NamedAddress & {
  paused_at?: string | null;
})[] {
  const others = participants.filter((one) => one.removed_at === null && one.email !== author?.email);
  return author !== null && author.anonymised_at === null ? [{ ...author, paused_at: pausedAt }, ...others] : others;
}

/** In To and Cc, and in Bcc. Who was added and is on the ticket by now counts once. */
export function readersOf(ticket: TicketDetail, { leftOut, added }: GoesTo) {
  const everyone = peopleOf(ticket);
  const others = added.filter(({ email }) => !everyone.some((one) => one.email === email));
  const stays = everyone.filter(({ email }) => !leftOut.includes(email));
  return { everyone, others, open: [...stays, ...others.filter(({ as }) => as === 'cc')] };
}

/** Whom someone took off the ticket: naming them brings them back. */
export function removedFrom({ participants }: Pick<TicketDetail, 'participants'>, { added }: GoesTo): NamedAddress[] {
  const isAdded = (email: string) => added.some((one) => one.email === email);
  return participants.filter((one) => one.removed_at !== null && !one.is_agent && !isAdded(one.email));
}

/** Exactly those who are shown, so that no one who comes to the ticket meanwhile gets it too. Nothing if no one takes part. */
export function addressesFor(ticket: TicketDetail, goesTo: GoesTo) {
  const { open, others } = readersOf(ticket, goesTo);
  if (ticket.participants.length === 0 && others.length === 0) return {};
  const [first, ...rest] = open;
  if (first === undefined) return {};
  const bcc = others.filter(({ as }) => as === 'bcc').map(named);
  return { to: [named(first)], cc: rest.map(named), ...(bcc.length === 0 ? {} : { bcc }) };
}

const named = ({ email }: NamedAddress) => ({ email });

/**
 * The sender that was chosen, if the site still has it.
 * @param rows null while they are not known
 */
export function chosenSender({ from }: GoesTo, rows: readonly Sender[] | null): number | null {
  return rows === null || rows.some(({ id }) => id === from) ? from : null;
}

/** Null for the ticket's own sender: it needs no change. */
export function senderToKeep(
  { sender_id: own }: Pick<TicketDetail, 'sender_id'>,
  { id, is_default: isDefault }: Sender,
) {
  return id === own || (own === null && isDefault) ? null : id;
}

/** DNS says that mail from this address may be refused. */
export function isDoubtful({ checks }: Sender): boolean {
  if (checks === null) return false;
  return [checks.spf, checks.dkim, checks.dmarc].some(({ status }) => status === 'missing' || status === 'wrong');
}
