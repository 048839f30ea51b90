// Follows what happens at the desk. One tab of the browser does, and tells the others.

import { effect } from '@preact/signals';
import type * as z from 'zod';
import type { ticketPresenceShape } from '../../../http/wire/tickets/presence.ts';
import { chance, timer } from '../../shared/clock.ts';
import { askForStream, createEventStream, type Frame, type StreamState } from '../../shared/event-stream.ts';
import { isSessionOver, onReach } from '../../shared/signed-in.ts';
import type { WireEvent } from '../wire.ts';
import { createElection, type Word } from './election.ts';
import { type Counts, type Hello, listeners, type MailState, onMissed, type Present, progress, told } from './live.ts';
import { createLockElection } from './lock-election.ts';
import { createReach } from './reach.ts';
import { type Unread, unread } from './unread.ts';

type TicketPresence = z.output<typeof ticketPresenceShape>;

interface Standing {
  connection: StreamState;
  at: number | null;
}

type Said =
  | (Word & { standing?: Standing })
  | { kind: 'frame'; from: string; frame: Frame; before: number | null; askedAfter: number | null }
  | {
      kind: 'all';
      from: string;
      viewing: [string, Present[]][];
      counts: Counts;
      hello: Hello | null;
      unread: Unread | null;
    }
  | { kind: 'signed-in'; from: string }
  | { kind: 'left'; from: string; ticket: string };

const offlineSettlesMs = 250;
const probeMs = 5000;

const own = `${timer.now()}.${chance()}`;
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('helpdesk.live');
let isLeader = false;
let askedAfter: number | null = null;

function say(message: Said): void {
  channel?.postMessage(message);
}

const stream = createEventStream({
  open(signal) {
    askedAfter = progress.after();
    return askForStream(askedAfter === null ? '/live' : `/live?after=${askedAfter}`, signal);
  },
  timer,
  chance,
  onFrame(frame) {
    const before = progress.seen();
    apply(frame, askedAfter);
    say({ kind: 'frame', from: own, frame, before, askedAfter });
  },
  onState(next) {
    told.connection.value = next;
    election.announce();
  },
});

const tab = {
  id: own,
  say: (word: Word) =>
    say(
      word.kind === 'here' ? { ...word, standing: { connection: told.connection.peek(), at: progress.seen() } } : word,
    ),
  onRole(leads: boolean) {
    isLeader = leads;
    if (leads) stream.start();
    else stream.stop();
  },
};

const election =
  'locks' in navigator
    ? createLockElection({ ...tab, locks: navigator.locks })
    : createElection({ ...tab, timer, chance, isVisible: () => document.visibilityState === 'visible' });

function apply({ event, seq, data }: Frame, after: number | null): void {
  if (seq !== null) {
    if (progress.take(seq)) for (const listen of listeners.event) listen(data as WireEvent);
  } else if (event === 'hello') {
    const said = data as Hello;
    told.hello.value = said;
    progress.noteRights(said.rights);
    progress.begin(after, said.newest_seq, said.is_behind);
  } else if (event === 'behind') progress.skip((data as { newest_seq: number }).newest_seq);
  else if (event === 'present') {
    const { tickets } = data as { tickets: TicketPresence[] };
    told.everyone.value = new Map(tickets.map(({ ticket, agents }) => [ticket, agents]));
  } else if (event === 'presence') {
    const { ticket, agents } = data as TicketPresence;
    const next = new Map(told.everyone.peek());
    if (agents.length === 0) next.delete(ticket);
    else next.set(ticket, agents);
    told.everyone.value = next;
  } else if (event === 'delivery') for (const listen of listeners.delivery) listen(data as MailState);
  else if (event === 'counts') told.counts.value = data as Counts;
  else if (event === 'notifications') unread.value = data as Unread;
}

function hear(message: Said): void {
  switch (message.kind) {
    case 'frame':
      if (message.frame.seq !== null || message.frame.event !== 'hello') progress.expect(message.before);
      apply(message.frame, message.askedAfter);
      break;
    case 'all':
      if (isLeader) break;
      told.everyone.value = new Map(message.viewing);
      told.counts.value = message.counts;
      unread.value = message.unread;
      if (message.hello !== null) {
        told.hello.value = message.hello;
        progress.noteRights(message.hello.rights);
      }
      break;
    case 'signed-in':
      signedIn();
      break;
    case 'left':
      for (const listen of listeners.left) listen(message.ticket);
      break;
    default:
      hearWord(message);
  }
}

function hearWord(word: Word & { standing?: Standing }): void {
  election.hear(word);
  if (word.kind === 'here' && !isLeader && word.standing !== undefined) {
    told.connection.value = word.standing.connection;
    progress.expect(word.standing.at);
  }
  if (word.kind === 'who' && isLeader)
    say({
      kind: 'all',
      from: own,
      viewing: [...told.everyone.peek()],
      counts: told.counts.peek(),
      hello: told.hello.peek(),
      unread: unread.peek(),
    });
}

function signedIn(): void {
  isSessionOver.value = false;
  if (isLeader) stream.reconnect();
  for (const listen of listeners.signedIn) listen();
}

export function tellSignedIn(): void {
  say({ kind: 'signed-in', from: own });
  signedIn();
}

export function tellLeft(ticket: string): void {
  say({ kind: 'left', from: own, ticket });
}

export const isLeading = (): boolean => isLeader;

/** Something was asked for in vain and is not sent again by itself. */
let isReadMissed = false;

const reach = createReach({
  timer,
  chance,
  async probe() {
    try {
      const { status } = await fetch('/healthz', {
        method: 'HEAD',
        cache: 'no-store',
        signal: AbortSignal.timeout(probeMs),
      });
      return status < 500;
    } catch {
      return false;
    }
  },
  onState(state) {
    const wasAway = told.reach.peek() === 'away';
    told.reach.value = state;
    if (state !== 'here') return;
    // It waits for its next try, or hangs without knowing. One that only broke off comes back in its own time.
    if (isLeader && wasAway && told.connection.peek() !== 'live') stream.reconnect();
    if (isReadMissed) onMissed();
    isReadMissed = false;
    for (const listen of [...listeners.back]) listen();
  },
});

function followReach(): void {
  onReach((isReached, isRead) => {
    if (isReached) reach.reached();
    else {
      isReadMissed ||= isRead;
      reach.lost();
    }
  });
  let wasLive = false;
  effect(() => {
    const { value: now } = told.connection;
    if (now === 'live') reach.reached();
    else if (now === 'offline' || (now === 'connecting' && wasLive)) reach.lost();
    wasLive = now === 'live';
  });
}

function tryNow(): void {
  reach.nudge();
  if (isLeader) stream.nudge();
}

export function startStream(): void {
  followReach();
  channel?.addEventListener('message', ({ data }: MessageEvent<Said>) => hear(data));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') return;
    election.check();
    tryNow();
  });
  const reconnect = () => {
    if (isLeader) stream.reconnect();
  };
  addEventListener('online', () => {
    reach.nudge();
    reconnect();
  });
  // A desk on this machine, or in the same network, may still be there. The browser says it before it is so.
  addEventListener('offline', () => timer.later(offlineSettlesMs, reconnect));
  addEventListener('pagehide', election.leave);
  document.addEventListener('freeze', election.leave);
  addEventListener('pageshow', election.start);
  document.addEventListener('resume', election.start);
  election.start();
}
