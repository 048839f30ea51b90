// Customers say how the help was (docs/spec/customer.md#satisfaction).

import * as z from 'zod';
import { findRatable, rateTicket, requireRatable } from '../../../desk/customers/satisfaction.ts';
import { actorOf } from '../../../desk/customers/visits.ts';
import { notFound } from '../../../domain/errors.ts';
import { ratingInput } from '../../../domain/input/tickets.ts';
import { answered, type Edge, type Operation, operation } from '../../operation.ts';
import { presentRatable } from '../../wire/customers/customer.ts';
import { givenRatingShape, presentGivenRating } from '../../wire/customers/rating.ts';
import { jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { enterToWrite, tag, visitQuery } from './visit.ts';

const given = answered(200, 'What the customer said', shapes.one(givenRatingShape));
const maxBodyBytes = 32 * 1024;

/** For the page of a link in a mail. Null for one that is unknown or has ended. */
export function readRatable({ desk }: Edge, link: string, secret: string) {
  const ctx = { seal: desk.seal, now: desk.now() };
  return desk.read((tx) => {
    const found = findRatable(tx, ctx, link, secret);
    return found && presentRatable(found, ctx.now);
  });
}

export const customerRatingOperations: readonly Operation[] = [
  operation({
    method: 'POST',
    path: '/api/v1/customer/ratings',
    id: 'rateByMail',
    tag,
    summary: 'Say how the help was, by the link in a mail',
    description:
      'Once for each ticket; it can be changed for 14 days, then 409. `link` and `token` are the two last parts of the address of the page. Unknown, incomplete, revoked and expired links are answered alike.',
    access: 'customer',
    isNeverRepeated: true,
    maxBodyBytes,
    body: ratingInput.extend({
      link: z
        .string()
        .max(64)
        .meta({ examples: ['01K4VJ8Q4N7RM2ZC6B0T3XWYDE'] }),
      token: z
        .string()
        .max(512)
        .meta({ examples: ['hdr_3xAmpLe'] }),
    }),
    answer: given,
    errors: [404],
    async handle({ edge, ctx, body }) {
      const { link, token, ...said } = body;
      // Wrong tokens write nothing.
      if (readRatable(edge, link, token) === null) throw notFound('ticket');
      return await edge.desk.write((tx) => {
        const found = findRatable(tx, ctx, link, token);
        if (found === null) throw notFound('ticket');
        const { thread, author } = found;
        return jsonReply(200, {
          data: presentGivenRating(rateTicket(tx, { ...ctx, actor: actorOf(author) }, thread, said)),
        });
      });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/customer/ticket/satisfaction',
    id: 'rateByLink',
    tag,
    summary: 'Say how the help was, on the page of a ticket',
    description:
      'Only for the author of the ticket, once it was resolved. It can be changed for 14 days, then 409. 403 confirm_address until the address is confirmed.',
    access: 'visit',
    query: visitQuery,
    maxBodyBytes,
    body: ratingInput,
    answer: given,
    errors: [403, 404],
    write(tx, call) {
      const { visit, speaker, ctx } = enterToWrite(tx, call);
      const ticket = requireRatable(visit, speaker, ctx.now);
      return jsonReply(200, { data: presentGivenRating(rateTicket(tx, ctx, ticket, call.body)) });
    },
  }),
];
