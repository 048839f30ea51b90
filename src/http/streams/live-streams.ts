// The stream of a console: events, and besides them who is present, what became of mails, and how many tickets each view has.

import { version } from '../../base/version.ts';
import { type AgentActor, includesSite, rightsOf, type Scope, scopeOf } from '../../domain/actor.ts';
import type { TicketPresence } from '../../domain/tickets/presence.ts';
import { newestEventSeq } from '../../store/events.ts';
import type { Call } from '../operation.ts';
import { ownActor } from '../session-call.ts';
import { viewCounts } from '../wire/lists/view-counts.ts';
import { presentPresence } from '../wire/tickets/presence.ts';
import { encodeEvent } from './event-pages.ts';
import { createLiveCounts } from './live-counts.ts';
import type { LiveFeed } from './live-feed.ts';
import { createLiveMail } from './live-mail.ts';
import { createLiveNotifications } from './live-notifications.ts';
import { openStream, streamsOf } from './open-stream.ts';
import { createMirror, mirrorPresence } from './replica-presence.ts';
import type { Follower } from './stream.ts';

/** A reader that missed more reads its lists again instead. */
const mostMissed = 500;
const nothing = new Uint8Array();

interface LiveStreams {
  open(call: Call, after: number | null): Response;
  look(call: Call): Promise<object>;
}

function inScope(scope: Scope, tickets: readonly TicketPresence[]): readonly TicketPresence[] {
  return tickets.filter(({ siteId }) => includesSite(scope, siteId));
}

function readHello(call: Call, after: number | null) {
  const { all, own } = call.edge.desk.read((tx) => ({
    all: newestEventSeq(tx),
    own: newestEventSeq(tx, scopeOf(call.actor)),
  }));
  const actor = ownActor(call);
  // A desk that was restored from a backup can have fewer events than its readers have seen.
  const isBehind = after !== null && (after > all || all - after > mostMissed);
  return {
    start: after === null || isBehind ? all : after,
    hello: { newest_seq: own, version, agent_id: actor.agentId, rights: rightsOf(actor), is_behind: isBehind },
  };
}

function createLiveStreams(call: Call, feed: LiveFeed): LiveStreams {
  const { cluster, presence } = call.edge;
  const streams = streamsOf(call, feed);
  const followers = new Map<Follower, AgentActor>();
  const mirror = cluster && createMirror(cluster, presence, () => followers.size > 0);
  const toAgent = (agentId: number, bytes: Uint8Array) =>
    streams.tell((follower) => (followers.get(follower)?.agentId === agentId ? bytes : null));
  const counts = createLiveCounts({
    desk: call.edge.desk,
    feed,
    isStopping: call.edge.isStopping,
    tell: toAgent,
  });
  const notifications = createLiveNotifications({
    desk: call.edge.desk,
    feed,
    isStopping: call.edge.isStopping,
    tell: toAgent,
  });
  const mail = createLiveMail({
    desk: call.edge.desk,
    feed,
    isStopping: call.edge.isStopping,
    tell: (bytesFor) => streams.tell((follower) => (followers.has(follower) ? bytesFor(follower.scope) : null)),
  });

  presence.onChange((changed) => {
    const ofScope = new Map<string, Uint8Array | null>();
    const bytesOf = (scope: Scope) => {
      const frames = inScope(scope, changed).map((one) => encodeEvent('presence', presentPresence(one)));
      return frames.length === 0 ? null : Buffer.concat(frames);
    };
    streams.tell((follower) => {
      if (!followers.has(follower)) return null;
      const name = String(follower.scope);
      const bytes = ofScope.has(name) ? ofScope.get(name) : bytesOf(follower.scope);
      ofScope.set(name, bytes ?? null);
      return bytes ?? null;
    });
  });

  const everyone = (scope: Scope) => inScope(scope, presence.all()).map(presentPresence);

  return {
    open(call, after) {
      const { start, hello } = readHello(call, after);
      const actor = ownActor(call);
      let isGreeted = false;
      return openStream(call, feed, start, {
        hello: encodeEvent('hello', hello),
        greeting() {
          const present = encodeEvent('present', { tickets: everyone(actor.scope) });
          const counted = counts.last(actor.agentId) ?? nothing;
          const missed = isGreeted ? mail.recent(actor.scope) : nothing;
          isGreeted = true;
          return Buffer.concat([present, counted, notifications.now(actor), missed]);
        },
        leftOut: () => encodeEvent('behind', { newest_seq: readHello(call, null).hello.newest_seq }),
        onOpen(follower) {
          followers.set(follower, actor);
          counts.follow(actor);
          notifications.follow(actor);
          mail.follow();
          mirror?.();
        },
        onEnd(follower) {
          if (!followers.delete(follower)) return;
          counts.leave(actor.agentId);
          notifications.leave(actor.agentId);
          mail.leave();
        },
      });
    },
    async look(call) {
      if (cluster !== null) await mirrorPresence(cluster, presence);
      const { newest_seq, agent_id } = readHello(call, null).hello;
      const counted = await viewCounts(call.edge.desk, call.ctx, null);
      return { newest_seq, version, agent_id, presence: everyone(scopeOf(call.actor)), counts: counted };
    },
  };
}

const ofFeed = new WeakMap<LiveFeed, LiveStreams>();

export function liveStreamsOf(call: Call, feed: LiveFeed): LiveStreams {
  const known = ofFeed.get(feed);
  if (known) return known;
  const made = createLiveStreams(call, feed);
  ofFeed.set(feed, made);
  return made;
}
