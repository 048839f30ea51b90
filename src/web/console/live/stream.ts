// Follows what happens at the desk. One tab of the browser does, and tells the others.

import type * as z from 'zod';
import type { ticketPresenceShape } from '../../../http/wire/presence.ts';
import { chance, timer } from '../../shared/clock.ts';
import type { WireEvent } from '../wire.ts';
import { type ConnectionState, createConnection } from './connection.ts';
import { createElection, type Word } from './election.ts';
import type { Frame } from './frames.ts';
import { type Counts, type Hello, listeners, type MailState, type Present, progress, told } from './live.ts';

type TicketPresence = z.output<typeof ticketPresenceShape>;

interface Standing {
  connection: ConnectionState;
  at: number | null;
}

type Said =
  | (Word & { standing?: Standing })
  | { kind: 'frame'; from: string; frame: Frame; before: number | null; askedAfter: number | null }
  | { kind: 'all'; from: string; viewing: [string, Present[]][]; counts: Counts; hello: Hello | null }
  | { kind: 'signed-in'; from: string }
  | { kind: 'left'; from: string; ticket: string };

const offlineSettlesMs = 1000;

const own = `${timer.now()}.${chance()}`;
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('helpdesk.live');
let isLeader = false;
let askedAfter: number | null = null;

function say(message: Said): void {
  channel?.postMessage(message);
}

const stream = createConnection({
  open(signal) {
    askedAfter = progress.after();
    const query = askedAfter === null ? '' : `?after=${askedAfter}`;
    return fetch(`/api/v1/live${query}`, {
      headers: { Accept: 'text/event-stream' },
      credentials: 'same-origin',
      cache: 'no-store',
      signal,
    });
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

const election = createElection({
  id: own,
  say: (word) =>
    say(
      word.kind === 'here' ? { ...word, standing: { connection: told.connection.peek(), at: progress.seen() } } : word,
    ),
  timer,
  chance,
  isVisible: () => document.visibilityState === 'visible',
  onRole(leads) {
    isLeader = leads;
    if (leads) stream.start();
    else stream.stop();
  },
});

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
    });
}

function signedIn(): void {
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

function tryNow(): void {
  if (isLeader) stream.nudge();
}

export function startStream(): void {
  channel?.addEventListener('message', ({ data }: MessageEvent<Said>) => hear(data));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') return;
    election.check();
    tryNow();
  });
  const reconnect = () => {
    if (isLeader) stream.reconnect();
  };
  addEventListener('online', reconnect);
  // A desk on this machine, or in the same network, may still be there. The browser says it before it is so.
  addEventListener('offline', () => timer.later(offlineSettlesMs, reconnect));
  addEventListener('pagehide', election.leave);
  document.addEventListener('freeze', election.leave);
  addEventListener('pageshow', election.start);
  document.addEventListener('resume', election.start);
  election.start();
}
