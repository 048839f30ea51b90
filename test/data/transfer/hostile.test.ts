// An export that was cut, changed or made up: refused with the line and the reason, and never imported in part.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { linesOf } from '../../../src/data/transfer/lines.ts';
import { removeSite } from '../../../src/desk/sites/removal.ts';
import { changeSite, readSite } from '../../../src/desk/sites/sites.ts';
import { siteChangeInput } from '../../../src/domain/input/sites.ts';
import { defaultSettings } from '../../../src/domain/sites/site.ts';
import { query } from '../../../src/engine/database.ts';
import { siteLogo } from '../../../src/store/sites/logos.ts';
import { anImage, imageUrl } from '../../support/images.ts';
import { emptyDesk, live, type Portable, portable, type Told, told } from './portable.ts';

let from: Portable;
let text = '';
let secret = '';
beforeAll(async () => {
  from = portable();
  await live(from, 11, 60);
  const { ulid, size, sha256 } = await from.keep(from.blobs, 'A line of the log');
  const { attachAsCustomer } = await import('../../../src/desk/tickets/attachments.ts');
  const { ticket } = from.open();
  const file = { ulid, size, sha256, filename: 'log.txt', contentType: 'text/plain' };
  from.do((tx, ctx) => attachAsCustomer(tx, ctx, ticket, file, null));
  from.open({ subject: 'Last' });
  text = await from.exported();
  secret = await from.exported('web-shop', true);
});
afterAll(() => from.close());

/** The lines, and their text with a matching last line. */
const parse = (whole: string) =>
  whole
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Told);
function sealed(lines: readonly Told[]): string {
  const body = lines.map((line) => `${JSON.stringify(line)}\n`);
  const counts: Record<string, number> = {};
  for (const { type } of lines) counts[type] = (counts[type] ?? 0) + 1;
  const sha256 = createHash('sha256').update(body.join('')).digest('hex');
  return `${body.join('')}${JSON.stringify({ type: 'end', lines: body.length, counts, sha256 })}\n`;
}

/** Changes the first line of a type, and updates the last line. */
const changing = (type: string, change: Record<string, unknown>) => (lines: Told[]) => {
  const at = lines.findIndex((line) => line.type === type);
  if (at < 0) throw new Error(`there is no ${type}`);
  lines[at] = { ...(lines[at] as Told), ...change };
  return lines;
};
const where = (isIt: (line: Told) => boolean, change: (line: Told) => Told[]) => (lines: Told[]) => {
  const at = lines.findIndex(isIt);
  if (at < 0) throw new Error('there is no such line');
  return lines.toSpliced(at, 1, ...change(lines[at] as Told));
};
const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });

const branded = (logo: string) => (lines: Told[]) => {
  const { settings } = lines[1] as unknown as { settings: { brand: object } };
  return changing('site', { settings: { ...settings, brand: { ...settings.brand, logo } } })(lines);
};

