// A spam filter that speaks rspamd's protocol as well, or as badly, as a test wants.

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Manner = 'well' | 'silent' | 'nonsense' | 'endless' | 'cut' | 'hostile' | 'wild' | 'refuses' | 'redirects';

export interface FakeRspamd {
  url: string;
  manner: Manner;
  /** A message has the score that its X-Test-Score says. */
  asked: { headers: IncomingMessage['headers']; body: string }[];
  /** Whether it answers /ping. */
  isUp: boolean;
  stop(): Promise<void>;
}

const answers: Record<Exclude<Manner, 'well' | 'silent' | 'endless' | 'cut' | 'redirects' | 'refuses'>, string> = {
  nonsense: '<html>',
  hostile: '{"score":7,"symbols":{"\\u001b[31mEVIL\\u202e<b>":{"score":7},"__proto__":{"score":1}}}',
  wild: '{"score":1e308,"symbols":{}}',
};

export async function fakeRspamd(): Promise<FakeRspamd> {
  const server = createServer((request, response) => {
    if (request.url === '/ping') {
      response.writeHead(fake.isUp ? 200 : 503).end(fake.isUp ? 'pong\r\n' : '');
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('latin1');
      fake.asked.push({ headers: request.headers, body });
      const { manner } = fake;
      if (manner === 'silent') return;
      if (manner === 'redirects') response.writeHead(302, { location: `${fake.url}/ping` }).end();
      else if (manner === 'refuses') response.writeHead(500).end('{"error":"no"}');
      else if (manner === 'endless') response.end('x'.repeat(3_000_000));
      else if (manner === 'cut') {
        response.writeHead(200, { 'content-length': '1000' }).write('{"score":1', () => response.destroy());
      } else if (manner === 'well') {
        const score = Number(/^X-Test-Score: (\S+)/m.exec(body)?.[1] ?? 0);
        const symbols = { SMALL: { score: 0.1 }, TEST_RULE: { score } };
        response.end(JSON.stringify({ is_skipped: false, score, required_score: 15, action: 'no action', symbols }));
      } else response.end(answers[manner]);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fake: FakeRspamd = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    manner: 'well',
    asked: [],
    isUp: true,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}
