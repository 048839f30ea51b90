// A desk with a site whose customers have every page, and tickets that they opened.

import { type BrowserDesk, startDesk } from './desk.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
type Json = any;

interface OpenedTicket {
  ulid: string;
  reference: string;
  /** As an application gives it to its customer. */
  link: string;
}

export interface CustomerDesk extends BrowserDesk {
  site: Json;
  /** Where the form is. */
  door: string;
  /** @param more fields of the ticket; Mia Jansen writes, unless they say otherwise */
  openTicket: (subject: string, message: string, more?: object) => Promise<OpenedTicket>;
  /** A call of a program with a team token. */
  api: (method: string, path: string, body?: unknown) => Promise<Json>;
}

export async function startCustomerDesk(...settings: string[]): Promise<CustomerDesk> {
  const desk = await startDesk();
  const name = ['--name', 'Bike shop', '--brand-color', '#0f766e', '--portal', 'form_and_tickets'];
  const { data: site, site_token: siteToken } = await desk.command('site', 'create', ...name, ...settings);
  const { token } = await desk.command('token', 'issue', '--name', 'tests', '--abilities', 'read,write,manage');

  async function call(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Json> {
    const response = await fetch(`${desk.url}/api/v1${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  }

  return {
    ...desk,
    site,
    door: `${desk.url}/s/${site.slug}`,
    async openTicket(subject, message, more = {}) {
      const body = { email: 'mia@example.org', name: 'Mia Jansen', subject, message, ...more };
      const opened = await call('POST', '/public/tickets', { 'X-Site-Token': siteToken }, body);
      const { ulid, reference } = opened.ticket;
      return { ulid, reference, link: `${desk.url}/t/${ulid}#${opened.access_token}` };
    },
    api: (method, path, body) => call(method, path, { Authorization: `Bearer ${token}` }, body),
  };
}
