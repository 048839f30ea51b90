// What happens at the desk while the console is open. One tab of the browser follows the desk, and tells the others.

import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type * as z from 'zod';
import type { presentShape, ticketPresenceShape } from '../../../http/wire/presence.ts';
import { chance, timer } from '../../shared/clock.ts';
import { onMoment } from '../../shared/signed-in.ts';
import type { Message, WireEvent } from '../wire.ts';
import { type ConnectionState, createConnection } from './connection.ts';
import { createElection, type Word } from './election.ts';
import type { Frame } from './frames.ts';
import { createProgress } from './progress.ts';

export type Present = z.output<typeof presentShape>;
type TicketPresence = z.output<typeof ticketPresenceShape>;
type Counts = Record<string, { count: number; is_capped: boolean }>;

interface MailState {
  ticket: string;
  message: string;
  delivery: Message['delivery'];
}

interface Hello {
  newest_seq: number;
  version: string;
  agent_id: number;
  /** Changes with the agent's role and sites. */
  rights: string;
  is_behind: boolean;
}

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

const state = signal<ConnectionState>('connecting');
const everyone = signal<ReadonlyMap<string, Present[]>>(new Map());
const viewCounts = signal<Counts>({});
const lastHello = signal<Hello | null>(null);

export const connection: ReadonlySignal<ConnectionState> = state;
/** How many tickets each view has; empty until the desk has counted. */
export const counts: ReadonlySignal<Counts> = viewCounts;
export const hello: ReadonlySignal<Hello | null> = lastHello;
/** The other agents who have a ticket open, by the ticket's ulid. */
export const viewing: ReadonlySignal<ReadonlyMap<string, Present[]>> = computed(() => {
  const own = lastHello.value?.agent_id;
  const others = new Map<string, Present[]>();
  for (const [ticket, agents] of everyone.value) {
    const left = agents.filter(({ id }) => id !== own);
    if (left.length > 0) others.set(ticket, left);
  }
  return others;
});

const listeners = {
  event: new Set<(event: WireEvent) => void>(),
  delivery: new Set<(state: MailState) => void>(),
  catchUp: new Set<() => void>(),
  signedIn: new Set<() => void>(),
  left: new Set<(ticket: string) => void>(),
};

function listenTo<Listen>(set: Set<Listen>): (listen: Listen) => () => void {
  return (listen) => {
    set.add(listen);
    return () => {
      set.delete(listen);
    };
  };
}

/** Every event once, in order. */
export const onEvent = listenTo(listeners.event);
export const onDelivery = listenTo(listeners.delivery);
/** More was missed than is sent again: read again what is shown. */
export const onCatchUp = listenTo(listeners.catchUp);
/** The agent signed in again, perhaps in another tab. */
export const onSignedIn = listenTo(listeners.signedIn);
/** Another tab of this browser closed a ticket, and the desk takes the whole browser for gone. */
export const onLeftElsewhere = listenTo(listeners.left);

const catchUpWithinMs = 1000;
const offlineSettlesMs = 1000;
let cancelCatchUp: () => void = () => undefined;

/** Many consoles miss the same at the same time, and must not all ask at once. */
function onMissed(): void {
  cancelCatchUp();
  cancelCatchUp = timer.later(chance() * catchUpWithinMs, () => {
    for (const listen of listeners.catchUp) listen();
  });
}

const progress = createProgress({ onMissed });

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
    state.value = next;
    election.announce();
  },
});

const election = createElection({
  id: own,
  say: (word) =>
    say(word.kind === 'here' ? { ...word, standing: { connection: state.peek(), at: progress.seen() } } : word),
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
    lastHello.value = said;
    progress.noteRights(said.rights);
    progress.begin(after, said.newest_seq, said.is_behind);
  } else if (event === 'behind') progress.skip((data as { newest_seq: number }).newest_seq);
  else if (event === 'present') {
    const { tickets } = data as { tickets: TicketPresence[] };
    everyone.value = new Map(tickets.map(({ ticket, agents }) => [ticket, agents]));
  } else if (event === 'presence') {
    const { ticket, agents } = data as TicketPresence;
    const next = new Map(everyone.peek());
    if (agents.length === 0) next.delete(ticket);
    else next.set(ticket, agents);
    everyone.value = next;
  } else if (event === 'delivery') for (const listen of listeners.delivery) listen(data as MailState);
  else if (event === 'counts') viewCounts.value = data as Counts;
}

function hear(message: Said): void {
  switch (message.kind) {
    case 'frame':
      if (message.frame.seq !== null || message.frame.event !== 'hello') progress.expect(message.before);
      apply(message.frame, message.askedAfter);
      break;
    case 'all':
      if (isLeader) break;
      everyone.value = new Map(message.viewing);
      viewCounts.value = message.counts;
      if (message.hello !== null) {
        lastHello.value = message.hello;
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
    state.value = word.standing.connection;
    progress.expect(word.standing.at);
  }
  if (word.kind === 'who' && isLeader)
    say({
      kind: 'all',
      from: own,
      viewing: [...everyone.peek()],
      counts: viewCounts.peek(),
      hello: lastHello.peek(),
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

const perTicket = new Map<string, ReadonlySignal<Present[]>>();
const none: Present[] = [];
const mostRemembered = 500;

export function presenceOf(ticket: string): ReadonlySignal<Present[]> {
  const known = perTicket.get(ticket);
  if (known !== undefined) return known;
  if (perTicket.size >= mostRemembered) perTicket.clear();
  const made = computed(() => viewing.value.get(ticket) ?? none);
  perTicket.set(ticket, made);
  return made;
}

export function startLive(): void {
  // Nothing between an answer of the desk and the stream is missed.
  onMoment(({ newest_seq: seq, rights }) => {
    if (seq !== undefined) progress.noteLoaded(seq);
    if (rights !== undefined) progress.noteRights(rights);
  });
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
