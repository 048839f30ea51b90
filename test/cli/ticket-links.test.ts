// helpdesk ticket links and revoke-links: what administrators see of customers’ links, and ending them.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { terminal } from './terminal.ts';

const desk = terminal();
const { type } = desk;
beforeAll(async () => {
  await type('site', 'create', '--name', 'Web shop');
  await type(
    'ticket',
    'open',
    '--site',
    'web-shop',
    '--email',
    'mia@example.org',
    '--subject',
    'One',
    '--body',
    'It fails.',
  );
  await type('ticket', 'reply', '1', '--body', 'Does it still?');
});
afterAll(desk.remove);

test('links are listed with their address and use, without their secret', async () => {
  const listed = await type('ticket', 'links', '#1');
  expect(listed.code).toBe(0);
  expect(listed.output).toMatch(/mia@example\.org +mail +\S+ +0 +– +no +–/);
  expect(listed.output).not.toContain('hdl_');
  const { data } = (await type('ticket', 'links', '1', '--json')).json();
  // That of the acknowledgement is made when it leaves.
  expect(data).toHaveLength(1);
  expect(data[0]).toMatchObject({ kind: 'mail', address: 'mia@example.org', uses: 0, revoked_at: null });
});

test('they end together, after a question', async () => {
  expect((await type('ticket', 'revoke-links', '1')).code).toBe(2);
  expect((await type('ticket', 'links', '1', '--json')).json().data[0]?.revoked_at).toBeNull();
  const revoked = await type('ticket', 'revoke-links', '1', '--yes');
  expect(revoked.output.trim()).toBe('2 links are revoked.');
  const { data } = (await type('ticket', 'links', '1', '--json')).json();
  expect(data.map((link) => link.revoked_at)).not.toContain(null);
  expect((await type('ticket', 'revoke-links', '1', '--yes', '--json')).json().data).toMatchObject({ revoked: 0 });
});

test('a ticket that is not there has none', async () => {
  expect((await type('ticket', 'links', '99')).code).toBe(3);
  expect((await type('ticket', 'revoke-links', '99', '--yes')).code).toBe(3);
});
