// Uploads in many forms: parts that never begin, boundaries that almost match, and more files together than are
// accepted.

import { askAll, filled, openTicket, type Tally, type Target } from './target.ts';

const most = 10 * 1024 * 1024;
const part = (name: string) => `Content-Disposition: form-data; name="file"; filename="${name}"\r\n`;

const bodies: [boundary: string, body: () => string][] = [
  ['b', () => filled(`--b\r\n${part('a.txt')}\r\n`, 'words and words\n', most, '\r\n--b--\r\n')],
  ['b', () => filled('', 'a preamble\r\n', most)],
  ['b', () => filled(`--b\r\n${part('a.txt')}`, 'X: y\r\n', most)],
  ['b', () => filled(`--b\r\n${part('a.txt')}\r\nx\r\n--b--`, 'an epilogue\r\n', most)],
  ['b', () => filled(`--b\r\n${part('a.txt')}\r\n`, '\r\n--', most, '\r\n--b--\r\n')],
  ['b', () => filled(`--b\r\n${part('a.txt')}\r\n`, '\r\n--a', most, '\r\n--b--\r\n')],
  ['a'.repeat(70), () => filled(`--${'a'.repeat(70)}\r\n${part('a.txt')}\r\n`, `\r\n--${'a'.repeat(69)}`, most)],
  ['a'.repeat(70), () => filled(`--${'a'.repeat(70)}\r\n${part('a.txt')}\r\n`, 'a', most)],
  ['b', () => filled(`--b\r\n${part(filled('', 'a', 60_000))}\r\n`, 'x', most, '\r\n--b--\r\n')],
  [
    'b',
    () => filled(`--b\r\nContent-Disposition: form-data; ${filled('', 'name="file"; ', 60_000)}\r\n\r\n`, 'x', most),
  ],
  ['b', () => filled('', '--b\r\n\r\n\r\n', most)],
];

export async function hostileUploads(target: Target): Promise<Tally> {
  const made = await openTicket(target, 'Files');
  const asks = Array.from({ length: 66 }, (_, at) => () => {
    const [boundary, body] = bodies[at % bodies.length] ?? ['b', () => ''];
    return {
      method: 'POST',
      path: `/api/v1/public/tickets/${made.ulid}/attachments?access_token=${made.accessToken}`,
      headers: { 'X-Site-Token': target.siteToken, 'Content-Type': `multipart/form-data; boundary=${boundary}` },
      body: body(),
    };
  });
  return await askAll(target, asks, 33);
}
