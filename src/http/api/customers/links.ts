// Customers open a link (docs/spec/customer.md#links).

import * as z from 'zod';
import { findLink } from '../../../desk/customers/links.ts';
import { tradeLink } from '../../../desk/customers/visits.ts';
import { askForMail } from '../../../desk/outbox/asked-mails.ts';
import { guessKey } from '../../credentials/authenticate.ts';
import { answered, type Operation, operation } from '../../operation.ts';
import { tradedShape } from '../../wire/customers/customer.ts';
import { jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { answerVisit } from './started-visit.ts';
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
    answer: answered(200, 'Where the ticket is, with its cookie', shapes.one(tradedShape)),
    errors: [404],
    async handle(call) {
      const { edge, ctx, body } = call;
      // Wrong tokens write nothing.
      edge.desk.read((tx) => {
        findLink(tx, ctx, body.ticket, body.token);
        return null;
      });
      return await answerVisit(call, (tx) => tradeLink(tx, ctx, body.ticket, body.token));
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
    answer: answered(202, 'Taken', z.object({})),
    async handle({ edge, ctx, body, guesser }) {
      edge.limits.signInFailures.take(guessKey(guesser), edge.desk.now());
      return await edge.desk.write((tx) => {
        askForMail(tx, ctx, { kind: 'link', ticket: body.ticket });
        return jsonReply(202, {});
      });
    },
  }),
];