const rows: [why: string, change: (lines: Told[]) => Told[], sentence: RegExp][] = [
  ['another program’s head', changing('helpdesk-export', { type: 'backup' }), /not an export of a helpdesk/],
  ['a newer format', changing('helpdesk-export', { version: 7 }), /has format 7, this executable reads 6/],
  ['a prefix with a header in it', changing('channel', { header_prefix: 'X\r\nHost: x' }), /is invalid: header_prefix/],
  ['a head with more in it', changing('helpdesk-export', { more: 1 }), /Line 1 .*nrecognized/],
  ['no site', (lines) => lines.filter(({ type }) => type !== 'site'), /Line 2 must be the site/],
  ['a second site', (lines) => [...lines.slice(0, 2), ...lines.slice(1)], /Line 3 is refused: site 1 occurs twice/],
  ['a logo that is a script', branded('javascript:alert(1)'), /Line 2 \(site\) is invalid: settings.brand.logo/],
  ['a logo that is not in it', branded('/s/web-shop/logo?v=0123456789abcdef'), /Line 2 is refused: .*logo/],
  ['a slug with a path in it', changing('site', { slug: '../etc' }), /Line 2 \(site\) is invalid: slug/],
  [
    'a policy that has no hours',
    changing('site', {
      sla_policy: {
        business_hours: { timezone: 'Nowhere', weekly: {} },
        holidays: [],
        pause_while_pending: true,
        warn_at_percent: 80,
      },
    }),
    /Line 2 is refused: .*SLA policy/,
  ],
  ['a default priority that never comes', changing('site', { default_priority_id: 77 }), /names priority 77/],
  ['a wrong type', changing('ticket', { subject: 7 }), /\(ticket\) is invalid: subject/],
  ['a state that there is not', changing('ticket', { status: 'lost' }), /is invalid: status/],
  ['a foreign ulid', changing('ticket', { ulid: '../../../../etc/passwd' }), /is invalid: ulid/],
  ['a field too many', changing('ticket', { sla_next_at: 1 }), /is invalid: .*sla_next_at/],
  ['a moment before time', changing('ticket', { created_at: -1 }), /is invalid: created_at/],
  ['a subject of a megabyte', changing('ticket', { subject: 'x'.repeat(1_000_000) }), /is invalid: subject/],
  ['metadata without a bottom', changing('ticket', { metadata: deep(5000) }), /is invalid: metadata: is too long/],
  ['broken characters', changing('message', { body: 'a\ud800b' }), /is invalid: body: has invalid/],
  [
    'an author who has not come',
    changing('ticket', { author_id: 4242 }),
    /names author 4242, which has not been imported/,
  ],
  ['a category of no one', changing('ticket', { category_id: 4242 }), /names category 4242/],
  ['a message of no ticket', changing('message', { ticket_id: 4242 }), /names ticket 4242/],
  [
    'an event about another site’s ticket',
    changing('event', { kind: 'ticket.updated', data: { ticket_ulid: '01ARZ3NDEKTSV4RRFFQ69G5FAV' } }),
    /names 01ARZ3NDEKTSV4RRFFQ69G5FAV, which does not belong to the site/,
  ],
  [
    'a ticket twice',
    (lines) => lines.flatMap((line) => (line.type === 'ticket' && line.id === 2 ? [line, line] : [line])),
    /is refused: ticket 2 occurs twice/,
  ],
  [
    'two authors of one address',
    where(
      ({ type }) => type === 'author',
      (line) => [line, { ...line, id: 4000 }],
    ),
    /author 4000 contradicts an earlier line/,
  ],
  [
    'an address that only the desk gives',
    changing('author', { email: 'anonymised+1@anonymised.invalid', anonymised_at: null }),
    /is invalid: email/,
  ],
  [
    'a file name that climbs',
    changing('attachment', { filename: '../../secret.key.txt' }),
    /a file name that is not allowed/,
  ],
  [
    'a file name of another kind',
    changing('attachment', { filename: 'run.html', content_type: 'text/html' }),
    /a content type that does not match its name/,
  ],
  [
    'a content type that is not the name’s',
    changing('attachment', { content_type: 'text/html' }),
    /a content type that does not match its name/,
  ],
  ['a file that no row asks for', changing('file', { ulid: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }), /no row expects the file/],
  ['a file of another size', changing('file', { size: 1 }), /does not match its row/],
  [
    'bytes that are others',
    changing('bytes', { data: Buffer.from('B line of the log').toString('base64') }),
    /with other bytes than|makes file/,
  ],
  ['bytes without a file', (lines) => lines.filter(({ type }) => type !== 'file'), /is out of order/],
  [
    'a file without an end',
    (lines) => lines.filter(({ type }) => type !== 'file_end'),
    /does not belong to file|is cut off|is invalid/,
  ],
  ['bytes that are no base64', changing('bytes', { data: '<script>' }), /is invalid: data: must be base64/],
  [
    'a row after the files',
    (lines) => [...lines, lines.find(({ type }) => type === 'category') as Told],
    /is a row after the files/,
  ],
  [
    'a pattern that never ends',
    changing('rule', { conditions: [{ field: 'subject', operator: 'matches', value: '(', negate: false }] }),
    /\(rule\) is invalid: conditions.0.value/,
  ],
  [
    'a ticket merged into itself',
    (lines) =>
      lines.toSpliced(
        lines.findIndex(({ type }) => type === 'event'),
        0,
        { type: 'merge', ticket_id: 1, into_id: 1 },
      ),
    /merged into itself|occurs twice/,
  ],
  ['an unknown type', changing('interval', { type: 'surprise' }), /\(surprise\) is invalid/],
];

