// What `/` and `@` offer, and what taking one does.

import { matching } from '../../shared/list-keys.ts';
import { announce } from '../../shared/notices.tsx';
import { ask } from '../../shared/signed-in.ts';
import { agents, macros, teams } from '../catalogue.ts';
import { t } from '../list/messages.ts';
import { me } from '../session.ts';
import { awayText } from '../tickets/away.ts';
import { reasonOf } from '../tickets/change.ts';
import type { TicketDetail } from '../wire.ts';
import type { Asked } from './completion.ts';
import type { Offer } from './completion-list.tsx';
import type { Draft } from './draft-types.ts';
import { type StagedChanges, together } from './staged.ts';
import { write, writtenIn } from './text-box.tsx';

const mostOffered = 30;

export function offersFor(asked: Asked, siteId: number, isNote: boolean): Offer[] {
  if (asked.kind === 'mention' && !isNote) return [];
  return matching(asked.kind === 'macro' ? macroOffers(siteId) : agentOffers(siteId), asked.typed).slice(
    0,
    mostOffered,
  );
}

export function macroOffers(siteId: number): Offer[] {
  const sorted = [...(macros(siteId).value ?? [])].sort((one, other) => one.position - other.position);
  return sorted.map(({ id, name, body }) => ({ id, text: name, hint: body.replace(/\s+/g, ' ').slice(0, 80) }));
}

function agentOffers(siteId: number): Offer[] {
  return (
    (agents(siteId).value ?? [])
      .filter(({ id, is_active: isActive }) => isActive && id !== me.value?.id)
      .map((agent): Offer => ({ id: agent.id, text: agent.name, hint: awayText(agent) ?? agent.email }))
      // Negative, so that no team has the id of an agent.
      .concat((teams(siteId).value ?? []).map(({ id, name }) => ({ id: -id, text: name, hint: t.team })))
  );
}

export async function takeOffer(
  offer: Offer,
  asked: Asked,
  { field, ticket, draft }: { field: HTMLTextAreaElement; ticket: TicketDetail; draft: Draft },
): Promise<void> {
  if (asked.kind === 'mention') {
    insertMention(field, asked, offer);
    return;
  }
  const answer = await ask<{ data: { body: string; changes: StagedChanges } }>(
    'GET',
    `/macros/${offer.id}/preview?ticket=${ticket.ulid}`,
  );
  if (!answer.isOk) {
    announce(reasonOf(answer.refusal), 'problem');
    return;
  }
  const { body, changes } = answer.data.data;
  insert(field, asked, body);
  draft.change({ staged: together(draft.content.peek().staged, changes) });
}

export function insertMention(field: HTMLTextAreaElement, asked: Asked, { text }: Offer): void {
  insert(field, asked, `@${text} `);
}

function insert(field: HTMLTextAreaElement, { from, to }: Asked, text: string): void {
  const { text: before } = writtenIn(field);
  const caret = from + text.length;
  write(field, { text: before.slice(0, from) + text + before.slice(to), start: caret, end: caret });
}
