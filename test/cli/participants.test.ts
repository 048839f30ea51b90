// helpdesk ticket with several people: who takes part, whom a reply goes to, and tickets that an agent opens.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { terminal } from './terminal.ts';

const desk = terminal();
const { type } = desk;
const people = ['--cc', '"Berg, Bo" <BO@example.org>, cy@example.org', '--cc', 'Di <di@example.org>'];
const opened = ['--site', 'web-shop', '--email', 'mia@example.org', '--subject', 'One', '--body', 'It fails.'];
beforeAll(async () => {
  await type('site', 'create', '--name', 'Web shop');
  await type('ticket', 'open', ...opened, ...people, '--notify', 'no', '--source', 'phone');
});
afterAll(desk.remove);

const on = async () =>
  (await type('ticket', 'participants', '1', '--json')).json().data as unknown as {
    id: number;
    email: string;
    name: string | null;
    removed_at: string | null;
  }[];

test('a ticket is opened for several people, without any mail', async () => {
  expect((await on()).map(({ email, name }) => [email, name])).toEqual([
    ['bo@example.org', 'Berg, Bo'],
    ['cy@example.org', null],
    ['di@example.org', 'Di'],
  ]);
  const { data } = (await type('ticket', 'show', '1', '--json')).json();
  expect(data).toMatchObject({ source: 'phone' });
  expect((await type('outbox', 'list', '--json')).json().data).toEqual([] as never);
  expect((await type('ticket', 'show', '1')).output).toMatch(/participants +bo@example\.org, cy@example\.org, di@/);
});

test('people are added, removed and listed, and removed ones come back', async () => {
  const added = await type('ticket', 'add-participant', '1', '--email', 'ed@example.org', '--name', 'Ed');
  expect(added.output).toMatch(/^id +address +name +added +removed +paused\n\d+ +ed@example\.org +Ed /);
  const { id } = (await on()).at(-1) ?? { id: 0 };
  expect((await type('ticket', 'remove-participant', '#1', String(id))).output.trim()).toBe(
    `Participant ${id} of #1 was removed.`,
  );
  expect((await on()).at(-1)?.removed_at).not.toBeNull();
  await type('ticket', 'add-participant', '1', '--email', 'ed@example.org');
  expect((await on()).at(-1)?.removed_at).toBeNull();
  expect((await type('ticket', 'remove-participant', '1', '999')).code).toBe(3);
  expect((await type('ticket', 'add-participant', '1', '--email', 'nowhere')).errors).toContain('email');
});

test('a reply goes to those whom it names, from the sender that it names', async () => {
  const added = await type('sender', 'add', '--site', 'web-shop', '--address', 'sales@shop.example', '--json');
  const { id } = added.json().data as unknown as { id: number };
  const to = ['--to', 'bo@example.org', '--cc', 'Fay <fay@example.org>', '--bcc', 'gus@example.org'];
  const { reply } = (
    await type('ticket', 'reply', '1', '--body', 'Hello.', ...to, '--from', String(id), '--json')
  ).json();
  expect((reply as unknown as { recipients: object[] }).recipients).toMatchObject([
    { email: 'bo@example.org', as: 'to' },
    { email: 'fay@example.org', name: 'Fay', as: 'cc' },
    { email: 'gus@example.org', as: 'bcc' },
  ]);
  expect(reply).toMatchObject({ sender_id: id });
  expect((await type('ticket', 'reply', '1', '--body', 'Hello.', '--to', 'nowhere')).errors).toContain('to.0.email');
});