describe('refused', () => {
  test.each(rows)('%s', async (_why, change, sentence) => {
    const to = emptyDesk();
    const lines = change(parse(text).slice(0, -1));
    await expect(to.imported(sealed(lines))).rejects.toThrow(sentence);
    expect(query(to.tx, 'PRAGMA foreign_key_check').all()).toEqual([]);
    expect(query(to.tx, 'SELECT * FROM imports WHERE finished_at IS NOT NULL').all()).toEqual([]);
    to.close();
  });

  const raw: [why: string, bytes: () => string | Uint8Array, sentence: RegExp][] = [
    ['nothing', () => '', /the input is empty/],
    ['a byte order mark', () => `\u{feff}${text}`, /Line 1 is not JSON/],
    ['line ends of Windows', () => text.replaceAll('\n', '\r\n'), /Line 1 ends in CR LF: the export was changed/],
    ['no JSON', () => 'hello\n', /Line 1 is not JSON/],
    ['no UTF-8', () => new Uint8Array([0xff, 0xfe, 0x0a]), /Line 1 is not JSON/],
    ['JSON nested without end', () => `${'['.repeat(1_000_000)}\n`, /Line 1 is not JSON|not an export/],
    ['a head alone', () => `${text.split('\n')[0]}\n`, /is cut off: it ends after line 1/],
    [
      'a changed line that still fits',
      () => text.replace('"subject":"Last"', '"subject":"Lost"'),
      /does not match the lines before it/,
    ],
    ['two exports in one', () => text + text, /comes after the end/],
  ];
  test.each(raw)('%s', async (_why, bytes, sentence) => {
    const to = emptyDesk();
    await expect(to.imported(bytes())).rejects.toThrow(sentence);
    to.close();
  });

  test('a line without end, before it is taken in', async () => {
    let given = 0;
    const endless = async function* () {
      for (;;) {
        given += 65_536;
        yield new Uint8Array(65_536).fill(0x20);
      }
    };
    const read = async () => {
      for await (const _ of linesOf(endless(), 1_000_000));
    };
    await expect(read()).rejects.toThrow('Line 1 is longer than 1000000 bytes.');
    expect(given).toBeLessThan(1_200_000);
  });

  test('a token that this desk knows already', async () => {
    const token = {
      type: 'token',
      id: 1,
      name: 'x',
      token_hash: 'a'.repeat(43),
      abilities: ['read'],
      expires_at: null,
      last_used_at: null,
      created_at: 0,
    };
    const lines = parse(secret).slice(0, -1);
    const at = lines.findIndex(({ type }) => type === 'author');
    const to = emptyDesk();
    const twice = sealed(lines.toSpliced(at, 0, token, { ...token, id: 2 }));
    await expect(to.imported(twice)).rejects.toThrow(/token 2 is already in use on this desk/);
  });
});

describe('a site beyond the limits', () => {
  const many = (type: string, total: number, other: (at: number) => object = () => ({})) =>
    where(
      (line) => line.type === type,
      (line) => Array.from({ length: total }, (_, at) => ({ ...line, id: 50_000 + at, ...other(at) })),
    );
  const large = Array.from({ length: 50 }, () => ({
    ...{ field: 'subject', operator: 'in', value: Array.from({ length: 30 }, () => 'x'.repeat(900)), negate: false },
  }));
  test.each<[string, (lines: Told[]) => Told[], RegExp]>([
    [
      'rules',
      many('rule', 501),
      /Line \d+ is refused: A site can have at most 500 rows of rule\. Nothing was imported/,
    ],
    [
      'large rules',
      many('rule', 2, () => ({ conditions: large })),
      /Line \d+ is refused: .* must have at most 2,000,000 characters in total; these have [\d,]{9,}\. Nothing was/,
    ],
    ['categories', many('category', 501, (at) => ({ slug: `c-${at}` })), /at most 500 rows of category/],
    ['priorities', many('priority', 101, (at) => ({ slug: `p-${at}` })), /at most 100 rows of priority/],
    ['fields', many('field', 101, (at) => ({ key: `f${at}` })), /at most 100 rows of field/],
    ['channels', many('channel', 101), /at most 100 rows of channel/],
    ['agents', many('agent', 1001, (at) => ({ email: `a${at}@agents.example` })), /at most 1000 rows of agent/],
  ])('in its %s is not imported at all', async (_what, change, sentence) => {
    const to = emptyDesk();
    const before = to.everything();
    await expect(to.imported(sealed(change(parse(text).slice(0, -1))))).rejects.toThrow(sentence);
    expect(to.everything()).toEqual(before);
  });

  test('a rule that comes late does not slip through', async () => {
    const late = (lines: Told[]) => {
      const rule = lines.find(({ type }) => type === 'rule') as Told;
      const at = lines.findIndex(({ type }) => type === 'ticket');
      return lines.toSpliced(at, 0, { ...rule, id: 70_000 });
    };
    const lines = late(parse(text).slice(0, -1));
    await expect(emptyDesk().imported(sealed(lines))).rejects.toThrow(/must come before tickets/);
  });

  test('with costly expressions is: on each message they have only their time', async () => {
    const to = emptyDesk();
    const costly = Array.from({ length: 50 }, () => ({
      ...{ field: 'body', operator: 'matches', value: 'a{0,400}b', negate: false },
    }));
    const rule = { conditions: costly };
    const lines = where(
      ({ type }) => type === 'rule',
      (line) => [line, { ...line, id: 50_000, ...rule }, { ...line, id: 50_001, ...rule }],
    )(parse(text).slice(0, -1));
    expect((await to.imported(sealed(lines))).stored).toBeGreaterThan(0);
  });
});

