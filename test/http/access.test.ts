// What an operation admits: an unknown word admits no one.

import { expect, test } from 'bun:test';
import type { Access } from '../../src/http/credentials/access.ts';
import { authenticate } from '../../src/http/credentials/authenticate.ts';
import type { Edge } from '../../src/http/operation.ts';

test('an operation with an unknown access is refused', () => {
  for (const access of ['toString', 'session', ''])
    expect(() =>
      authenticate(
        {} as Edge,
        access as Access,
        () => undefined,
        '192.0.2.1',
        0,
        { allowances: [] },
        new URL('http://x'),
      ),
    ).toThrow('admits no one');
});
