// Mail that answers a side conversation lands in it and nowhere else.

import { hourMs } from '../../domain/instant.ts';
import { normaliseEmail } from '../../domain/mail/address.ts';
import { forgedText, heldText } from '../../domain/mail/held-texts.ts';
import { type Fate, floodLimit, held } from '../../domain/mail/inbound.ts';
import { publicName } from '../../domain/sites/site.ts';
import { truncate } from '../../domain/text.ts';
import { sideLimits } from '../../domain/tickets/side-conversation.ts';
import type { Tx } from '../../engine/database.ts';
import type { ReadMessage } from '../../mail/inbound/message.ts';
import { withoutWordsOf } from '../../mail/reply/own-words.ts';
import { ticketOfMailId } from '../../store/mail/threads.ts';
import type { Site } from '../../store/sites/sites.ts';
import {
  hasSideMail,
  type SideConversation,
  sideConversationOfMail,
  sideMessagesOf,
} from '../../store/tickets/side-conversations.ts';
import { type Ticket, ticketById } from '../../store/tickets/tickets.ts';
import { siteOfTicket } from '../access.ts';
import type { Context } from '../context.ts';
import type { Understood } from '../rules/question.ts';
import { attachApart } from '../tickets/attachments.ts';
import { receiveSideAnswer } from '../tickets/side-conversations.ts';
import { keptMailIds } from './mail-ids.ts';
import { addressedTicket, recipientsOf } from './match-ticket.ts';
import { bodiesOf, type MailMaterial, withRoom } from './material.ts';
import { readSideAddress } from './side-address.ts';

export interface Side {
  conversation: SideConversation;
  ticket: Ticket;
}

type SidePlan = Fate & {
  reason: string;
  sender?: string;
  side?: Side;
};

/** Null if the mail belongs to none. Inbound rules do not apply. */
export function planSideAnswer(
  tx: Tx,
  ctx: Context,
  site: Site,
  isReleased: boolean,
  { message, classified }: Understood,
): SidePlan | null {
  const named = readSideAddress(tx, ctx, recipientsOf(message));
  const conversation = named === 'unknown' ? undefined : (named ?? referredTo(tx, ctx, site, message));
  const ticket = conversation && ticketById(tx, conversation.ticketId);
  if (conversation === undefined || ticket?.siteId !== site.id)
    return named === null || isReleased ? null : held('undeliverable', heldText('unknown_side_address'));
  if (classified.kind === 'automatic' && !isReleased)
    return { outcome: 'ignored_auto_reply', reason: classified.reason };
  if (message.from === null) return held('undeliverable', heldText('no_sender'));
  if (message.forgedBy !== null && !isReleased) return held('forged', forgedText(message.forgedBy));
  if (message.messageId !== null && hasSideMail(tx, conversation.id, message.messageId))
    return { outcome: 'duplicate', reason: 'The side conversation has this message already.' };
  const sender = normaliseEmail(message.from.address);
  const messages = sideMessagesOf(tx, conversation.id);
  const fromStrangers = messages.filter(
    ({ senderVerified, createdAt }) => senderVerified === false && createdAt > ctx.now - hourMs,
  );
  const isStranger = !conversation.people.some(({ email }) => email === sender);
  if (!isReleased && isStranger && fromStrangers.length >= floodLimit)
    return held('too_much', heldText('uninvited_answers'));
  if (messages.length >= sideLimits.messages) return held('undeliverable', heldText('side_conversation_full'));
  return { outcome: 'reply_added', reason: 'It answers a side conversation.', sender, side: { conversation, ticket } };
}

/**
 * The address of a ticket counts before it, and a nearer reference to one. Answers to a mailbox carry the reference that the desk gave;
 * others at least the id of the mail they answer.
 */
function referredTo(tx: Tx, ctx: Context, site: Site, message: ReadMessage): SideConversation | undefined {
  if (addressedTicket(tx, site, message) !== null) return undefined;
  for (const id of [message.inReplyTo, ...message.references.toReversed()]) {
    if (id === null) continue;
    const given = readSideAddress(tx, ctx, [id]);
    const found = given === null || given === 'unknown' ? sideConversationOfMail(tx, site.id, id) : given;
    if (found || ticketOfMailId(tx, site.id, keptMailIds(ctx, id)) !== null) return found;
  }
  return undefined;
}

/** The inbound log does not name the ticket: by that, answers to this mail would come to its customer. */
export function fileSideAnswer(tx: Tx, ctx: Context, received: MailMaterial, { conversation, ticket }: Side): void {
  const site = siteOfTicket(tx, ticket);
  const material = withRoom(tx, site, ticket, received);
  const { message, files, folded } = material;
  const body = withoutWordsOf(sentIn(tx, site, conversation), folded.body);
  receiveSideAnswer(tx, ctx, ticket, conversation, {
    sender: {
      email: normaliseEmail(message.from?.address ?? ''),
      name: truncate(message.from?.name ?? '', 255) || null,
    },
    isProven: message.verdict === 'pass',
    body: bodiesOf({ ...material, folded: { ...folded, body } }).body,
    attachmentIds: files.map((file) => attachApart(tx, ctx, ticketById(tx, ticket.id) ?? ticket, file).id),
    mailMessageId: message.messageId,
  });
}

/** What agents wrote to the people outside, as they got it. */
function sentIn(tx: Tx, site: Site, { id }: SideConversation): string[] {
  const name = publicName(site);
  return sideMessagesOf(tx, id)
    .filter(({ agentName }) => agentName !== null)
    .map(({ body, agentName, quoted }) => [body, `${agentName}, ${name}`, quoted ?? '', name].join('\n'));
}