test('what a mail’s message carries is made harmless again', async () => {
  const lines = changing('message', { html: '<p onclick="x()">Hi<script>alert(1)</script></p>' })(
    parse(text).slice(0, -1),
  );
  const to = emptyDesk();
  await to.imported(sealed(lines));
  const { html } = query<{ html: string }>(to.tx, 'SELECT html FROM messages WHERE html IS NOT NULL').get() ?? {
    html: '',
  };
  expect(html).toContain('Hi');
  expect(html).not.toMatch(/script|onclick/);
});

test('a number near the end of all numbers is not taken, so that new rows find theirs', async () => {
  const huge = Number.MAX_SAFE_INTEGER - 1;
  const lines = parse(text).slice(0, -1);
  const extra = { ...(lines.find(({ type }) => type === 'category') as Told), id: huge, slug: 'huge' };
  const to = emptyDesk();
  await to.imported(
    sealed(
      lines.toSpliced(
        lines.findIndex(({ type }) => type === 'priority'),
        0,
        extra,
      ),
    ),
  );
  const { id } = query<{ id: number }>(to.tx, "SELECT id FROM categories WHERE slug = 'huge'").get() ?? { id: huge };
  expect(id).toBeLessThan(1000);
});

describe('cut short', () => {
  test('at any place: a sentence, what came stays, and the whole export completes it to the same desk', async () => {
    const bytes = new TextEncoder().encode(text);
    const whole = emptyDesk();
    whole.clock.set(from.clock.now());
    await whole.imported(text);
    const expected = told(await whole.exported());
    for (const share of [0.05, 0.3, 0.6, 0.9, 0.999]) {
      const to = emptyDesk();
      to.clock.set(from.clock.now());
      const cutting = to.imported(bytes.subarray(0, Math.floor(bytes.length * share)));
      await expect(cutting).rejects.toThrow(/kept in the site web-shop, which is unfinished: run the import again/);
      const { met, stored, wasHere } = await to.imported(text);
      expect(wasHere).toBe(false);
      expect(met + stored).toBe(
        expected.filter(({ type }) => !['site', 'file', 'bytes', 'file_end'].includes(type)).length,
      );
      if (share > 0.5) expect(met).toBeGreaterThan(0);
      expect(told(await to.exported())).toEqual(expected);
      expect(query(to.tx, 'SELECT * FROM import_rows').all()).toEqual([]);
      to.close();
    }
  });

  test('what is unfinished can be removed like any site, and so can what is done; both can come again', async () => {
    const to = emptyDesk();
    await expect(to.imported(text.slice(0, text.length / 2))).rejects.toThrow();
    for (let round = 0; round < 2; round += 1) {
      to.do((tx, ctx) => removeSite(tx, ctx, 'web-shop', 'web-shop', null));
      for (const table of ['imports', 'import_rows', 'tickets', 'ticket_counts'])
        expect(query(to.tx, `SELECT * FROM ${table}`).all()).toEqual([]);
      expect((await to.imported(text)).wasHere).toBe(false);
    }
  });

  test('a second time the whole export changes nothing and says so', async () => {
    const to = emptyDesk();
    await to.imported(text);
    const before = to.everything();
    const again = await to.imported(text);
    expect(again).toMatchObject({ wasHere: true, stored: 0, met: 0, files: 0 });
    expect(to.everything()).toEqual(before);
  });

  test('two side by side: the later one takes over, and the earlier one gives way', async () => {
    const to = emptyDesk();
    const both = await Promise.allSettled([to.imported(text, null, 500), to.imported(text, null, 500)]);
    const refused = both.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused.map(({ reason }) => String(reason))).toEqual([expect.stringContaining('so this one stops')]);
    expect(told(await to.exported()).length).toBe(told(text).length);
  });
});

