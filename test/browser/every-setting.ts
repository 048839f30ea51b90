// A desk with one of everything that can be set, the screens of its settings, and what the desk answers to them in other states.

import type { Visitor } from './browser.ts';
import { type BrowserDesk, startDesk } from './desk.ts';
import { waitUntil } from './wait.ts';

export interface SetDesk extends BrowserDesk {
  owner: string;
  site: { id: number; slug: string; inbound_webhook_url: string };
  /** Of an application that opens tickets at the site. */
  siteToken: string;
  api: (method: string, path: string, body?: object) => Promise<{ data: Row & Row[] }>;
  /** Paths of what is one of many, such as the page of a rule, and of what is added. */
  pages: readonly string[];
}

interface Row {
  id: number;
  slug: string;
  name: string;
  key: string;
  inbound_webhook_url: string;
}

export async function startSetDesk(): Promise<SetDesk> {
  // The screens are opened faster than a person does.
  const desk = await startDesk(
    'localhost',
    { HELPDESK_MAIL_ALLOW: 'localhost,127.0.0.1', HELPDESK_RATE_SESSION: '0' },
    ['--demo'],
  );
  const printed = (before: string) => desk.output().split(`${before}\n`)[1]?.split('\n')[0] ?? '';
  const token = printed('Its team token:');
  const api: SetDesk['api'] = async (method, path, body) => {
    const response = await fetch(`${desk.url}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Awaited<ReturnType<SetDesk['api']>>;
  };
  const [site] = (await api('GET', '/sites')).data;
  if (site === undefined) throw new Error('The demo has no site.');
  const base = `/sites/${site.id}`;
  const first = async (path: string) => (await api('GET', path)).data[0]?.id;
  const made = async (path: string, body: object) => (await api('POST', path, body)).data.id;
  desk.sql(`INSERT INTO mailboxes (site_id, name, address, provider, authentication, incoming, outgoing, secret_sealed,
    first_days, save_sent, is_paused, created_at, version)
    VALUES (${site.id}, 'Help', 'help@shop.example', 'other', 'password', '{"type":"imap","host":"localhost","port":1,
    "tls":"none","user":"help","certificate_sha256":null,"folder":"INBOX","after_filing":"leave","move_to":null}', NULL, 'x',
    NULL, 0, 1, 0, 1)`);
  const person = (await api('GET', '/agents')).data.find(({ id }) => id !== 1)?.id;
  const rule = await made(`${base}/inbound-rules`, {
    name: 'Invoices',
    conditions: [{ field: 'subject', operator: 'contains', value: 'invoice' }],
    actions: [{ type: 'add_tags', value: ['billing'] }],
  });
  const trigger = await made(`${base}/triggers`, {
    ...{ name: 'Escalate', on: ['created'], actions: [{ type: 'add_tags', value: ['urgent'] }] },
    conditions: [{ field: 'subject', operator: 'contains', value: 'urgent' }],
  });
  const timedRule = await made(`${base}/timed-rules`, {
    ...{ name: 'Close', since: 'status_changed', minutes: 10_080 },
    ...{ conditions: [{ field: 'status', operator: 'equals', value: 'resolved' }] },
    actions: [{ type: 'set_status', value: 'closed' }],
  });
  const recurring = await made(`${base}/recurring-tickets`, {
    ...{ name: 'Backups', schedule: '0 9 * * 1' },
    ticket: { email: 'ops@example.org', subject: 'Check the backups', message: 'Restore one.' },
  });
  const channel = await made(`${base}/webhook-channels`, {
    name: 'Hook',
    type: 'custom',
    webhook_url: 'https://hooks.example.org/x',
    events: ['ticket.created'],
  });
  const team = (await desk.command('team', 'create', '--name', 'Second level')).data.id;
  const macro = await made('/macros', { name: 'Thanks', site_id: site.id, changes: { status: 'resolved' } });
  const pages = [
    `mailboxes/${await first(`${base}/mailboxes`)}`,
    `writing/${await first(`${base}/senders`)}`,
    'mail-templates/acknowledgement-en',
    `webhooks/${channel}`,
    `categories/${await first(`${base}/categories`)}`,
    `priorities/${await first(`${base}/priorities`)}`,
    `custom-fields/${await first(`${base}/custom-fields`)}`,
    `rules/${rule}`,
    `triggers/${trigger}`,
    `timed-rules/${timedRule}`,
    `recurring-tickets/${recurring}`,
    `macros/${macro}`,
    `people/${person}`,
    `teams/${team}`,
    `tokens/${(await desk.command('token', 'list')).data[0].id}`,
    'mail-apps/google',
    ...[
      'mailboxes',
      'writing',
      'webhooks',
      'categories',
      'priorities',
      'custom-fields',
      'rules',
      'triggers',
      'timed-rules',
      'recurring-tickets',
      'macros',
      'people',
      'teams',
      'tokens',
    ].map((one) => `${one}/new`),
  ];
  return {
    ...desk,
    owner: 'noor@demo-shop.example',
    site,
    siteToken: printed('The token of its first site:'),
    api,
    pages,
  };
}

/** The sections that this agent sees, from the links to them. */
export const sectionsIn = ({ page }: Visitor): Promise<string[]> =>
  page.$$eval('.settings > nav a', (links) =>
    links.map((link) => (link.getAttribute('href') ?? '').replace(/^\/settings\/|\?.*$/g, '')),
  );

type State = 'as it is' | 'refused' | 'failing' | 'slow' | 'empty' | 'many';

interface Patched extends Window {
  desk?: { state: State; asked: string[]; open: number; release: () => void };
}

/** From now on the desk seems to answer so to what the settings ask. Runs in the page. */
export async function answering({ page }: Visitor, state: State): Promise<void> {
  await page.evaluate((wanted: State) => {
    const own = window as Patched;
    if (own.desk !== undefined) {
      own.desk.state = wanted;
      own.desk.asked = [];
      if (wanted !== 'slow') own.desk.release();
      return;
    }
    const ofShell = /^\/api\/v1\/(?:session|changes|live|views|tickets\/counts|notices)\b/;
    const real = window.fetch.bind(window);
    let waiting: (() => void)[] = [];
    const desk: Patched['desk'] = {
      state: wanted,
      asked: [],
      open: 0,
      release() {
        for (const one of waiting) one();
        waiting = [];
      },
    };
    own.desk = desk;
    const refusal = (status: number, code: string) =>
      new Response(JSON.stringify({ message: 'Refused.', code, request_id: 'request-1' }), {
        status,
        headers: { 'Content-Type': 'application/json', 'X-Request-Id': 'request-1' },
      });
    const manyOf = (rows: { id?: number; ulid?: string; name?: string }[]) =>
      Array.from({ length: 500 }, (_, at) => {
        const row = rows[at % rows.length] ?? {};
        return {
          ...row,
          ...('id' in row ? { id: at < rows.length ? row.id : 100_000 + at } : {}),
          ...('name' in row ? { name: `${row.name} ${at}` } : {}),
          ...('key' in row ? { key: `key_${at}` } : {}),
        };
      });
    const patched = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const path = String(input);
      if ((init?.method ?? 'GET') !== 'GET' || !path.startsWith('/api/v1/') || ofShell.test(path))
        return real(input, init);
      const { state } = desk;
      desk.asked.push(path);
      desk.open += 1;
      try {
        if (state === 'refused') return refusal(403, 'forbidden');
        if (state === 'failing') return refusal(500, 'internal_error');
        if (state === 'slow') await new Promise<void>((resolve) => waiting.push(resolve));
        const response = await real(input, init);
        if (state !== 'empty' && state !== 'many') return response;
        const body = await response.json();
        if (!Array.isArray(body.data)) return new Response(JSON.stringify(body), response);
        // What has no number is a list that the desk itself has, such as its mail templates.
        const isFixed = body.data[0]?.id == null;
        const data = isFixed ? body.data : state === 'empty' ? [] : manyOf(body.data);
        const meta = { ...body.meta, total: data.length };
        return new Response(JSON.stringify({ ...body, data, meta }), response);
      } finally {
        desk.open -= 1;
      }
    };
    window.fetch = Object.assign(patched, { preconnect: () => undefined });
  }, state);
}

/** Opens a screen without loading the console again. */
export async function open({ page }: Visitor, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

/** Everything has been answered and drawn. @param sign is there when the screen is */
export async function settled(
  { page }: Visitor,
  what: string,
  sign = '.settings-section h1, .page-note h1',
): Promise<void> {
  await waitUntil(`${what} has settled`, () =>
    page.evaluate(async (wanted) => {
      const isStill = () =>
        (window as Patched).desk?.open === 0 && document.querySelector('[aria-busy="true"]') === null;
      if (!isStill()) return false;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return isStill() && document.querySelector(wanted) !== null;
    }, sign),
  );
}

/** What the screen asked the desk for in this state. */
export const asked = ({ page }: Visitor): Promise<string[]> =>
  page.evaluate(() => (window as Patched).desk?.asked ?? []);

/** What a person would find wrong with any screen, whatever its state. Runs in the page. */
export const oddities = ({ page }: Visitor): Promise<string[]> =>
  page.evaluate(() => {
    const section = document.querySelector<HTMLElement>('.settings-section');
    if (section === null) return ['there is no section'];
    const text = section.innerText;
    const heading = section.querySelector('h1')?.textContent?.trim() ?? '';
    return [
      ...(heading === '' ? ['no heading'] : []),
      ...(text.replace(heading, '').trim().length < 20 ? [`nearly blank: ${text}`] : []),
      ...(/\bundefined\b|\bNaN\b|\[object |\binternal_error\b|\bforbidden\b|Invalid Date/.exec(text) ?? []),
    ];
  });
