// The settings of a site as a file: nothing changes without the plan that was shown, and what cannot be read says why.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, testApp } from '../../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const path = '/api/v1/sites/web-shop/settings-file';
const send = (body: object) => app.asTeam('POST', path, body);
const nameNow = async () => (await app.asTeam('GET', '/api/v1/sites/web-shop')).json.data.name;

test('a plan is shown, carried out once it is sent along, and refused when it is not that any more', async () => {
  const yaml = 'version: 1\nname: Lamp shop\n';
  const shown = await send({ yaml });
  expect(shown.json.data).toMatchObject([{ change: 'changed', field: 'name', from: 'Web shop', to: 'Lamp shop' }]);
  expect(shown.json.meta.is_applied).toBe(false);
  expect(await nameNow()).toBe('Web shop');

  const { plan } = shown.json.meta;
  const other = await send({ yaml: yaml.replace('Lamp', 'Other'), plan });
  expect([other.status, other.json.code]).toEqual([409, 'plan_changed']);
  expect(await nameNow()).toBe('Web shop');

  expect((await send({ yaml, plan })).json.meta).toEqual({ plan, is_applied: true });
  expect(await nameNow()).toBe('Lamp shop');
});

test.each([
  ['an alias', 'version: 1\nname: &a Web shop\nlocale: *a\n', 'anchor or alias'],
  ['what is no YAML', 'version: [1\n', 'cannot be read as YAML'],
  ['too deep a nesting', `version: 1\nname: ${'['.repeat(60)}${']'.repeat(60)}\n`, 'nested too deeply'],
])('%s is refused with its reason', async (_, yaml, reason) => {
  const { status, json } = await send({ yaml });
  expect([status, JSON.stringify(json)]).toEqual([422, expect.stringContaining(reason)]);
});

test.each(['- a list', 'version 1', '7'])(
  '%p is no file of settings, and the answer says what is one',
  async (yaml) => {
    const { json } = await send({ yaml });
    expect([json.code, json.errors.file]).toEqual([
      'no_settings',
      ['The file field must be YAML with lines such as "version: 1".'],
    ]);
  },
);
