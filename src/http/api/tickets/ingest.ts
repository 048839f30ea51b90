// The ingest surface, for a site's application (docs/spec/api.md#ingest).

import * as z from 'zod';
import type { Context } from '../../../desk/context.ts';
import { replaceAccessToken, ticketsOfUser } from '../../../desk/customers/user-tickets.ts';
import { attachAsCustomer } from '../../../desk/tickets/attachments.ts';
import { openThread } from '../../../desk/tickets/find-ticket.ts';
import { replyAsCustomer } from '../../../desk/tickets/replies.ts';
import { openTicket } from '../../../desk/tickets/tickets.ts';
import { DeskError } from '../../../domain/errors.ts';
import { customerReplyInput, ingestTicketInput, userInput } from '../../../domain/input/tickets.ts';
import { customersRules } from '../../../domain/tickets/files.ts';
import type { Tx } from '../../../engine/database.ts';
import { categoryRows, customFieldRows, priorityRows } from '../../../store/sites/catalogue.ts';
import { type Site, siteById } from '../../../store/sites/sites.ts';
import { publicAttachmentsOf } from '../../../store/tickets/messages.ts';
import { longAnswer } from '../../long-answer.ts';
import { answered, type Call, type Operation, operation } from '../../operation.ts';
import { presentFileRules } from '../../wire/customers/portal.ts';
import { createLookups } from '../../wire/lookups.ts';
import * as query from '../../wire/queries.ts';
import { jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import {
  categoryShape,
  customFieldShape,
  presentCategory,
  presentCustomField,
  presentPriority,
  priorityShape,
} from '../../wire/sites/catalogue.ts';
import { customerMessageShape, presentMessageForCustomer } from '../../wire/tickets/message.ts';
import { attachmentList, messagesForCustomer } from '../../wire/tickets/thread.ts';
import {
  customerThreadShape,
  customerTicketShape,
  presentTicketForCustomer,
  userTicketShape,
} from '../../wire/tickets/ticket.ts';
import { pageReply } from '../lists.ts';
import { attachUpload, uploadAnswer, uploadErrors } from './uploaded-file.ts';

const bySite = { tag: 'Ingest', access: 'site' } as const;
const inThread = { tag: 'Ingest', access: 'thread' } as const;

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
    ...bySite,
    summary: 'Read what a form for new tickets needs',
    description:
      'Build your form from this instead of repeating ids: categories and priorities to choose from, fields to ask for, and the files that the desk takes. It changes rarely; keep it for a few minutes.',
    answer: answered(
      200,
      'Active categories, priorities and author-visible custom fields, in their order',
      z.object({
        site: z.object({ name: z.string(), slug: z.string(), description: shapes.description() }),
        categories: z.array(categoryShape),
        priorities: z.array(priorityShape),
        custom_fields: z.array(customFieldShape),
        attachments: z.object({ extensions: z.array(z.string()), max_bytes: z.int() }),
      }),
    ),
    handle(call) {
      const { id } = siteOf(call);
      const config = call.edge.desk.read((tx) => {
        const site = siteById(tx, id) ?? siteOf(call);
        return {
          site: { name: site.name, slug: site.slug, description: site.description || null },
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
          attachments: presentFileRules(site),
        };
      });
      return jsonReply(200, config);
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/public/tickets',
    id: 'createTicketFromApplication',
    ...bySite,
    summary: 'Open a ticket',
    description:
      "Call it from your server when a signed-in user asks for help. Send the user's own id as context.user.external_id: it makes the author verified, and lets you list their tickets later. Keep the ticket's ulid and the access token with your user: the token opens the thread. Send an Idempotency-Key, so that a repeated request opens no second ticket. With is_test, no one is notified.",
    body: ingestTicketInput,
    answer: answered(
      201,
      'The ticket as the customer sees it, and its access token, which is shown only in this answer',
      z.object({ message: z.string(), ticket: customerTicketShape, access_token: z.string() }),
    ),
    errors: [409],
    handle(call) {
      const site = siteOf(call);
      return call.commitWithOthers((tx) => {
        const opened = openTicket(tx, call.ctx, site, call.body);
        const ticket = presentTicketForCustomer(opened.ticket, createLookups(tx), customFieldRows.list(tx, site.id));
        return jsonReply(201, { message: 'Ticket created.', ticket, access_token: opened.accessToken });
      });
    },
  }),
  operation({
    method: 'GET',
    path: '/api/v1/public/tickets',
    id: 'listTicketsOfUser',
    ...bySite,
    summary: "List one user's tickets",
    description:
      'For a page "My tickets" of your app: what the user with this id of yours opened, newest first, as the customer sees it. An id that the desk does not know has no tickets. Spam is left out, test tickets too unless include_test is true.',
    query: z.object({
      external_id: z
        .string()
        .max(255)
        .optional()
        .meta({ description: "Required. The user's own id, as sent in context.user.external_id." }),
      include_test: query.boolean().optional(),
      ...query.paging,
    }),
    answer: answered(200, 'One page', shapes.page(userTicketShape)),
    handle(call) {
      const { external_id: externalId = '', include_test: withTests = false } = call.query;
      if (externalId.trim() === '') throw new DeskError('malformed', 'The query parameter "external_id" is required.');
      const site = siteOf(call);
      const page = query.pageOf(call.query);
      return call.edge.desk.read((tx) => {
        const range = { withTests, limit: page.perPage, offset: (page.page - 1) * page.perPage };
        const { tickets, total } = ticketsOfUser(tx, site.id, externalId.trim(), range);
        const look = createLookups(tx);
        const fields = customFieldRows.list(tx, site.id);
        const rows = tickets.map((ticket) => ({
          ...presentTicketForCustomer(ticket, look, fields),
          is_test: ticket.isTest,
          merged_into: look.mergedInto(ticket),
        }));
        return pageReply(call, rows, page, total);
      });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/public/tickets/{ulid}/access-token',
    id: 'replaceAccessToken',
    ...bySite,
    summary: 'Make a new access token for a ticket',
    description:
      'When you have lost the access token of a ticket, or someone else may know it. The external_id must be that of the user whose ticket it is. The new token takes the place of the old one at once, and ends the pages that were opened with it.',
    body: userInput,
    answer: answered(
      201,
      'The new access token, which is shown only in this answer',
      z.object({ message: z.string(), access_token: z.string() }),
    ),
    errors: [404],
    write(tx, call) {
      const { external_id: externalId } = call.body;
      const token = replaceAccessToken(tx, call.ctx, siteOf(call).id, call.params.ulid ?? '', externalId);
      return jsonReply(201, { message: 'Access token replaced.', access_token: token });
    },
  }),
  operation({
    method: 'GET',
    path: '/api/v1/public/tickets/{ulid}',
    id: 'readThread',
    ...inThread,
    summary: 'Read a ticket with its public messages and attachments',
    description:
      "For your own page of the thread: only what the customer may see, oldest first, without notes, context and agents' addresses. Links of attachments are valid for 15 minutes: read them again rather than storing them. After a merge it answers with the other ticket and merged_into.",
    query: threadQuery,
    answer: answered(200, 'The ticket', shapes.one(customerThreadShape)),
    errors: [404],
    handle: (call) =>
      longAnswer(call, (view) => {
        const { tx } = view;
        const { ticket, author } = enterThread(tx, call);
        const attachments = publicAttachmentsOf(tx, ticket.id);
        const shown = { links: call.edge.links, now: call.ctx.now };
        const isMerged = ticket.ulid !== call.params.ulid?.toUpperCase();
        return {
          data: () => ({
            ...presentTicketForCustomer(ticket, createLookups(tx), customFieldRows.list(tx, ticket.siteId)),
            ...(isMerged ? { merged_into: ticket.ulid } : {}),
            messages: messagesForCustomer(view, ticket.id, author.id, attachments, shown),
            attachments: attachmentList(attachments, shown),
          }),
        };
      }),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/public/tickets/{ulid}/messages',
    id: 'replyAsCustomer',
    ...inThread,
    summary: 'Reply as the customer',
    description:
      'Adds a message as the author of the ticket. A pending, resolved or closed ticket opens again. Attach files afterwards, with the id of the reply as message_id.',
    query: threadQuery,
    body: customerReplyInput,
    answer: answered(201, 'The reply', z.object({ message: z.string(), reply: customerMessageShape })),
    errors: [404, 409],
    write(tx, call) {
      const { ticket, author, ctx } = enterThread(tx, call);
      const said = replyAsCustomer(tx, ctx, ticket, author, call.body);
      const reply = presentMessageForCustomer(said.message, createLookups(tx, { customerId: author.id }), {
        attachments: [],
        links: call.edge.links,
        now: ctx.now,
      });
      return jsonReply(201, { message: 'Reply added.', reply });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/public/tickets/{ulid}/attachments',
    id: 'attachAsCustomer',
    ...inThread,
    summary: 'Attach a file as the customer',
    description:
      'Send multipart/form-data with one file of at most 10 MB, or what the site allows, under the key "file" and, optionally, "message_id". The same file again within ten minutes answers with the first attachment, if it has no Idempotency-Key.',
    query: threadQuery,
    isUpload: true,
    answer: uploadAnswer,
    errors: uploadErrors,
    async handle(call) {
      // Checked before the body is read, so that only permitted callers can use disk space.
      call.edge.desk.read((tx) => {
        enterThread(tx, call);
        return null;
      });
      return attachUpload(call, customersRules(siteOf(call).settings), (tx, file, messageId) => {
        const { ticket, ctx } = enterThread(tx, call);
        return attachAsCustomer(tx, ctx, ticket, file, messageId);
      });
    },
  }),
];
