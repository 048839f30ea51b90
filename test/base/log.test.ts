// An error in the log has its kind and stack, but none of the data that caused it.

import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import * as z from 'zod';
import { errorFields } from '../../src/base/log.ts';

const secret = 'mia.jansen@example.org';

function caught(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

const lines = `first\n    at ${secret} (x)\nlast`;
const causes: Record<string, unknown> = {
  'a message with the value': caught(() => {
    throw new Error(`no such author ${secret}`);
  }),
  'a message of several lines': caught(() => {
    throw new TypeError(`bad\n${secret}\n`);
  }),
  'an error of SQLite': caught(() => new Database(':memory:').run(`SELECT "${secret}" FROM nowhere`)),
  'an error of zod': caught(() => z.literal('x').parse(secret)),
  'an error of JSON': caught(() => JSON.parse(`{"${secret}`)),
  'a URL': caught(() => new URL(`http://${secret}:x:y`)),
  'an error with a cause': caught(() => {
    throw new Error('outer', { cause: new Error(secret) });
  }),
  'no error at all': secret,
  'an object': { email: secret },
};

describe('an error in the log', () => {
  for (const [what, error] of Object.entries(causes)) {
    test(`keeps values to itself: ${what}`, () => {
      expect(JSON.stringify(errorFields(error))).not.toContain(secret);
    });
  }

  test('says its kind and where', () => {
    const fields = errorFields(causes['an error of SQLite']);
    expect(fields.error).toMatch(/^SQLiteError/);
    expect(errorFields(causes['a message with the value']).stack).toContain('log.test.ts');
    expect(errorFields('text')).toEqual({ error: 'string' });
  });

  test('a message made to look like a frame stays out too', () => {
    expect(JSON.stringify(errorFields(new Error(lines)))).not.toContain(secret);
  });
});

test.each(['json', 'pretty'])('a log whose disk is full fails nothing that is logged: %s', (format) => {
  const script = `
    const { createLog } = await import(${JSON.stringify(import.meta.resolve('../../src/base/log.ts'))});
    const log = await createLog('info', '${format}');
    for (let at = 0; at < 100; at += 1) log.info({ at, fill: 'x'.repeat(50_000) }, 'told');
    console.log('goes on');
  `;
  const { stdout } = spawnSync('sh', ['-c', 'exec "$0" -e "$1" 2>/dev/full', process.execPath, script], {
    encoding: 'utf8',
  });
  expect(stdout).toBe('goes on\n');
});
