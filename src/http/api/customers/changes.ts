// A customer's page follows its ticket (docs/spec/customer.md#a-ticket-by-its-link).

import * as z from 'zod';
import { answered, type Operation, operation } from '../../operation.ts';
import { customerStreamsOf } from '../../streams/customer-streams.ts';
import type { LiveFeed } from '../../streams/live-feed.ts';
import { isStreamAsked } from '../../streams/open-stream.ts';
import { versionForCustomer } from '../../wire/customers/customer.ts';
import { jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { tag, visitOf, visitQuery } from './visit.ts';

export const customerChangeOperations = (feed: LiveFeed): readonly Operation[] => [
  operation({
    method: 'GET',
    path: '/api/v1/customer/ticket/changes',
    id: 'followCustomerTicket',
    tag,
    summary: 'Follow a ticket by the cookie of its link',
    description:
      'With Accept: text/event-stream, a stream of changed events with the version of GET /customer/ticket: one at the beginning, and one after every change that the customer can see. A visit has three streams at most; 503 when there are too many. Otherwise one look at the version.',
    access: 'visit',
    query: visitQuery,
    answer: answered(200, 'The version now', shapes.one(z.object({ version: z.int() })), {
      orText: 'text/event-stream',
    }),
    handle(call) {
      const visit = visitOf(call);
      if (isStreamAsked(call)) return customerStreamsOf(call, feed).open(call, visit);
      return call.edge.desk.read((tx) => jsonReply(200, { data: { version: versionForCustomer(tx, visit) } }));
    },
  }),
];
