// Calls of an agent who is signed in: an ended session leads to sign-in, a sensitive change to a question first.

import { signal } from '@preact/signals';
import { type Answer, call, type Refusal } from './api.ts';
import { signInPath } from './paths.ts';

type Method = Parameters<typeof call>[0];

/** While the desk wants to know that it is still the agent: what to do with the agent's decision. */
export const confirmation = signal<{ decide: (isConfirmed: boolean) => void } | null>(null);

export async function ask<Data>(method: Method, path: string, body?: unknown): Promise<Answer<Data>> {
  const answer = await call<Data>(method, path, body);
  if (answer.isOk) return answer;
  if (isSignedOut(answer.refusal)) {
    location.assign(signInPath(location.pathname + location.search));
    // The page is about to close: this answer is no longer needed.
    return await new Promise<never>(() => undefined);
  }
  if (answer.refusal.code !== 'confirm_identity') return answer;
  return (await isConfirmed()) ? await call<Data>(method, path, body) : answer;
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
