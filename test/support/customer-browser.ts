// A customer's browser: it keeps cookies, and its calls come from the desk's own pages.

import { query } from '../../src/engine/database.ts';
import type { Answered, TestApp } from './app.ts';

export interface CustomerBrowser {
  jar: Map<string, string>;
  headers(): Record<string, string>;
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>;
  /** Trades the token of a link. */
  open(ticket: string, token: string): Promise<Answered>;
  /** Asks for a code, takes it from the mail and enters it. */
  confirm(ticket: string): Promise<Answered>;
}

export function customerBrowser(app: TestApp, peer?: string): CustomerBrowser {
  const jar = new Map<string, string>();
  const headers = () => ({
    'Sec-Fetch-Site': 'same-origin',
    ...(jar.size > 0 ? { Cookie: [...jar].map((pair) => pair.join('=')).join('; ') } : {}),
  });
  const ask: CustomerBrowser['ask'] = async (method, path, body, more = {}) => {
    const answer = await app.ask(method, `/api/v1/customer${path}`, {
      body,
      headers: { ...headers(), ...more },
      ...(peer === undefined ? {} : { peer }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=');
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  };
  return {
    jar,
    headers,
    ask,
    open: (ticket, token) => ask('POST', '/links', { ticket, token }),
    async confirm(ticket) {
      await ask('POST', '/codes', { ticket });
      return await ask('POST', '/codes/confirm', { ticket, code: await lastCode(app) });
    },
  };
}

let people = 0;

/** A ticket of someone new, in a browser that has opened it. */
export async function openedTicket(app: TestApp) {
  people += 1;
  const email = `mia${people}@example.org`;
  const { ulid, accessToken } = await app.open({ email });
  const browser = customerBrowser(app);
  const answer = await browser.open(ulid, accessToken);
  if (answer.status !== 200) throw new Error(`The link did not open: ${answer.status} ${answer.text}`);
  return { ulid, accessToken, email, browser };
}

interface SentCode {
  recipient: string;
  code: string;
}

/** The codes that were mailed, oldest first. */
export async function codesSent(app: TestApp): Promise<SentCode[]> {
  await app.mailAsked();
  return query<{ recipient: string; sealed: string }>(
    app.desk.store.reading,
    "SELECT recipient, payload ->> 'code_sealed' AS sealed FROM deliveries WHERE event = 'mail.customer_code' AND payload ->> 'code_sealed' IS NOT NULL ORDER BY id",
  )
    .all()
    .map(({ recipient, sealed }) => ({ recipient, code: app.desk.seal.open(sealed) }));
}

export async function lastCode(app: TestApp): Promise<string> {
  return (await codesSent(app)).at(-1)?.code ?? '';
}
