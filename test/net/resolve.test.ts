// Host names to addresses: what a silent name server must not hold up, and the message when there is no address.

import { expect, test } from 'bun:test';
import { fileURLToPath } from 'node:url';
import { composeMail } from '../../src/mail/outgoing/compose.ts';
import { checkDestination } from '../../src/net/guarded-fetch.ts';
import { resolveHost, resolvingFault } from '../../src/net/resolve.ts';
import { mailTimeouts, smtpTransport } from '../../src/outbox/mail-transport.ts';
import { frame } from '../mail/frame.ts';
import { startProgram } from '../support/programs.ts';

test('fifty names that no one answers for hold up neither another name nor a file', async () => {
  const child = startProgram([process.execPath, fileURLToPath(new URL('./silent-names.ts', import.meta.url))]);
  const told = JSON.parse(await child.output);
  expect(told.found).toMatch(/^(127\.0\.0\.1|::1)$/);
  expect(told.ended).toBe(0);
  expect(told.asked).toBeGreaterThanOrEqual(50);
}, 20_000);

test('the hosts file is read, and what is loopback there is refused', async () => {
  expect((await resolveHost('localhost')).map(({ address }) => address)).toContain('127.0.0.1');
  const guard = { allow: { permits: () => false }, timeoutMs: 5_000 };
  expect(await checkDestination('http://localhost:9/', guard)).toMatchObject({ kind: 'refused' });
});

test.each([
  ['ENOTFOUND', 'its name does not exist'],
  ['DNS_ENOTFOUND', 'its name does not exist'],
  ['DNS_ENODATA', 'its name has no address'],
  ['DNS_ETIMEOUT', 'its name could not be resolved'],
  ['DNS_ESERVFAIL', 'its name could not be resolved'],
  ['EAI_AGAIN', 'its name could not be resolved'],
  ['ECONNREFUSED', null],
])('%s is said as %p', (code, phrase) => {
  expect(resolvingFault(Object.assign(new Error('x'), { code }))).toBe(phrase);
});

test('a mail server whose name has no address is unreachable, and the mail is kept', async () => {
  const transport = smtpTransport('smtp://mail.example:25', mailTimeouts, () =>
    Promise.reject(Object.assign(new Error('queryA ENOTFOUND mail.example'), { code: 'DNS_ENOTFOUND' })),
  );
  const mail = composeMail(frame(), { kind: 'acknowledgement', isProven: true });
  expect(await transport.send(mail)).toEqual({
    ended: { kind: 'unreachable' },
    response: null,
    error: 'The mail server mail.example cannot be found: its name does not exist.',
  });
});
