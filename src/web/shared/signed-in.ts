// Calls of an agent who is signed in: after an ended session they wait for the next, and a sensitive change for a question.

import { signal } from '@preact/signals';
import { type Answer, call, isUnreached, type Refusal } from './api.ts';

type Method = Parameters<typeof call>[0];

/** While the desk wants to know that it is still the agent: what to do with the agent's decision. */
export const confirmation = signal<{ decide: (isConfirmed: boolean) => void } | null>(null);

/** While the session has ended: what to do when the agent is signed in again. */
export const ended = signal<{ onSignedIn: () => void } | null>(null);
/** The desk has refused what the page did by itself. The page says so, and waits until the agent does something. */
export const isSessionOver = signal(false);
let waiting: Promise<void> | null = null;
let signIns = 0;

/** How often the agent has signed in again on the open page. */
export const signInsNow = (): number => signIns;

/**
 * Waits until the agent has signed in again on the open page, so that nothing on it is lost.
 * @param before `signInsNow()` when a request was sent: its refusal may come when the agent has signed in already
 */
export function signedInAgain(before = signIns): Promise<void> {
  if (before < signIns) return Promise.resolve();
  waiting ??= new Promise<void>((resolve) => {
    ended.value = {
      onSignedIn() {
        signIns += 1;
        ended.value = null;
        waiting = null;
        resolve();
      },
    };
  });
  return waiting;
}

interface Moment {
  newest_seq?: number;
  rights?: string;
}

let noteMoment = (_moment: Moment): void => undefined;

/** Hears at which event of the desk, and under which rights of the agent, each answer was true. */
export function onMoment(listen: (moment: Moment) => void): void {
  noteMoment = listen;
}

let hearReach = (_isReached: boolean, _isRead: boolean): void => undefined;

/** Hears of each request whether the desk answered it, and whether it only read. */
export function onReach(listen: (isReached: boolean, isRead: boolean) => void): void {
  hearReach = listen;
}

/** For what is asked for in another way. */
export function noteReach(answer: Answer<unknown>, isRead = false): void {
  hearReach(answer.isOk || !isUnreached(answer.refusal), isRead);
}

const signedOut: Refusal = {
  code: 'unknown_token',
  status: 401,
  message: '',
  fields: {},
  requestId: null,
  retryAfterSeconds: null,
};
let isOver = false;

/** Another agent signed in, so this page must ask for nothing more in the name of the one before. */
export function endCalls(): void {
  isOver = true;
}

export async function ask<Data>(
  method: Method,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<Answer<Data>> {
  if (isOver) return { isOk: false, refusal: signedOut };
  const before = signIns;
  const answer = await callAndReport<Data>(method, path, body, headers);
  if (answer.isOk) return answer;
  if (isSignedOut(answer.refusal)) {
    await signedInAgain(before);
    return await ask<Data>(method, path, body, headers);
  }
  if (answer.refusal.code !== 'confirm_identity') return answer;
  return (await isConfirmed()) ? await call<Data>(method, path, body, headers) : answer;
}

/** For what the page does by itself while the agent may be typing: no dialog takes the keys. */
export async function askInBackground<Data>(method: Method, path: string, body?: unknown): Promise<Answer<Data>> {
  if (isOver) return { isOk: false, refusal: signedOut };
  const before = signIns;
  const answer = await callAndReport<Data>(method, path, body);
  if (!answer.isOk && isSignedOut(answer.refusal) && before === signIns) isSessionOver.value = true;
  return answer;
}

async function callAndReport<Data>(...asked: Parameters<typeof ask>): Promise<Answer<Data>> {
  const answer = await call<Data>(...asked);
  noteReach(answer, asked[0] === 'GET');
  if (answer.isOk) noteMoment((answer.data as { meta?: Moment }).meta ?? {});
  return answer;
}

function isSignedOut({ status, code }: Refusal): boolean {
  return status === 401 && ['missing_token', 'unknown_token'].includes(code);
}

async function isConfirmed(): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  confirmation.value = { decide: resolve };
  try {
    return await promise;
  } finally {
    confirmation.value = null;
  }
}
