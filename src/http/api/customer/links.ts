// Customers open a link (docs/spec/customer.md#links).

import * as z from 'zod';
import { findLink } from '../../../desk/customer/links.ts';
import { requestLink } from '../../../desk/customer/ticket-links.ts';
import { endVisit, tradeLink, visitsBeyond } from '../../../desk/customer/visits.ts';
import { customerLimits } from '../../../domain/customer-link.ts';
import { withCookies } from '../../cookie-answer.ts';
import { limitKey } from '../../credentials/client-address.ts';
import { endedVisitCookie, visitCookie, visitSecretsIn } from '../../credentials/customer-cookie.ts';
import { type Operation, operation } from '../../operation.ts';
import { tradedShape } from '../../wire/customer.ts';
import { jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { tag } from './visit.ts';

const ticket = z
  .string()
  .max(64)
  .meta({ description: 'The ulid in the link.', examples: ['01K4VJ8Q4N7RM2ZC6B0T3XWYDE'] });

export const customerLinkOperations: readonly Operation[] = [
  operation({
    method: 'POST',
    path: '/api/v1/customer/links',
    id: 'openCustomerLink',
    tag,
    summary: 'Open a ticket by its link',
    description:
      'Sets a cookie only for this ticket, for 30 days. `token` is what stands after # in the link, or the access token of the ingest API. Unknown, incomplete, revoked and expired links are answered alike.',
    access: 'customer',
    isNeverRepeated: true,
    body: z.object({
      ticket,
      token: z
        .string()
        .max(512)
        .meta({ examples: ['hdl_3xAmpLe'] }),
    }),
    answer: { status: 200, description: 'Where the ticket is, with its cookie', schema: shapes.one(tradedShape) },
    errors: [404],
    async handle({ edge, ctx, body, header }) {
      const { desk, baseUrl } = edge;
      // Wrong tokens write nothing.
      desk.read((tx) => {
        findLink(tx, ctx, body.ticket, body.token);
        return null;
      });
      const visits = visitSecretsIn(baseUrl, header('cookie'));
      const { ulid, secret, ended } = await desk.write((tx) => {
        const { thread, secret } = tradeLink(tx, ctx, body.ticket, body.token);
        const former = visits.get(thread.ulid);
        if (former !== undefined) endVisit(tx, desk.seal, former);
        visits.delete(thread.ulid);
        const ended = visitsBeyond(tx, desk.seal, visits, customerLimits.visitsOfBrowser - 1, ctx.now);
        for (const name of ended) endVisit(tx, desk.seal, visits.get(name) ?? '');
        return { ulid: thread.ulid, secret, ended };
      });
      return withCookies(jsonReply(200, { data: { ticket: ulid, path: `/t/${ulid}` } }), [
        visitCookie(baseUrl, ulid, secret),
        ...ended.map((name) => endedVisitCookie(baseUrl, name)),
      ]);
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/customer/links/request',
    id: 'requestCustomerLink',
    tag,
    summary: 'Ask for a new link to a ticket',
    description:
      'The desk mails it to the address on the ticket, three times an hour at most. The answer and its timing do not show whether the ticket exists.',
    access: 'customer',
    isNeverRepeated: true,
    body: z.object({ ticket }),
    answer: { status: 202, description: 'Taken', schema: z.object({}) },
    handle({ edge, ctx, body }) {
      edge.limits.signInFailures.take(limitKey(ctx.address ?? ''), edge.desk.now());
      // Not waited for, so that the answer takes as long for every ticket.
      edge.desk
        .write((tx) => {
          requestLink(tx, ctx, body.ticket);
          return null;
        })
        .catch((error) => edge.reportFault(error, 'a link for a customer could not be queued'));
      return jsonReply(202, {});
    },
  }),
];
