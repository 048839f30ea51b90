// The imitated mailbox of `bench/mailbox.ts`, in a process of its own. Prints its port; each line that it reads is a number of
// messages that arrive. Old messages are only counted: the desk has no reason to read them.

import { startImapServer } from '../test/support/imap-server.ts';
import { typicalMail } from './typical-mail.ts';

const [waiting = 0, old = 0] = process.argv.slice(2).map(Number);
const server = await startImapServer();
let uid = old;

// The site trusts this server: DNS is not what is measured.
const vouched = 'Authentication-Results: mx.provider.example; dmarc=pass header.from=example.com\r\n';

function arrive(count: number): void {
  for (let each = 0; each < count; each += 1) {
    uid += 1;
    server.messages.push({
      uid,
      text: vouched + typicalMail('help@shop.example').toString('latin1'),
      date: new Date(),
    });
  }
}

arrive(waiting);
server.misbehave = (line, tag) => {
  if (old === 0) return undefined;
  if (/^(SELECT|EXAMINE)/i.test(line))
    return `* ${old + server.messages.length} EXISTS\r\n* OK [UIDVALIDITY 7] valid\r\n* OK [UIDNEXT ${uid + 1}] next\r\n${tag} OK [READ-WRITE] done\r\n`;
  const from = Number(/^UID SEARCH UID (\d+):\*/i.exec(line)?.[1] ?? 0);
  // As servers do, the newest message is named, whatever its number.
  return from > uid ? `* SEARCH ${uid}\r\n${tag} OK done\r\n` : undefined;
};
console.log(server.port);
for await (const line of console) {
  arrive(Number(line));
  server.announce();
}
await server.stop();
