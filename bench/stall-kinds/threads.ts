// Very large tickets: read by many at the same moment, by their access token, on a customer's page and by agents; and full of rare words.

import { askAll, asSite, asTeam, filled, openTicket, type Tally, type Target } from './target.ts';

const words = 'Where is my bike? It should have come on Monday, and "no one" has told me <why>.\n';

/** A ticket with so many messages of the longest kind. */
async function longTicket(target: Target, messages: number) {
  const made = await openTicket(target, 'A long story');
  const thread = `/api/v1/public/tickets/${made.ulid}`;
  const query = `?access_token=${made.accessToken}`;
  const body = JSON.stringify({ body: filled('', words, 9_900) });
  const reply = { method: 'POST', path: `${thread}/messages${query}`, headers: asSite(target), body };
  const tally = await askAll(
    target,
    Array.from({ length: messages }, () => () => reply),
    4,
  );
  if (tally[201] !== messages) throw new Error(`The ticket is too short: ${JSON.stringify(tally)}`);
  return { ...made, thread: thread + query };
}

/** The cookie of a browser that has opened the ticket. */
async function visit({ url }: Target, { ulid, accessToken }: { ulid: string; accessToken: string }): Promise<string> {
  const traded = await fetch(`${url}/api/v1/customer/links`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ticket: ulid, token: accessToken }),
  });
  if (traded.status !== 200) throw new Error(`The link was answered ${traded.status}.`);
  return traded.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

async function longTickets(target: Target) {
  const long = await longTicket(target, 300);
  const longest = await longTicket(target, 1_400);
  const cookie = await visit(target, long);
  const get = (path: string, headers: Record<string, string>) => () => ({ method: 'GET', path, headers });
  return {
    'by access token': get(long.thread, asSite(target)),
    'by cookie': get(`/api/v1/customer/ticket?ticket=${long.ulid}`, { Cookie: cookie }),
    'as a page': get(`/t/${long.ulid}`, { Cookie: cookie }),
    'as agents': get(`/api/v1/tickets/${long.ulid}`, asTeam(target)),
    'the longest as agents': get(`/api/v1/tickets/${longest.ulid}`, asTeam(target)),
    'the longest by access token': get(longest.thread, asSite(target)),
  };
}

const readers = 20;

export async function longThreads(target: Target): Promise<Tally> {
  const asks = Object.values(await longTickets(target)).flatMap((ask) => Array.from({ length: readers }, () => ask));
  return await askAll(target, asks, readers);
}

/** Replies on a ticket that is as long as the search index takes, all of words that occur once. */
export async function rareWords(target: Target): Promise<Tally> {
  const { ulid, accessToken } = await openTicket(target, 'Rare words');
  const words = () => Array.from({ length: 1_400 }, () => Math.random().toString(36).slice(2, 8)).join(' ');
  const asks = Array.from({ length: 80 }, () => () => ({
    method: 'POST',
    path: `/api/v1/public/tickets/${ulid}/messages?access_token=${accessToken}`,
    headers: asSite(target),
    body: JSON.stringify({ body: words() }),
  }));
  return await askAll(target, asks, 8);
}
