// The signed-in agent's own draft on a ticket (docs/spec/console.md#drafts).

import * as z from 'zod';
import { toWire } from '../../base/clock.ts';
import {
  type DraftWithFiles,
  discardDraft,
  type LeftDraft,
  readDraft,
  readLeftDrafts,
  writeDraft,
} from '../../desk/drafts.ts';
import { draftInput } from '../../domain/input/tickets.ts';
import { draftTabs, referenceOf, writtenFormats } from '../../domain/ticket.ts';
import type { Tx } from '../../store/database.ts';
import { authorById } from '../../store/people.ts';
import { type Call, type Operation, operation } from '../operation.ts';
import { attachmentShape, presentAttachment } from '../wire/message.ts';
import { jsonReply } from '../wire/respond.ts';
import { named, one, time } from '../wire/shapes.ts';
import { ticketName } from './parameters.ts';

const draftShape = named(
  'Draft',
  z.object({
    body: z.string(),
    body_format: z.enum(writtenFormats),
    tab: z.enum(draftTabs),
    attachments: z.array(attachmentShape),
    updated_at: time(),
  }),
);

const leftDraftShape = named(
  'LeftDraft',
  draftShape.extend({
    ticket: z.string(),
    reference: z.string(),
    author: z.object({ name: z.string().nullable(), email: z.string() }).nullable(),
  }),
);

function presentLeft(call: Call, tx: Tx, left: LeftDraft) {
  const author = authorById(tx, left.ticket.authorId);
  return {
    ...presentDraft(call, left),
    ticket: left.ticket.ulid,
    reference: referenceOf(left.ticket.id),
    author: author ? { name: author.name, email: author.email } : null,
  };
}

function presentDraft(call: Call, { draft, attachments }: DraftWithFiles) {
  return {
    body: draft.body,
    body_format: draft.bodyFormat,
    tab: draft.tab,
    attachments: attachments.map((file) => presentAttachment(file, call.edge.links, call.ctx.now)),
    updated_at: toWire(draft.updatedAt),
  };
}

const usual = { path: '/api/v1/tickets/{ticket}/draft', tag: 'Tickets', access: 'session' } as const;

export const draftOperations: readonly Operation[] = [
  operation({
    ...usual,
    method: 'GET',
    id: 'readDraft',
    summary: 'Read your draft on a ticket',
    answer: {
      status: 200,
      description: 'The draft; null if there is none',
      schema: z.object({
        data: draftShape.nullable(),
        left: z.array(leftDraftShape).meta({
          description: 'Your drafts on tickets of other customers that were merged into this one.',
        }),
      }),
    },
    errors: [404],
    handle: (call) =>
      call.edge.desk.read((tx) => {
        const found = readDraft(tx, call.ctx, ticketName(call));
        const left = readLeftDrafts(tx, call.ctx, ticketName(call));
        return jsonReply(200, {
          data: found && presentDraft(call, found),
          left: left.map((one) => presentLeft(call, tx, one)),
        });
      }),
  }),
  operation({
    ...usual,
    method: 'PUT',
    id: 'saveDraft',
    summary: 'Save your draft on a ticket',
    description: 'No other agent sees it. A reply or note of yours removes the draft for it.',
    body: draftInput,
    answer: { status: 200, description: 'The draft', schema: one(draftShape) },
    errors: [404, 409],
    handle: (call) =>
      call.commit((tx) => {
        const saved = writeDraft(tx, call.ctx, ticketName(call), call.body);
        return jsonReply(200, { data: presentDraft(call, saved) });
      }),
  }),
  operation({
    ...usual,
    method: 'DELETE',
    id: 'discardDraft',
    summary: 'Discard your draft on a ticket',
    answer: { status: 200, description: 'No draft is left', schema: one(draftShape.nullable()) },
    errors: [404],
    handle: (call) =>
      call.commit((tx) => {
        discardDraft(tx, call.ctx, ticketName(call));
        return jsonReply(200, { data: null });
      }),
  }),
];
