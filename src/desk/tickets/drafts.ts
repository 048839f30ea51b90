// What an agent has written on a ticket and not sent, which no other agent sees.

import { conflict, DeskError, invalid } from '../../domain/errors.ts';
import type { DraftInput } from '../../domain/input/tickets.ts';
import type { DraftMark, MovedDraft } from '../../domain/tickets/merge.ts';
import type { DraftTab } from '../../domain/tickets/ticket.ts';
import type { Tx } from '../../engine/database.ts';
import {
  type Draft,
  deleteDraft,
  deleteDraftsOfTicket,
  draftOf,
  draftsOfTicket,
  mergedTicketsWithDraft,
  saveDraft,
} from '../../store/tickets/drafts.ts';
import { type Attachment, attachmentsByIds, isLoose } from '../../store/tickets/messages.ts';
import { type Ticket, ticketById } from '../../store/tickets/tickets.ts';
import { authorise, findTicket } from '../access.ts';
import type { Context } from '../context.ts';

export interface DraftWithFiles {
  draft: Draft;
  attachments: Attachment[];
}

export function ownerOf(ctx: Context): number {
  if (ctx.actor.kind !== 'agent')
    throw new DeskError('forbidden', 'Only people have drafts: sign in.', { reason: 'person_needed' });
  return ctx.actor.agentId;
}

function withFiles(tx: Tx, draft: Draft): DraftWithFiles {
  const attachments = attachmentsByIds(tx, draft.ticketId, draft.attachmentIds).filter(isLoose);
  return { draft, attachments };
}

export function readDraft(tx: Tx, ctx: Context, name: string | number): DraftWithFiles | null {
  authorise(ctx, 'read');
  const ticket = findTicket(tx, ctx, name);
  const draft = draftOf(tx, ticket.id, ownerOf(ctx));
  return draft ? withFiles(tx, draft) : null;
}

export interface LeftDraft extends DraftWithFiles {
  ticket: Ticket;
}

/** Own drafts on tickets of other customers that were merged into this one. Only their agent may move them. */
export function readLeftDrafts(tx: Tx, ctx: Context, name: string | number): LeftDraft[] {
  authorise(ctx, 'read');
  const into = findTicket(tx, ctx, name);
  const agentId = ownerOf(ctx);
  return mergedTicketsWithDraft(tx, into.id, agentId).flatMap((id) => {
    const draft = draftOf(tx, id, agentId);
    const ticket = ticketById(tx, id);
    if (!draft || !ticket) return [];
    // The files went with the merge.
    return [{ ticket, draft, attachments: attachmentsByIds(tx, into.id, draft.attachmentIds).filter(isLoose) }];
  });
}

export function writeDraft(tx: Tx, ctx: Context, name: string | number, input: DraftInput): DraftWithFiles {
  authorise(ctx, 'note');
  const ticket = findTicket(tx, ctx, name);
  if (ticket.mergedIntoId !== null)
    throw conflict('This ticket was merged into another one. Write there instead.', 'ticket_merged');
  const attachmentIds = [...new Set(input.attachment_ids ?? [])];
  const draft: Draft = {
    ticketId: ticket.id,
    agentId: ownerOf(ctx),
    body: input.body,
    bodyFormat: input.body_format ?? 'text',
    tab: input.tab ?? 'reply',
    attachmentIds,
    fields: input.fields ?? {},
    updatedAt: ctx.now,
  };
  const saved = withFiles(tx, draft);
  if (saved.attachments.length !== attachmentIds.length || saved.attachments.some(({ isAgent }) => !isAgent))
    throw invalid('attachment_ids', 'must name attachments of this ticket that belong to no message yet.');
  saveDraft(tx, draft);
  return saved;
}

export function discardDraft(tx: Tx, ctx: Context, name: string | number): void {
  authorise(ctx, 'note');
  deleteDraft(tx, findTicket(tx, ctx, name).id, ownerOf(ctx));
}

/** What was sent is not a draft any more, also when the window closed before it could say so. */
export function forgetDraft(tx: Tx, { actor }: Context, ticketId: number, tab: DraftTab): void {
  if (actor.kind === 'agent' && draftOf(tx, ticketId, actor.agentId)?.tab === tab)
    deleteDraft(tx, ticketId, actor.agentId);
}

/** With a merge. An agent who wrote on both keeps both texts, in one draft. What was written to another customer stays. */
export function moveDrafts(tx: Tx, source: Ticket, target: Ticket): MovedDraft[] {
  if (source.authorId !== target.authorId) return [];
  const drafts = draftsOfTicket(tx, source.id).map((moved) => {
    const there = draftOf(tx, target.id, moved.agentId);
    saveDraft(tx, {
      ...moved,
      ...there,
      ticketId: target.id,
      body: [there?.body, moved.body].filter((text) => text).join('\n\n'),
      attachmentIds: [...new Set([...(there?.attachmentIds ?? []), ...moved.attachmentIds])],
      updatedAt: Math.max(moved.updatedAt, there?.updatedAt ?? 0),
    });
    return { agentId: moved.agentId, moved: markOf(moved), there: there ? markOf(there) : null };
  });
  deleteDraftsOfTicket(tx, source.id);
  return drafts;
}

const markOf = ({ body, bodyFormat, tab, attachmentIds, updatedAt }: Draft): DraftMark => ({
  length: body.length,
  bodyFormat,
  tab,
  attachmentIds,
  updatedAt,
});

/** Those that no one has changed since the merge. Of two that became one, the draft of the other ticket said whom it goes to. */
export function moveDraftsBack(tx: Tx, source: Ticket, target: Ticket, drafts: readonly MovedDraft[]): void {
  for (const { agentId, moved, there } of drafts) {
    const now = draftOf(tx, target.id, agentId);
    const before = there?.length ?? 0;
    const isBoth = before > 0 && moved.length > 0;
    const isSame =
      now?.body.length === before + (isBoth ? 2 : 0) + moved.length &&
      now.updatedAt === Math.max(moved.updatedAt, there?.updatedAt ?? 0);
    if (!isSame) continue;
    const part = (ticketId: number, { length: _, ...mark }: DraftMark, body: string, fields: Draft['fields']) =>
      saveDraft(tx, { ticketId, agentId, ...mark, body, fields });
    part(source.id, moved, now.body.slice(now.body.length - moved.length), there === null ? now.fields : {});
    if (there === null) deleteDraft(tx, target.id, agentId);
    else part(target.id, there, now.body.slice(0, before), now.fields);
  }
}
