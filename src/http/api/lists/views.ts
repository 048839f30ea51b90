// Views of the ticket list, and what an agent has read (docs/spec/console.md).

import * as z from 'zod';
import { arrangeViews, changeView, createView, removeView } from '../../../desk/lists/views.ts';
import { markTicket } from '../../../desk/tickets/read-marks.ts';
import { viewChangeInput, viewInput, viewOrderInput } from '../../../domain/input/views.ts';
import { answered, type Call, type Operation, operation } from '../../operation.ts';
import { ownActor } from '../../session-call.ts';
import { viewCounts, viewCountsShape } from '../../wire/lists/view-counts.ts';
import { presentView, presentViews, queryOfView, viewShape } from '../../wire/lists/views.ts';
import { site } from '../../wire/queries.ts';
import { emptyReply, jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { idOf, ticketName } from '../parameters.ts';

const reading = { access: 'team', ability: 'read' } as const;

const tag = 'Views';
const viewId = (call: Call) => idOf(call, 'view');

function marks(method: 'PUT' | 'DELETE', as: 'read' | 'unread'): Operation {
  return operation({
    method,
    path: '/api/v1/tickets/{ticket}/read',
    id: as === 'read' ? 'markRead' : 'markUnread',
    tag: 'Tickets',
    summary: `Mark a ticket as ${as} for yourself`,
    access: 'session',
    ability: 'read',
    answer: answered(204, 'Marked', null),
    errors: [404],
    write(tx, call) {
      markTicket(tx, call.ctx, ownActor(call), ticketName(call), as);
      return emptyReply(204);
    },
  });
}

export const viewOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/views',
    id: 'listViews',
    tag,
    summary: 'List views',
    description:
      'The built-in views, then your own and the shared ones in your order. The filter of a view has the names and types of the query of GET /tickets. A token gets the views that are the same for everyone.',
    ...reading,
    answer: answered(200, 'All views', z.object({ data: z.array(viewShape) })),
    read: (tx, call) => jsonReply(200, { data: presentViews(tx, call.ctx) }),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/views',
    id: 'createView',
    tag,
    summary: 'Save a view',
    description:
      'Private unless is_shared is true, which needs the ability to write. The views of tokens are always shared.',
    ...reading,
    body: viewInput,
    answer: answered(201, 'The view', z.object({ message: z.string(), data: viewShape })),
    errors: [403, 404],
    handle: (call) => {
      queryOfView(call.body.filter);
      return call.commit((tx) => {
        const view = createView(tx, call.ctx, call.body);
        return jsonReply(201, { message: 'View saved.', data: presentView(view, call.ctx) });
      });
    },
  }),
  operation({
    method: 'GET',
    path: '/api/v1/views/counts',
    id: 'countViews',
    tag,
    summary: 'Count the tickets of each view',
    description: 'By key of the view, of one site or of all. Up to 1,000; is_capped says that there are more.',
    ...reading,
    query: z.object({ site_id: site().optional() }),
    answer: answered(200, 'All counts', z.object({ data: viewCountsShape })),
    errors: [404],
    handle: async (call) =>
      jsonReply(200, { data: await viewCounts(call.edge.desk, call.ctx, call.query.site_id ?? null) }),
  }),
  operation({
    method: 'PATCH',
    path: '/api/v1/views/order',
    id: 'orderViews',
    tag,
    summary: 'Order the saved views for yourself',
    description: 'Views that the order leaves out follow by age.',
    access: 'session',
    ability: 'read',
    body: viewOrderInput,
    answer: answered(200, 'All views', z.object({ data: z.array(viewShape) })),
    write(tx, call) {
      arrangeViews(tx, call.ctx, ownActor(call).agentId, call.body.order);
      return jsonReply(200, { data: presentViews(tx, call.ctx) });
    },
  }),
  operation({
    method: 'PATCH',
    path: '/api/v1/views/{id}',
    id: 'updateView',
    tag,
    summary: 'Update a view',
    description: 'Your own views; shared ones with the ability to manage.',
    ...reading,
    body: viewChangeInput,
    answer: answered(200, 'The updated view', shapes.one(viewShape)),
    errors: [403, 404],
    handle: (call) => {
      if (call.body.filter !== undefined) queryOfView(call.body.filter);
      return call.commit((tx) =>
        jsonReply(200, { data: presentView(changeView(tx, call.ctx, viewId(call), call.body), call.ctx) }),
      );
    },
  }),
  operation({
    method: 'DELETE',
    path: '/api/v1/views/{id}',
    id: 'deleteView',
    tag,
    summary: 'Delete a view',
    description: 'Your own views; shared ones with the ability to manage.',
    ...reading,
    answer: answered(204, 'Deleted', null),
    errors: [403, 404],
    write(tx, call) {
      removeView(tx, call.ctx, viewId(call));
      return emptyReply(204);
    },
  }),
  marks('PUT', 'read'),
  marks('DELETE', 'unread'),
];
