// Mail that is hard to read, many together, through the providers' endpoints, as anyone can send it.

import { askAll, filled, type Tally, type Target } from './target.ts';

const head = (at: number, more: string) =>
  `From: Mia <mia${at}@customer.example>\r\nTo: shop@desk.example\r\nSubject: Hello ${at}\r\nMessage-ID: <${at}.${Math.random()}@customer.example>\r\n${more}\r\n`;
const html = 'Content-Type: text/html; charset=utf-8\r\n';
const half = 512 * 1024;

const shapes: ((at: number) => string)[] = [
  (at) => filled(head(at, html), '<p>', half),
  (at) => filled(head(at, html), '<div><table><tr><td>', half),
  (at) => filled(head(at, html), '<a href="javascript:x" style="color:red">', half),
  (at) => filled(head(at, html), '<blockquote>a', half),
  (at) => filled(head(at, html), '&amp;&#x41;', half),
  (at) => filled(head(at, html), '<b x=', half),
  (at) => filled(head(at, html), '<!--', half),
  (at) => filled(head(at, ''), 'On Mon, 1 Jan 2026 a <b@c.de> wrote:\r\n', half),
  (at) => filled(head(at, ''), '> a\r\n', half),
  (at) => filled(head(at, ''), '\r\n', half),
  (at) => filled(head(at, 'Content-Transfer-Encoding: quoted-printable\r\n'), '=ZZ=', half),
  (at) => filled(head(at, ''), 'begin 644 a\r\n', half),
  (at) => filled(head(at, 'Content-Type: multipart/mixed; boundary=b\r\n'), '--b\r\n\r\nx\r\n', half),
  (at) => filled(head(at, 'References: '), '<a@b.example> ', half, '\r\n\r\nx'),
  (at) => filled(head(at, 'Cc: '), 'a@b.example, ', half, 'c@d.example\r\n\r\nx'),
  (at) => filled(head(at, 'Subject: '), '=?utf-8?q?=C3=A4?= ', half, '\r\n\r\nx'),
];

export async function hostileMail(target: Target, count: number): Promise<Tally> {
  const asks = Array.from({ length: count }, (_, at) => () => ({
    method: 'POST',
    path: `/api/webhooks/raw/inbound/${target.inboundSecret}`,
    headers: { 'Content-Type': 'message/rfc822' },
    body: (shapes[at % shapes.length] ?? String)(at),
  }));
  return await askAll(target, asks, 60);
}

/** Close to the size limit, in the forms in which providers wrap it. */
export async function largeMail(target: Target): Promise<Tally> {
  const most = 24 * 1024 * 1024;
  const post = (provider: string, type: string, body: () => string) => () => ({
    method: 'POST',
    path: `/api/webhooks/${provider}/inbound/${target.inboundSecret}`,
    headers: { 'Content-Type': type },
    body: body(),
  });
  const asks = [
    post('raw', 'message/rfc822', () => filled(head(1, html), '<p>', most)),
    post('raw', 'message/rfc822', () => filled(head(2, html), '<div>', most)),
    post('raw', 'message/rfc822', () => filled(head(3, ''), 'word ', most)),
    post('postmark', 'application/json', () => JSON.stringify({ HtmlBody: filled('', '<p>', most) })),
    post('postmark', 'application/json', () => filled('{"Headers":', '[', most)),
    post('postmark', 'application/json', () => `{"Headers":[${filled('', '{},', most)}{}]}`),
    post('sendgrid', 'multipart/form-data; boundary=b', () => filled('', '--b\r\n\r\n\r\n', most)),
    post('mailgun', 'application/x-www-form-urlencoded', () => filled('', 'a=%41&', most)),
  ];
  return await askAll(target, asks, 8);
}

/** More of it together than a desk could hold in memory: what does not fit has to wait, or is refused. */
export async function crowdsOfLargeMail(target: Target): Promise<Tally> {
  const megabyte = 1024 * 1024;
  const post = (provider: string, type: string, body: () => string) => () => ({
    method: 'POST',
    path: `/api/webhooks/${provider}/inbound/${target.inboundSecret}`,
    headers: { 'Content-Type': type },
    body: body(),
  });
  const line = `${'JVBERi0xLjQK'.repeat(6)}\r\n`;
  const file =
    'Content-Type: application/pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n';
  const withFile = (at: number) =>
    `${head(at, 'Content-Type: multipart/mixed; boundary=b\r\n')}--b\r\n${file}${line.repeat(Math.floor((24 * megabyte) / line.length))}--b--\r\n`;
  const fields = (at: number) =>
    JSON.stringify({
      ...{ From: `mia${at}@customer.example`, Subject: `Mail ${at}`, TextBody: 'See the files.' },
      Attachments: [1, 2, 3].map((n) => ({
        ...{ Name: `${n}.pdf`, ContentType: 'application/pdf', Content: 'JVBERi0xLjQK'.repeat(megabyte) },
      })),
    });
  return await askAll(
    target,
    [
      ...Array.from({ length: 40 }, (_, at) => post('raw', 'message/rfc822', () => withFile(at))),
      ...Array.from({ length: 20 }, (_, at) => post('postmark', 'application/json', () => fields(at))),
    ],
    20,
  );
}
