// The signed-in agent's own draft on a ticket (docs/spec/console.md#drafts).

import * as z from 'zod';
import { toWire } from '../../../base/clock.ts';
import {
  type DraftWithFiles,
  discardDraft,
  type LeftDraft,
  readDraft,
  readLeftDrafts,
  writeDraft,
} from '../../../desk/tickets/drafts.ts';
import {
  discardNewTicketDraft,
  newTicketName,
  readNewTicketDraft,
  writeNewTicketDraft,
} from '../../../desk/tickets/new-ticket-draft.ts';
import { draftInput } from '../../../domain/input/tickets.ts';
import { draftTabs, referenceOf, writtenFormats } from '../../../domain/tickets/ticket.ts';
import type { Tx } from '../../../engine/database.ts';
import { authorById } from '../../../store/customers/authors.ts';
import type { DraftFile } from '../../../store/tickets/ticket-drafts.ts';
import { answered, type Call, type Operation, operation } from '../../operation.ts';
import { jsonReply } from '../../wire/respond.ts';
import { named, one, time } from '../../wire/shapes.ts';
import { attachmentShape, presentAttachment } from '../../wire/tickets/message.ts';
import { ticketName } from '../parameters.ts';

const draftShape = named(
  'Draft',
  z.object({
    body: z.string(),
    body_format: z.enum(writtenFormats),
    tab: z.enum(draftTabs),
    attachments: z.array(attachmentShape),
    fields: z
      .record(z.string(), z.unknown())
      .meta({ description: 'What its writer keeps beside the text, such as whom it goes to.' }),
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

interface Shown {
  draft: Omit<DraftWithFiles['draft'], 'ticketId' | 'agentId'>;
  attachments: readonly (DraftWithFiles['attachments'][number] | DraftFile)[];
}

function presentDraft(call: Call, { draft, attachments }: Shown) {
  return {
    body: draft.body,
    body_format: draft.bodyFormat,
    tab: draft.tab,
    attachments: attachments.map((file) => presentAttachment(file, call.edge.links, call.ctx.now)),
    fields: draft.fields,
    updated_at: toWire(draft.updatedAt),
  };
}

type OwnNewTicketDraft = ReturnType<typeof writeNewTicketDraft>;

function presentNew(call: Call, { draft, files: attachments }: OwnNewTicketDraft) {
  return presentDraft(call, { draft: { ...draft, tab: 'reply' }, attachments });
}

const isNew = (call: Call) => ticketName(call) === newTicketName;

const usual = { path: '/api/v1/tickets/{ticket}/draft', tag: 'Tickets', access: 'session' } as const;

export const draftOperations: readonly Operation[] = [
  operation({
    ...usual,
    method: 'GET',
    id: 'readDraft',
    summary: 'Read your draft on a ticket',
    answer: answered(
      200,
      'The draft; null if there is none',
      z.object({
        data: draftShape.nullable(),
        left: z.array(leftDraftShape).meta({
          description: 'Your drafts on tickets of other customers that were merged into this one.',
        }),
      }),
    ),
    errors: [404],
    read(tx, call) {
      if (isNew(call)) {
        const own = readNewTicketDraft(tx, call.ctx);
        return jsonReply(200, { data: own && presentNew(call, own), left: [] });
      }
      const found = readDraft(tx, call.ctx, ticketName(call));
      const left = readLeftDrafts(tx, call.ctx, ticketName(call));
      return jsonReply(200, {
        data: found && presentDraft(call, found),
        left: left.map((one) => presentLeft(call, tx, one)),
      });
    },
  }),
  operation({
    ...usual,
    method: 'PUT',
    id: 'saveDraft',
    summary: 'Save your draft on a ticket',
    description:
      'No other agent sees it. A reply or note of yours removes the draft for it. The ticket "new" is one that you have not opened yet.',
    body: draftInput,
    answer: answered(200, 'The draft', one(draftShape)),
    errors: [404, 409],
    write(tx, call) {
      if (isNew(call)) return jsonReply(200, { data: presentNew(call, writeNewTicketDraft(tx, call.ctx, call.body)) });
      const saved = writeDraft(tx, call.ctx, ticketName(call), call.body);
      return jsonReply(200, { data: presentDraft(call, saved) });
    },
  }),
  operation({
    ...usual,
    method: 'DELETE',
    id: 'discardDraft',
    summary: 'Discard your draft on a ticket',
    answer: answered(200, 'No draft is left', one(draftShape.nullable())),
    errors: [404],
    write(tx, call) {
      if (isNew(call)) discardNewTicketDraft(tx, call.ctx);
      else discardDraft(tx, call.ctx, ticketName(call));
      return jsonReply(200, { data: null });
    },
  }),
];
