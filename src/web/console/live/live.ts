// What the console knows of what happens at the desk. `stream.ts` follows it, and is loaded after the list.

import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type * as z from 'zod';
import type { presentShape } from '../../../http/wire/tickets/presence.ts';
import { type Answer, isUnreached } from '../../shared/api.ts';
import { chance, timer } from '../../shared/clock.ts';
import type { StreamState } from '../../shared/event-stream.ts';
import { onMoment } from '../../shared/signed-in.ts';
import { session } from '../session.ts';
import type { Message, WireEvent } from '../wire.ts';
import { createProgress } from './progress.ts';
import type { ReachState } from './reach.ts';

export type Present = z.output<typeof presentShape>;
export type Counts = Record<string, { count: number; is_capped: boolean }>;

export interface MailState {
  ticket: string;
  message: string;
  delivery: Message['delivery'];
  recipients: Message['recipients'];
}

export interface Hello {
  newest_seq: number;
  version: string;
  agent_id: number;
  /** Changes with the agent's role and sites. */
  rights: string;
  is_behind: boolean;
}

/** Only `stream.ts` writes it. */
export const told = {
  connection: signal<StreamState>('connecting'),
  reach: signal<ReachState>('here'),
  everyone: signal<ReadonlyMap<string, Present[]>>(new Map()),
  counts: signal<Counts>({}),
  hello: signal<Hello | null>(null),
};

export const connection: ReadonlySignal<StreamState> = told.connection;
/** The desk cannot be reached, or says nothing by itself: the one word about the connection. */
export const isAway = computed(() => told.reach.value === 'away' || told.connection.value === 'offline');
/** How many tickets each view has; empty until the desk has counted. */
export const counts: ReadonlySignal<Counts> = told.counts;
export const hello: ReadonlySignal<Hello | null> = told.hello;

/** The stream belongs to the agent whose cookie the browser has now. */
export const isOfAnother = computed(() => {
  const own = session.value?.agent.id;
  const streamed = hello.value?.agent_id;
  return own !== undefined && streamed !== undefined && own !== streamed;
});
/** The other agents who have a ticket open, by the ticket's ulid. */
export const viewing: ReadonlySignal<ReadonlyMap<string, Present[]>> = computed(() => {
  const own = told.hello.value?.agent_id;
  const others = new Map<string, Present[]>();
  for (const [ticket, agents] of told.everyone.value) {
    const left = agents.filter(({ id }) => id !== own);
    if (left.length > 0) others.set(ticket, left);
  }
  return others;
});

export const listeners = {
  event: new Set<(event: WireEvent) => void>(),
  delivery: new Set<(state: MailState) => void>(),
  catchUp: new Set<() => void>(),
  signedIn: new Set<() => void>(),
  left: new Set<(ticket: string) => void>(),
  back: new Set<() => void>(),
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

/** The desk can be reached again. */
export const onBack = listenTo(listeners.back);

/** Acts once, as soon as the desk can be reached. */
export function onceBack(act: () => void): () => void {
  if (told.reach.peek() === 'here') {
    const timer = setTimeout(act);
    return () => clearTimeout(timer);
  }
  const ignore = onBack(() => {
    ignore();
    act();
  });
  return ignore;
}

/** A connection can last only a moment, so a request is tried several times, but not for ever: it may be what breaks the connection. */
export const mostTries = 5;

/** What failed for want of a connection is sent again when the desk is back. */
export async function askedAgain<Data>(ask: () => Promise<Answer<Data>>, onWait: () => void): Promise<Answer<Data>> {
  for (let tries = 1; ; tries += 1) {
    const answer = await ask();
    if (answer.isOk || !isUnreached(answer.refusal) || tries === mostTries) return answer;
    if (tries === 1) onWait();
    await new Promise<void>((resolve) => onceBack(resolve));
  }
}

const catchUpWithinMs = 1000;
let cancelCatchUp: () => void = () => undefined;

/** Many consoles miss the same at the same time, and must not all ask together. */
export function onMissed(): void {
  cancelCatchUp();
  cancelCatchUp = timer.later(chance() * catchUpWithinMs, () => {
    for (const listen of listeners.catchUp) listen();
  });
}

export const progress = createProgress({ onMissed });

/** From here on nothing between an answer of the desk and the stream is missed. */
export function noteMoments(): void {
  onMoment(({ newest_seq: seq, rights }) => {
    if (seq !== undefined) progress.noteLoaded(seq);
    if (rights !== undefined) progress.noteRights(rights);
  });
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
