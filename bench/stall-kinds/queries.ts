// Costly reads: long and strange searches, deep pages, long addresses, many event streams, downloads.

import { askAll, asSite, asTeam, filled, type Tally, type Target } from './target.ts';

const words = [
  'the',
  'a*',
  'settings',
  'e',
  'x',
  '"a b"',
  'NEAR(a b)',
  '-',
  '日本',
  'é',
  '#41',
  '(',
  'OR',
  'a:b',
  '^a',
  '{a b}',
];

export async function hostileSearches(target: Target): Promise<Tally> {
  const texts = [
    ...words,
    ...words.map((word) => `${word} `.repeat(50).trim()),
    ...words.map((word) => filled('', `${word} `, 6_000)),
    filled('', 'a', 6_000),
    filled('', '日', 2_000),
    filled('', '"', 6_000),
    filled('', 'a"', 6_000),
    filled('', 'a* OR ', 6_000),
    filled('', '((', 6_000),
    Array.from({ length: 900 }, (_, at) => `w${at}`).join(' '),
    Array.from({ length: 900 }, (_, at) => `${at}*`).join(' '),
  ];
  const more = [
    '',
    '&sort=updated_at',
    '&tag=x&status=open,pending',
    '&per_page=100&page=9',
    '&sort=priority&direction=asc',
  ];
  const asks = texts.flatMap((text) =>
    more.map((rest) => () => ({
      method: 'GET',
      path: `/api/v1/tickets?q=${encodeURIComponent(text).slice(0, 7_500).replace(/%.?$/, '')}${rest}`,
      headers: asTeam(target),
    })),
  );
  return await askAll(target, asks, 6);
}

export async function hostileQueries(target: Target): Promise<Tally> {
  const long = (piece: string) => filled('', piece, 7_000);
  const paths = [
    `/api/v1/tickets?${long('status[]=open&')}status[]=open`,
    `/api/v1/tickets?${long('tag=a&')}tag=a`,
    `/api/v1/tickets?${long('tag[]=a&')}tag[]=b`,
    `/api/v1/tickets?status=${long('open,')}open`,
    `/api/v1/tickets?${long('x=1&')}`,
    `/api/v1/tickets?cursor=${long('a')}`,
    `/api/v1/tickets?email=${long('a.')}@example.org`,
    `/api/v1/tickets?created_from=${long('2')}`,
    '/api/v1/tickets?page=999999999',
    '/api/v1/tickets?per_page=100&page=50&sort=priority',
    `/api/v1/sites/${long('a')}`,
    `/api/v1/tickets/${long('0')}`,
    `/${long('a/')}`,
    `/${long('%2e/')}`,
    '/api/v1/events?after=0&limit=500',
    '/api/v1/openapi.json',
    '/api/docs/swagger-ui.js',
  ];
  const asks = Array.from({ length: 8 }).flatMap(() =>
    paths.map((path) => () => ({ method: 'GET', path, headers: asTeam(target) })),
  );
  return await askAll(target, asks, 8);
}

/** A hundred readers of events, while tickets are opened and changed. */
export async function manyStreams(target: Target): Promise<Tally> {
  const over = new AbortController();
  const streams = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const answer = await fetch(`${target.url}/api/v1/events?after=0`, {
        headers: { ...asTeam(target), Accept: 'text/event-stream' },
        signal: over.signal,
      });
      if (answer.status !== 200 || answer.body === null) throw new Error(`A stream was answered ${answer.status}.`);
      return answer.body;
    }),
  );
  const reading = streams.map(async (body) => {
    try {
      for await (const _ of body as unknown as AsyncIterable<Uint8Array>);
    } catch (error) {
      if (!over.signal.aborted) throw error;
    }
  });
  const asks = Array.from({ length: 300 }, (_, at) => () => ({
    method: 'POST',
    path: '/api/v1/public/tickets',
    headers: asSite(target),
    body: JSON.stringify({ email: `mia${at}@example.org`, subject: `Ticket ${at}`, message: 'It fails.' }),
  }));
  const tally = await askAll(target, asks, 4);
  over.abort();
  await Promise.all(reading);
  return tally;
}
