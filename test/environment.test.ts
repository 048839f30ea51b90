// Tests begin alike on every machine, also where its owner has a desk, another zone or another language.

import { expect, test } from 'bun:test';
import { plainEnvironment } from './support/environment.ts';

test('settings of a desk, language, zone and colours do not reach a test', () => {
  const kept = { PATH: '/bin', HOME: '/root', HELPDESK_TEST_LONG: '1', HELPDESK_EXECUTABLE: 'dist/helpdesk' };
  const left = { HELPDESK_PORT: '1', HELPDESK_DATA: '/x', HELPDESK_NODE_ID: 'x', LANG: 'de_DE.UTF-8', LC_ALL: 'C' };
  const colours = { NO_COLOR: '1', FORCE_COLOR: '1' };
  expect(plainEnvironment({ ...kept, ...left, ...colours, TZ: 'Pacific/Chatham' })).toEqual({ ...kept, TZ: 'UTC' });
});

test('this process has a plain environment, also in its clock and for its children', () => {
  expect({ ...process.env }).toEqual(plainEnvironment(process.env));
  expect(new Date(0).getTimezoneOffset()).toBe(0);
  expect(new Intl.DateTimeFormat().resolvedOptions().timeZone).toBe('UTC');
  const child = Bun.spawnSync(['env'], { env: process.env });
  expect(child.stdout.toString()).not.toMatch(/^(?:HELPDESK_(?!TEST_)|LANG=|LC_|NO_COLOR)/m);
});
