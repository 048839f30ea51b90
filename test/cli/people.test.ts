// helpdesk agent invite and link: links that let agents in, and what they are worth.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { terminal } from './terminal.ts';

const desk = terminal();
const { type } = desk;
beforeAll(async () => {
  await type('site', 'create', '--name', 'Web shop');
});
afterAll(desk.remove);

test('an invitation adds the agent and prints the link alone on its line', async () => {
  const ran = await type('agent', 'invite', '--email', 'Kim@example.org', '--name', 'Kim', '--role', 'admin');
  expect(ran.code).toBe(0);
  expect(ran.output).toContain('No mail server is configured. Send the link.');
  expect(ran.output.trimEnd().split('\n').at(-1)).toMatch(/^http:\/\/\S+\/invitation#hdl_[\w-]{43}$/);
});

test('an agent who is known is invited again, and changed to what is said', async () => {
  const again = await type(
    ...['agent', 'invite', '--email', 'kim@example.org', '--name', 'Kim Sato'],
    ...['--role', 'viewer', '--site', 'web-shop', '--json'],
  );
  const { data, invitation_url: url } = again.json() as unknown as { data: object; invitation_url: string };
  expect(data).toMatchObject({ name: 'Kim Sato', role: 'viewer', invited_at: expect.any(String), has_password: false });
  expect(url).toContain('/invitation#hdl_');
  expect((await type('agent', 'list', '--json')).json().data).toHaveLength(1);
});

test('a one-time link names its agent by address or id', async () => {
  const one = await type('agent', 'link', 'kim@example.org');
  expect(one.output.trimEnd().split('\n').at(-1)).toMatch(/^http:\/\/\S+\/sign-in#hdl_[\w-]{43}$/);
  const ran = await type('agent', 'link', '1', '--json');
  expect(String((ran.json() as unknown as { sign_in_url: string }).sign_in_url)).toContain('/sign-in#hdl_');
});

test('no link is given to an agent who is inactive or not there', async () => {
  expect((await type('agent', 'link', 'no-one@example.org')).code).toBe(3);
  await type('agent', 'update', 'kim@example.org', '--active', 'no');
  const refused = await type('agent', 'link', 'kim@example.org');
  expect([refused.code, refused.errors.trim()]).toEqual([1, 'Kim Sato is not active.']);
});

test('links are in the audit log, without their secrets', async () => {
  const ran = await type('audit', 'list', '--json');
  const actions = (ran.json().data as unknown as { action: string }[]).map(({ action }) => action);
  expect(actions.filter((action) => action.startsWith('agent.'))).toEqual(
    expect.arrayContaining(['agent.invited', 'agent.linked', 'agent.created']),
  );
  expect(ran.output).not.toContain('hdl_');
});
