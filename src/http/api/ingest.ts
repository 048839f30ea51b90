// The ingest surface: what a site's application calls (docs/spec/api.md#ingest).

import * as z from 'zod';
import { newUlid } from '../../base/ids.ts';
import { attachAsCustomer } from '../../desk/attachments.ts';
import type { Context } from '../../desk/record.ts';
import { replyAsCustomer } from '../../desk/replies.ts';
import { openThread, openTicket } from '../../desk/tickets.ts';
import { DeskError, invalid } from '../../domain/errors.ts';
import { customerReplyInput, ingestTicketInput } from '../../domain/input/tickets.ts';
import { allowedExtensions, maxAttachmentBytes } from '../../files/sniff.ts';
import type { Tx } from '../../store/database.ts';
import { attachmentsOfTicket, messagesOfTicket } from '../../store/messages.ts';
import { mayBeStored } from '../../store/refusals.ts';
import { categoryRows, customFieldRows, priorityRows, type Site, siteById } from '../../store/sites.ts';
import { type Call, type Operation, operation } from '../operation.ts';
import { receiveUpload } from '../upload.ts';
import { visible } from '../visible.ts';
import {
  createLookups,
  presentAttachment,
  presentCategory,
  presentCustomField,
  presentMessageForCustomer,
  presentPriority,
  presentTicketForCustomer,
} from '../wire/present.ts';
import { jsonReply } from '../wire/respond.ts';
import * as shapes from '../wire/shapes.ts';
import { parseId } from './parameters.ts';

const threadQuery = z.object({
  access_token: z.string().max(512).optional().meta({ description: "The ticket's access token." }),
});

type ThreadQuery = z.output<typeof threadQuery>;

function siteOf(call: Call): Site {
  if (!call.site) throw new Error('an ingest operation ran without a site');
  return call.site;
}

function accessToken(call: Call<ThreadQuery>): string {
  const { access_token: token } = call.query;
  if (!token)
    throw new DeskError('unauthenticated', "Send the ticket's access token as ?access_token=.", {
      reason: 'missing_access_token',
    });
  return token;
}

/** The thread behind path and access token, and a context in which its author acts. */
function enterThread(tx: Tx, call: Call<ThreadQuery>) {
  const { ticket, author } = openThread(tx, siteOf(call).id, call.params.ulid ?? '', accessToken(call));
  const ctx: Context = {
    ...call.ctx,
    actor: { kind: 'author', siteId: ticket.siteId, authorId: author.id, name: author.name },
  };
  return { ticket, author, ctx };
}

