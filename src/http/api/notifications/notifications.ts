// Notifications of the agent who asks, and the tickets that they follow (docs/spec/notifications.md).

import * as z from 'zod';
import { markNotifications, readerOf, setFollowing } from '../../../desk/notifications/inbox.ts';
import { changePreferences, ownPreferences } from '../../../desk/notifications/preferences.ts';
import { unsubscribe } from '../../../desk/notifications/unsubscribe.ts';
import { followingInput, preferencesInput, readInput } from '../../../domain/input/notifications.ts';
import { followings, notificationKinds } from '../../../domain/notifications/notification.ts';
import { preferencesPath } from '../../../domain/notifications/preferences.ts';
import { listNotifications, mostCounted, unreadOf } from '../../../store/notifications/notifications.ts';
import { answered, type Operation, operation } from '../../operation.ts';
import { ownActor } from '../../session-call.ts';
import { notificationShape, presentNotification } from '../../wire/notifications/notification.ts';
import { preferencesShape, presentPreferences } from '../../wire/notifications/preferences.ts';
import { boolean, list, number } from '../../wire/queries.ts';
import { emptyReply, jsonReply, mostPerPage } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { ticketName } from '../parameters.ts';

const own = { tag: 'Notifications', access: 'session', ability: 'read' } as const;
const usualPage = 50;

const unsubscribing = { path: '/api/v1/unsubscribe/{token}', tag: 'Notifications', access: 'signed' } as const;

export const notificationOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/notifications',
    id: 'listNotifications',
    ...own,
    summary: 'List your notifications',
    description: `Newest first, of 90 days. unread counts up to ${mostCounted}. What you may no longer see is left out.`,
    query: z.object({
      unread: boolean().optional(),
      kind: list(z.enum(notificationKinds)).optional(),
      cursor: number().optional().meta({ description: 'meta.next_cursor of the previous page.' }),
      per_page: number().optional(),
    }),
    answer: answered(
      200,
      'One page',
      z.object({
        data: z.array(notificationShape),
        meta: z.object({ unread: z.int(), per_page: z.int(), next_cursor: z.string().nullable() }),
      }),
    ),
    read(tx, call) {
      const { query } = call;
      const reader = readerOf(ownActor(call));
      const perPage = Math.min(Math.max(1, query.per_page ?? usualPage), mostPerPage);
      const asked = { isUnread: query.unread === true, kinds: query.kind ?? null, before: query.cursor ?? null };
      // One extra row shows whether there is a next page.
      const rows = listNotifications(tx, reader, asked, perPage + 1);
      const shown = rows.slice(0, perPage);
      const next = rows.length > perPage ? String(shown.at(-1)?.id) : null;
      const meta = { unread: unreadOf(tx, reader).unread, per_page: perPage, next_cursor: next };
      return jsonReply(200, { data: shown.map((row) => presentNotification(row, tx)), meta });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/notifications/read',
    id: 'readNotifications',
    ...own,
    summary: 'Mark notifications as read',
    description:
      'By their ids, all about a ticket, or all up to one. Reading a ticket (PUT /tickets/{ticket}/read) reads its own.',
    body: readInput,
    answer: answered(204, 'Marked', null),
    write(tx, call) {
      markNotifications(tx, call.ctx, ownActor(call), call.body);
      return emptyReply(204);
    },
  }),
  operation({
    method: 'GET',
    path: '/api/v1/me/notification-preferences',
    id: 'readNotificationPreferences',
    ...own,
    summary: 'Read where you hear of what',
    answer: answered(200, 'The preferences', shapes.one(preferencesShape)),
    read: (tx, call) => jsonReply(200, { data: presentPreferences(ownPreferences(tx, ownActor(call))) }),
  }),
  operation({
    method: 'PATCH',
    path: '/api/v1/me/notification-preferences',
    id: 'updateNotificationPreferences',
    ...own,
    summary: 'Change where you hear of what',
    description: 'What you leave out keeps its value, also inside events. What the desk has fixed is refused.',
    body: preferencesInput,
    answer: answered(200, 'The preferences', shapes.one(preferencesShape)),
    errors: [404],
    write: (tx, call) =>
      jsonReply(200, { data: presentPreferences(changePreferences(tx, call.ctx, ownActor(call), call.body)) }),
  }),
  operation({
    method: 'POST',
    ...unsubscribing,
    id: 'unsubscribe',
    summary: 'Switch off one kind of mail',
    description: 'For mail programs: List-Unsubscribe of a mail names it (RFC 8058).',
    answer: answered(204, 'Switched off', null),
    errors: [404, 409],
    write(tx, call) {
      unsubscribe(tx, { ...call.ctx, actor: { kind: 'desk' } }, call.params.token ?? '');
      return emptyReply(204);
    },
  }),
  operation({
    method: 'GET',
    ...unsubscribing,
    id: 'openUnsubscribe',
    summary: 'Go to the preferences',
    description: 'For browsers that open the link of a mail. It changes nothing: some programs open every link.',
    answer: answered(303, 'The preferences', null),
    handle: async ({ edge }) =>
      new Response(null, { status: 303, headers: { Location: `${edge.baseUrl}${preferencesPath}` } }),
  }),
  operation({
    method: 'PUT',
    path: '/api/v1/tickets/{ticket}/following',
    id: 'followTicket',
    tag: 'Tickets',
    access: 'session',
    ability: 'read',
    summary: 'Follow or mute a ticket for yourself',
    description:
      'Followers hear when a customer writes. Of a muted ticket you hear only when it is assigned to you or someone mentions you.',
    body: followingInput,
    answer: answered(200, 'As it is now', shapes.one(z.object({ following: z.enum(followings) }))),
    errors: [404],
    write(tx, call) {
      setFollowing(tx, call.ctx, ownActor(call), ticketName(call), call.body);
      return jsonReply(200, { data: call.body });
    },
  }),
];
