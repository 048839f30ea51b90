// A disk that fills is said before it is full, once for each step.

import { expect, test } from 'bun:test';
import type { Log } from '../../src/base/log.ts';
import { createRoomCheck } from '../../src/server/watch.ts';

test('90 % and 95 % are said and told once each, and it is said that there is room again', () => {
  const said: string[] = [];
  const note = (level: string) => (fields: object, text: string) =>
    void said.push(`${level} ${JSON.stringify((fields as { used_percent: number }).used_percent)} ${text.slice(-12)}`);
  const log = { info: note('info'), warn: note('warn'), error: note('error') } as unknown as Log;
  let share = 0.5;
  const check = createRoomCheck(
    '/data',
    log,
    () => void said.push('told'),
    () => share,
  );
  for (share of [0.5, 0.9, 0.93, 0.895, 0.905, 0.951, 0.949, 0.96, 0.93, 0.4, 0.96]) check();
  expect(said).toEqual([
    'told',
    'warn 90 s filling up',
    'told',
    'error 95 n be written',
    'warn 93 s filling up',
    'info 40 s room again',
    'told',
    'error 96 n be written',
  ]);
});
