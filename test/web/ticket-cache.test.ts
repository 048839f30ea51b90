// The tickets that the browser keeps: asked for once, shown with changes that are under way, and let go in time.

import { afterAll, beforeEach, expect, test } from 'bun:test';
import {
  knownTicket,
  prefetch,
  reload,
  showChange,
  storeRow,
  ticketSignal,
} from '../../src/web/console/tickets/cache.ts';

const realFetch = globalThis.fetch;
let asked: string[] = [];
let answer: (ulid: string) => Response | Promise<Response>;
let count = 0;

const ticketJson = (ulid: string, change: object = {}) =>
  Response.json({ data: { id: 1, ulid, subject: 'Hello', status: 'open', messages: [], events: [], ...change } });

beforeEach(() => {
  asked = [];
  answer = (ulid) => ticketJson(ulid);
  globalThis.fetch = (async (url: string) => {
    const ulid = /([^/?]+)\?other_tickets=1$/.exec(url)?.[1] ?? '';
    asked.push(ulid);
    return await answer(ulid);
  }) as unknown as typeof fetch;
});
afterAll(() => {
  globalThis.fetch = realFetch;
});

const newUlid = () => {
  count += 1;
  return `T${count}`;
};
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

test('a ticket that was loaded ahead is shown without another request', async () => {
  const ulid = newUlid();
  prefetch(ulid);
  prefetch(ulid);
  await settled();
  expect(ticketSignal(ulid).value.kind).toBe('shown');
  expect(asked).toEqual([ulid]);
});

test('a change stays on the page while the ticket is loaded again, until it ends', async () => {
  const ulid = newUlid();
  ticketSignal(ulid);
  await settled();
  const end = showChange(ulid, { status: 'resolved' });
  expect(knownTicket(ulid)?.status).toBe('resolved');
  await reload(ulid);
  expect(knownTicket(ulid)?.status).toBe('resolved');
  end();
  expect(knownTicket(ulid)?.status).toBe('open');
  storeRow({ ulid, subject: 'From the answer' });
  expect(knownTicket(ulid)?.subject).toBe('From the answer');
});

test('what is asked for during a request is asked for once more after it', async () => {
  const ulid = newUlid();
  const gate = Promise.withResolvers<void>();
  answer = async (one) => {
    await gate.promise;
    return ticketJson(one, { subject: `Answer ${asked.length}` });
  };
  const first = reload(ulid);
  const others = [reload(ulid), reload(ulid)];
  gate.resolve();
  await Promise.all([first, ...others]);
  expect(asked).toEqual([ulid, ulid]);
  expect(knownTicket(ulid)?.subject).toBe('Answer 2');
});

test('a ticket that cannot be loaded is refused; one that is known stays, with the reason', async () => {
  const [gone, known] = [newUlid(), newUlid()];
  ticketSignal(known);
  await settled();
  answer = () => Response.json({ message: 'No.', code: 'internal_error' }, { status: 500 });
  await Promise.all([reload(gone), reload(known)]);
  expect(ticketSignal(gone).peek()).toMatchObject({ kind: 'refused', refusal: { status: 500 } });
  expect(ticketSignal(known).peek()).toMatchObject({ kind: 'shown', problem: { status: 500 } });
});

test('a ticket that the agent no longer sees does not stay', async () => {
  const ulid = newUlid();
  ticketSignal(ulid);
  await settled();
  answer = () => Response.json({ message: 'Not found.', code: 'not_found' }, { status: 404 });
  await reload(ulid);
  expect(ticketSignal(ulid).peek().kind).toBe('refused');
  expect(knownTicket(ulid)).toBeNull();
});

test('only the tickets that were open lately are kept', async () => {
  const first = newUlid();
  ticketSignal(first);
  await settled();
  const others = Array.from({ length: 60 }, newUlid);
  for (const ulid of others) ticketSignal(ulid);
  await settled();
  expect(knownTicket(first)).toBeNull();
  expect(knownTicket(others[0] ?? '')).not.toBeNull();
});