export const ingestOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/public/config',
    id: 'getConfig',
    tag: 'Ingest',
    summary: 'What a form for new tickets needs to know',
    access: 'site',
    answer: {
      status: 200,
      description: 'Active categories, priorities and author-visible custom fields, in their order',
      schema: z.object({
        site: z.object({ name: z.string(), slug: z.string(), description: z.string() }),
        categories: z.array(shapes.category),
        priorities: z.array(shapes.priority),
        custom_fields: z.array(shapes.customField),
        attachments: z.object({ extensions: z.array(z.string()), max_bytes: z.int() }),
      }),
    },
    handle(call) {
      const { id } = siteOf(call);
      const config = call.edge.desk.read((tx) => {
        const site = siteById(tx, id) ?? siteOf(call);
        return {
          site: { name: site.name, slug: site.slug, description: site.description },
          categories: categoryRows
            .list(tx, id)
            .filter(({ isActive }) => isActive)
            .map(presentCategory),
          priorities: priorityRows
            .list(tx, id)
            .filter(({ isActive }) => isActive)
            .map((priority) => presentPriority(priority, priority.id === site.defaultPriorityId)),
          custom_fields: customFieldRows
            .list(tx, id)
            .filter(({ isActive, isAuthorVisible }) => isActive && isAuthorVisible)
            .map(presentCustomField),
          attachments: { extensions: [...allowedExtensions], max_bytes: maxAttachmentBytes },
        };
      });
      return jsonReply(200, config);
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/public/tickets',
    id: 'createTicketFromApplication',
    tag: 'Ingest',
    summary: 'Open a ticket',
    access: 'site',
    body: ingestTicketInput,
    answer: {
      status: 201,
      description: 'The ticket as the customer sees it, and its access token, shown this once',
      schema: z.object({ message: z.string(), ticket: shapes.customerTicket, access_token: z.string() }),
    },
    errors: [409],
    handle(call) {
      const site = siteOf(call);
      return call.commit((tx) => {
        const opened = openTicket(tx, call.ctx, site, call.body);
        const ticket = presentTicketForCustomer(opened.ticket, createLookups(tx), customFieldRows.list(tx, site.id));
        return jsonReply(201, { message: 'Ticket created.', ticket, access_token: opened.accessToken });
      });
    },
  }),
  operation({
    method: 'GET',
    path: '/api/v1/public/tickets/{ulid}',
    id: 'readThread',
    tag: 'Ingest',
    summary: 'Read a ticket with its public messages and attachments',
    access: 'thread',
    query: threadQuery,
    answer: { status: 200, description: 'The thread', schema: shapes.one(shapes.customerThread) },
    errors: [404],
    handle(call) {
      const data = call.edge.desk.read((tx) => {
        const { ticket } = enterThread(tx, call);
        const attachments = attachmentsOfTicket(tx, ticket.id).filter(({ isInternal }) => !isInternal);
        const thread = { attachments, links: call.edge.links, now: call.ctx.now };
        const isMerged = ticket.ulid !== call.params.ulid?.toUpperCase();
        return {
          ...presentTicketForCustomer(ticket, createLookups(tx), customFieldRows.list(tx, ticket.siteId)),
          ...(isMerged ? { merged_into: ticket.ulid } : {}),
          messages: messagesOfTicket(tx, ticket.id)
            .filter(({ isInternal }) => !isInternal)
            .map((message) => presentMessageForCustomer(message, thread)),
          attachments: attachments.map((attachment) => presentAttachment(attachment, call.edge.links, call.ctx.now)),
        };
      });
      return jsonReply(200, { data });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/public/tickets/{ulid}/messages',
    id: 'replyAsCustomer',
    tag: 'Ingest',
    summary: "Add a customer's reply",
    description: 'A pending, resolved or closed ticket opens again.',
    access: 'thread',
    query: threadQuery,
    body: customerReplyInput,
    answer: {
      status: 201,
      description: 'The reply',
      schema: z.object({ message: z.string(), reply: shapes.customerMessage }),
    },
    errors: [404, 409],
    handle(call) {
      return call.commit((tx) => {
        const { ticket, author, ctx } = enterThread(tx, call);
        const said = replyAsCustomer(tx, ctx, ticket, author, call.body);
        const reply = presentMessageForCustomer(said.message, {
          attachments: [],
          links: call.edge.links,
          now: ctx.now,
        });
        return jsonReply(201, { message: 'Reply added.', reply });
      });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/public/tickets/{ulid}/attachments',
    id: 'attachAsCustomer',
    tag: 'Ingest',
    summary: 'Attach one file',
    description: 'multipart/form-data with one file under the key "file", at most 10 MB; optionally "message_id".',
    access: 'thread',
    query: threadQuery,
    isUpload: true,
    answer: {
      status: 201,
      description: 'The attachment',
      schema: z.object({ message: z.string(), attachment: shapes.attachment }),
    },
    errors: [404, 409, 413, 415],
    async handle(call) {
      // Before a byte is taken: whoever may not attach must not fill the disk.
      call.edge.desk.read((tx) => {
        enterThread(tx, call);
        return null;
      });
      const upload = await receiveUpload(call);
      const messageId = parseMessageId(upload.fields.message_id);
      return keepUpload(call, upload, (tx, file) => {
        const { ticket, ctx } = enterThread(tx, call);
        return attachAsCustomer(tx, ctx, ticket, file, messageId);
      });
    },
  }),
];

/** The id in a multipart field, or null. */
export function parseMessageId(text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  return parseId(text) ?? Number.NaN;
}

/** Names the staged file, then writes its row; takes the file away again when the row is refused. */
export async function keepUpload(
  call: Call,
  upload: Awaited<ReturnType<typeof receiveUpload>>,
  attach: (tx: Tx, file: Parameters<typeof attachAsCustomer>[3]) => ReturnType<typeof attachAsCustomer>,
) {
  const { staged, filename, contentType } = upload;
  const ulid = newUlid(call.ctx.now);
  let isKept = false;
  try {
    if (Number.isNaN(parseMessageId(upload.fields.message_id)))
      throw invalid('message_id', 'must be the id of a message.');
    await staged.keep(ulid);
    const fingerprint = `${filename}\n${staged.sha256}\n${upload.fields.message_id ?? ''}`;
    return await call.commit((tx) => {
      const attachment = attach(tx, { ulid, filename, contentType, size: staged.size, sha256: staged.sha256 });
      isKept = true;
      const shown = presentAttachment(attachment, call.edge.links, call.ctx.now);
      // Whoever opened the thread reads it.
      return jsonReply(201, { message: 'File attached.', attachment: call.site ? shown : visible(call, shown) });
    }, fingerprint);
  } catch (error) {
    isKept = mayBeStored(error);
    throw error;
  } finally {
    if (!isKept) {
      await staged.discard();
      await call.edge.blobs.remove(ulid);
    }
  }
}