const typesUntil3: Record<string, string> = { token: 'agent', command_line: 'operator', desk: 'operator' };
/** The history as it was written up to format 3. */
const withOldActors = (lines: readonly Told[]): Told[] =>
  lines.map((line) => {
    const actor = line.actor as { type: string } | undefined;
    return actor === undefined ? line : { ...line, actor: { ...actor, type: typesUntil3[actor.type] ?? actor.type } };
  });

test('an export without the settings of customers’ pages is read, and a logo comes along with its bytes', async () => {
  const settings = { portal: 'form', locale: 'nl', brand: { name: 'Shop', logo: imageUrl('image/gif') } };
  const input = siteChangeInput.parse({ settings });
  from.do((tx, ctx) => changeSite(tx, ctx, 'web-shop', input, null));
  const branded = await from.exported();
  const settingsOf = (desk: Portable) => desk.do((tx, ctx) => readSite(tx, ctx, 'web-shop')).settings;
  const same = emptyDesk();
  await same.imported(branded);
  expect(settingsOf(same)).toEqual(settingsOf(from));
  expect(siteLogo(same.tx, same.do((tx, ctx) => readSite(tx, ctx, 'web-shop')).id)).toEqual({
    contentType: 'image/gif',
    bytes: anImage('image/gif'),
  });
  const { portal: _, customer_links: __, brand: ___, locale: ____, ...former } = settingsOf(from);
  const old = emptyDesk();
  await old.imported(sealed(changing('site', { settings: former })(parse(text).slice(0, -1))));
  expect(settingsOf(old)).toEqual({ ...defaultSettings, ...former });
});

test('an export of format 2, whose channels have no prefix, is read, and they get the usual one', async () => {
  const lines = parse(text)
    .slice(0, -1)
    .map(({ header_prefix: _, ...line }) => line as Told);
  const to = emptyDesk();
  await to.imported(sealed(changing('helpdesk-export', { version: 2 })(withOldActors(lines))));
  expect(query(to.tx, 'SELECT header_prefix FROM channels').all()).toEqual([{ header_prefix: 'X-Helpdesk' }]);
  const same = emptyDesk();
  await same.imported(text);
  expect(query(same.tx, 'SELECT header_prefix FROM channels').all()).toEqual([{ header_prefix: 'X-Acme' }]);
});

describe('the actors of the history', () => {
  const actorOf = (type: string) => ({ actor: { type, id: null, name: null } });
  const actors = (to: ReturnType<typeof emptyDesk>) =>
    query<{ type: string }>(to.tx, "SELECT DISTINCT actor ->> 'type' AS type FROM events ORDER BY 1")
      .all()
      .map(({ type }) => type);

  test('of format 3 get the words of today', async () => {
    const lines = withOldActors(parse(text).slice(0, -1));
    expect(lines.some(({ actor }) => (actor as { type?: string } | undefined)?.type === 'agent')).toBe(true);
    const to = emptyDesk();
    await to.imported(sealed(changing('helpdesk-export', { version: 3 })(lines)));
    const same = emptyDesk();
    await same.imported(text);
    expect(actors(to)).toEqual(actors(same));
    expect(actors(to)).toContain('token');
  });

  test.each([
    [4, 'operator'],
    [4, 'constructor'],
    [3, 'token'],
    [3, 'desk'],
    [3, 'constructor'],
  ])('in format %i are never called %s', async (version, type) => {
    const lines = changing('event', actorOf(type))(parse(text).slice(0, -1));
    const to = emptyDesk();
    await expect(to.imported(sealed(changing('helpdesk-export', { version })(lines)))).rejects.toThrow(/actor\.type/);
  });
});
