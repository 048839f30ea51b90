// What agents with an open console have not read yet. It is read from the table, so whichever process wrote it does not matter.

import type { Desk } from '../../desk/desk.ts';
import { readerOf } from '../../desk/notifications/inbox.ts';
import { ownPreferences } from '../../desk/notifications/preferences.ts';
import type { AgentActor } from '../../domain/actor.ts';
import { isOn, mayRing } from '../../domain/notifications/preferences.ts';
import type { Tx } from '../../engine/database.ts';
import { readDeskSettings } from '../../store/desk-settings.ts';
import { agentsWithNews, listNotifications, newestMoments, unreadOf } from '../../store/notifications/notifications.ts';
import { agentById } from '../../store/people/agents.ts';
import { presentNotification } from '../wire/notifications/notification.ts';
import { encodeEvent } from './event-pages.ts';
import type { LiveFeed } from './live-feed.ts';

interface LiveNotificationsOptions {
  desk: Desk;
  feed: LiveFeed;
  isStopping(): boolean;
  tell(agentId: number, bytes: Uint8Array): void;
}

interface LiveNotifications {
  follow(actor: AgentActor): void;
  leave(agentId: number): void;
  now(actor: AgentActor): Uint8Array;
}

const everyMs = 200;
const idleMs = 60_000;
const mostShown = 10;

/** With the newest: a console tells of those that it has not told of, also after a cut. */
function unreadNow(tx: Tx, actor: AgentActor) {
  const reader = readerOf(actor);
  const { preferences } = ownPreferences(tx, actor);
  const timeZone = agentById(tx, actor.agentId)?.timeZone ?? readDeskSettings(tx).timeZone;
  const rows = listNotifications(tx, reader, { isUnread: true, kinds: null, before: null }, mostShown);
  return {
    unread: unreadOf(tx, reader).unread,
    newest: rows.map((row) => {
      const rings = mayRing(preferences, row.kind, row.createdAt, timeZone);
      const by = (place: 'desktop' | 'sound') => rings && isOn(preferences, place, row.kind);
      return { ...presentNotification(row, tx), desktop: by('desktop'), sound: by('sound') };
    }),
  };
}

const encoded = (desk: Desk, actor: AgentActor) =>
  encodeEvent(
    'notifications',
    desk.read((tx) => unreadNow(tx, actor)),
  );

export function createLiveNotifications({ desk, feed, isStopping, tell }: LiveNotificationsOptions): LiveNotifications {
  const agents = new Map<number, { actor: AgentActor; streams: number; told: string }>();
  let seen = { id: 0, readAt: 0 };
  let isRunning = false;
  let wake = new AbortController();

  const signature = (actor: AgentActor) => {
    const { unread, newestId } = desk.read((tx) => unreadOf(tx, readerOf(actor)));
    return `${unread} ${newestId}`;
  };

  function look(): void {
    const { newest, changed } = desk.read((tx) => {
      const newest = newestMoments(tx) ?? seen;
      const isSame = newest.id === seen.id && newest.readAt === seen.readAt;
      return { newest, changed: isSame ? [] : agentsWithNews(tx, seen.id, seen.readAt) };
    });
    seen = newest;
    for (const agentId of changed) {
      const own = agents.get(agentId);
      const now = own && signature(own.actor);
      if (own === undefined || now === undefined || now === own.told) continue;
      own.told = now;
      tell(agentId, encoded(desk, own.actor));
    }
  }

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    while (agents.size > 0 && !isStopping()) {
      let isBehind = true;
      try {
        const generation = desk.generation();
        look();
        await new Promise((resolve) => setTimeout(resolve, everyMs));
        isBehind = generation !== desk.generation();
      } catch {
        // A disk that cannot be read now, or a right that ended: the next round tells.
        await new Promise((resolve) => setTimeout(resolve, everyMs));
      }
      if (isBehind || agents.size === 0 || isStopping()) continue;
      wake = new AbortController();
      await feed.next(idleMs, wake.signal);
    }
    isRunning = false;
  }

  return {
    follow(actor) {
      const known = agents.get(actor.agentId);
      if (known !== undefined) {
        known.streams += 1;
        return;
      }
      if (agents.size === 0) seen = desk.read(newestMoments) ?? seen;
      agents.set(actor.agentId, { actor, streams: 1, told: signature(actor) });
      void run();
    },
    leave(agentId) {
      const known = agents.get(agentId);
      if (known === undefined) return;
      known.streams -= 1;
      if (known.streams > 0) return;
      agents.delete(agentId);
      if (agents.size === 0) wake.abort();
    },
    now: (actor) => encoded(desk, actor),
  };
}
