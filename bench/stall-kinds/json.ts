// A megabyte of JSON that is hard to parse, check or refuse, for every operation that takes JSON.

import { askAll, asSite, asTeam, filled, openTicket, type Tally, type Target } from './target.ts';

const megabyte = 1024 * 1024 - 200;

/** Just below the limit of a body. */
const most = 29_900;

/** Content for a body; `key` is a field that the operation knows. */
const shapes: Record<string, (key: string) => string> = {
  deep: (key) => filled(`{"${key}":`, '[', megabyte),
  'deep and closed': (key) => `{"${key}":${filled('', '['.repeat(60) + ']'.repeat(60) + ',', megabyte - 200)}0}`,
  'deep lists in a list': (key) => `{"${key}":[${filled('', `${'['.repeat(60)}${']'.repeat(60)},`, megabyte)}0]}`,
  wide: (key) => `{"${key}":[${filled('', '0,', megabyte)}0]}`,
  'a list of objects': (key) => `{"${key}":[${filled('', '{},', megabyte)}{}]}`,
  'a list of unknown objects': (key) => `{"${key}":[${filled('', '{"a":{"b":[]}},', megabyte)}{}]}`,
  'many keys': (key) =>
    `{${Array.from({ length: 70_000 }, (_, at) => `"k${at}":1`).join(',')},"${key}":1}`.slice(0, megabyte),
  'many unknown keys': (key) => {
    const keys = Array.from({ length: 65_000 }, (_, at) => `"k${at}":0`).join(',');
    return `{"${key}":{${keys}},${keys.slice(0, 100_000).replace(/,[^,]*$/, '')}}`.slice(0, megabyte + 199);
  },
  'duplicate keys': (key) => `{${filled('', `"${key}":"x",`, megabyte)}"${key}":"y"}`,
  'a huge text': (key) => filled(`{"${key}":"`, 'x', megabyte, '"}'),
  'a huge text of escapes': (key) => filled(`{"${key}":"`, '\\u0000', megabyte, '"}'),
  'a huge text of half characters': (key) => filled(`{"${key}":"`, '\\ud800', megabyte, '"}'),
  'a huge text of combining marks': (key) => filled(`{"${key}":"e`, '\u0301', megabyte / 2, '"}'),
  'a huge text of blanks': (key) => filled(`{"${key}":"a`, ' ', megabyte, 'a"}'),
  'a huge address': (key) => filled(`{"${key}":"a@`, 'a.', megabyte, 'b"}'),
  'a huge address of dashes': (key) => filled(`{"${key}":"a@`, 'a-', megabyte, '"}'),
  'a huge web address': (key) => filled(`{"${key}":"https://a/`, '%41/../', megabyte, '"}'),
  'a huge number': (key) => filled(`{"${key}":1`, '0', megabyte, '}'),
  'huge decimals': (key) => filled(`{"${key}":0.`, '1', megabyte, '}'),
  'a list of texts': (key) => `{"${key}":[${filled('', '"a",', megabyte)}"a"]}`,
  'blanks alone': () => filled('{', ' ', megabyte, '}'),
  // As many values as are allowed: these are parsed and checked.
  'the widest list': (key) => `{"${key}":[${'0,'.repeat(most)}0]}`,
  'the longest list of texts': (key) => `{"${key}":[${'"a",'.repeat(most)}"a"]}`,
  'the longest list of long texts': (key) => `{"${key}":[${`"${'a'.repeat(45)}",`.repeat(most)}"a"]}`,
  'the longest list of objects': (key) => `{"${key}":[${'{},'.repeat(most / 2)}{}]}`,
  'the most keys': (key) => `{"${key}":{${Array.from({ length: most }, (_, at) => `"k${at}":0`).join(',')}}}`,
  'the most unknown keys': () => `{${Array.from({ length: most }, (_, at) => `"k${at}":0`).join(',')}}`,
  'the most numeric keys': (key) => `{"${key}":{${Array.from({ length: most }, (_, at) => `"${at}":0`).join(',')}}}`,
  'a broken end': (key) => filled(`{"${key}":"`, 'x', megabyte),
};

interface Described {
  path: string;
  method: string;
  keys: string[];
}

/** Every operation that takes JSON, with the fields that it knows. */
async function operationsOf({ url }: Target): Promise<Described[]> {
  const document = (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { requestBody?: { content: Record<string, { example?: object }> } }>>;
  };
  // A rotation that is taken would end the credentials that the rest uses.
  const paths = Object.entries(document.paths).filter(([path]) => !/{site}\/(?:token|inbound-secret)$/.test(path));
  return paths.flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const example = requestBody?.content['application/json']?.example;
      return example === undefined ? [] : [{ path, method: method.toUpperCase(), keys: Object.keys(example) }];
    }),
  );
}

/** @param every how many of the pairs of operation, field and shape to send: every one, every second … */
export async function hostileJson(target: Target, every: number): Promise<Tally> {
  const made = await openTicket(target, 'Hello');
  const operations = await operationsOf(target);
  if (operations.length < 20) throw new Error(`Only ${operations.length} operations take JSON.`);
  const pairs = operations.flatMap(({ path, method, keys }) =>
    (keys.length === 0 ? ['x'] : keys).flatMap((key) =>
      Object.values(shapes).map((shape) => () => {
        const isPublic = path.startsWith('/api/v1/public/');
        const filledIn = path
          .replace('{site}', target.slug)
          .replace(/\{(?:ticket|ulid)\}/, made.ulid)
          .replace(/\{\w+\}/g, '1');
        return {
          method,
          path: path.includes('{ulid}') ? `${filledIn}?access_token=${made.accessToken}` : filledIn,
          headers: isPublic ? asSite(target) : asTeam(target),
          body: shape(key),
        };
      }),
    ),
  );
  // A stride without a common factor with the number of shapes covers every shape and operation.
  const chosen = pairs.filter((_, at) => at % every === 0);
  return await askAll(target, chosen, 6);
}
