// A process whose name server never answers: looks up many names there, and reports whether another name was found before one of them was given up.

import { createSocket } from 'node:dgram';
import { setServers } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { resolveHost } from '../../src/net/resolve.ts';

const server = createSocket('udp4');
let asked = 0;
server.on('message', () => {
  asked += 1;
});
await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', () => resolve()));
setServers([`127.0.0.1:${server.address().port}`]);
let ended = 0;
for (let turn = 0; turn < 50; turn += 1) {
  const settle = () => {
    ended += 1;
  };
  void resolveHost(`silent${turn}.example`).then(settle, settle);
}
while (asked < 50 && ended === 0) await new Promise((resolve) => setTimeout(resolve, 5));
const [found] = await resolveHost('localhost');
await readFile(import.meta.filename);
process.stdout.write(JSON.stringify({ asked, ended, found: found?.address }));
process.exit(0);
