// The agent surface: what tickets of sites can be given, of several sites in one answer (docs/spec/api.md#sites).

import * as z from 'zod';
import { deskAddress } from '../../../desk/outbox/own-server.ts';
import { ticketChoices } from '../../../desk/sites/ticket-choices.ts';
import { answered, type Operation, operation } from '../../operation.ts';
import * as query from '../../wire/queries.ts';
import { jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { presentTicketChoices, ticketChoicesShape } from '../../wire/sites/ticket-choices.ts';

export const ticketChoiceOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/ticket-choices',
    id: 'readTicketChoices',
    tag: 'Sites',
    access: 'team',
    ability: 'read',
    summary: 'Read what tickets of sites can be given',
    description:
      'All lists of the sites in one answer; a site that you do not see is left out. Agents, teams and macros stand once, in the order of their own lists, and each site has the ids of its own.',
    query: z.object({ sites: z.array(query.name()).min(1).max(1000) }),
    answer: answered(200, 'The lists', shapes.one(ticketChoicesShape)),
    read(tx, call) {
      const found = ticketChoices(tx, call.ctx, call.query.sites, query.wholeListRows);
      return jsonReply(200, { data: presentTicketChoices(found, call.ctx, deskAddress(tx, call.ctx)) });
    },
  }),
];
