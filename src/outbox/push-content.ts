// What a push says, in the language of its agent.

import { pushKeysOf } from '../base/push-keys.ts';
import type { Desk } from '../desk/desk.ts';
import type { DeliveryMaterial } from '../desk/outbox/content.ts';
import type { PushMaterial } from '../desk/outbox/push.ts';
import { dayMs } from '../domain/instant.ts';
import { alarmPaths } from '../domain/notifications/notification.ts';
import { isUrgent, preferencesPath } from '../domain/notifications/preferences.ts';
import type { PushContent } from '../domain/notifications/push.ts';
import { truncate } from '../domain/text.ts';
import { subjectOr } from '../domain/tickets/subject.ts';
import { referenceOf } from '../domain/tickets/ticket.ts';
import { pushWords } from './push-words.ts';
import { encryptPush, vapidHeader } from './web-push.ts';

function pushContentOf(material: DeliveryMaterial, push: PushMaterial): PushContent {
  const { delivery, deskName, ticket } = material;
  const words = pushWords[push.locale];
  const known = { id: delivery.ulid, at: push.news?.createdAt ?? delivery.createdAt };
  if (push.news === null) return { ...known, tag: 'test', title: deskName, body: words.test, path: preferencesPath };
  const { kind } = push.news;
  const body = words.news(kind, push.hasContent ? whoDid(material) : null);
  if (ticket === null)
    return { ...known, tag: kind, title: deskName, body, path: alarmPaths[kind] ?? '/notifications' };
  const reference = referenceOf(ticket.id);
  return {
    ...{ ...known, tag: ticket.ulid, body, path: `/tickets/${ticket.ulid}` },
    title: push.hasContent
      ? truncate(`${reference} ${subjectOr('', ticket.subject)}`.trimEnd(), longestTitle)
      : reference,
  };
}

const longestTitle = 120;
const longestName = 80;

function whoDid({ message, messageAuthor, side, event }: DeliveryMaterial): string | null {
  if (side !== null) return name(side.message.senderName ?? side.message.senderEmail);
  if (message === null) return name(event?.actor.name);
  return name(message.isAgent ? message.agentName : message.authorName || messageAuthor?.name || messageAuthor?.email);
}

const name = (text: string | null | undefined) => (text ? truncate(text, longestName) : null);

/** News of yesterday wakes no one. */
const timeToLiveSeconds = dayMs / 1000;

export function pushRequest(material: DeliveryMaterial, push: PushMaterial, baseUrl: string, desk: Desk) {
  const { endpoint } = push.target;
  const content = pushContentOf(material, push);
  return {
    url: endpoint,
    headers: {
      authorization: vapidHeader(endpoint, baseUrl, pushKeysOf(desk.seal), desk.now()),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(timeToLiveSeconds),
      urgency: push.news !== null && isUrgent(push.news.kind) ? 'high' : 'normal',
      // The push service must not learn which ticket it is.
      topic: desk.seal.fingerprint('push topic', content.tag).slice(0, 32),
    },
    body: encryptPush(JSON.stringify(content), push.target),
  };
}
