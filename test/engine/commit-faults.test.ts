// SQLite's errors under LiteFS where a machine must not write: at the COMMIT, after everything before it has succeeded.

import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { query, type Store } from '../../src/engine/database.ts';
import { createWriter } from '../../src/engine/writer.ts';
import { temporaryFolder } from '../support/folders.ts';
import { startProgram } from '../support/programs.ts';
import { emptyStore } from '../support/store.ts';

test('IOERR_WRITE (778) at the COMMIT, from the operating system: refused, nothing kept, and the next write goes on', async () => {
  const child = new URL('./limited-writer.ts', import.meta.url).pathname;
  const path = join(temporaryFolder(), 'helpdesk.db');
  // 2 MB in blocks of 512 bytes; when the signal is ignored, the write fails.
  const limited = startProgram([
    'sh',
    '-c',
    `trap '' XFSZ; ulimit -f 4000; exec "$0" "$1" "$2"`,
    process.execPath,
    child,
    path,
  ]);
  expect([await limited.errors, await limited.ended]).toEqual(['', { code: 0, signal: null }]);
  expect(JSON.parse(await limited.output)).toEqual({
    // Insert and read succeed: only the COMMIT fails.
    stages: ['insert 1', 'reads back 1', 'insert 1', 'reads back 2', 'insert 1', 'reads back 2'],
    refused: { code: 'unavailable', reason: 'storage_unavailable', retryAfterSeconds: 5, cause: null },
    rows: { n: 2, longest: 6 },
    isOpen: false,
  });
});

describe('an error thrown in place of the COMMIT', () => {
  /** The store with handles whose COMMIT throws. */
  function failing(store: Store, code: string, errno: number): Store {
    const { client } = store.writing;
    const prepare = client.prepare.bind(client);
    const broken = Object.create(client, {
      inTransaction: { get: () => client.inTransaction },
      prepare: {
        value: (text: string) => {
          const statement = prepare(text);
          if (text !== 'COMMIT') return statement;
          return {
            run: () => {
              throw Object.assign(new Error('disk I/O error'), { name: 'SQLiteError', code, errno });
            },
          };
        },
      },
      run: { value: client.run.bind(client) },
    });
    return { ...store, writing: { ...store.writing, client: broken } };
  }

  const faults: [code: string, errno: number][] = [
    ['SQLITE_IOERR_WRITE', 778],
    ['SQLITE_READONLY_DIRECTORY', 1544],
    ['SQLITE_PROTOCOL', 15],
    ['SQLITE_READONLY', 8],
  ];
  for (const [code, errno] of faults) {
    test(`${code} (${errno}) refuses all that shared it, tells no one of a result, and leaves no transaction open`, async () => {
      const { store } = emptyStore();
      store.writing.client.run('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT');
      const writer = createWriter(failing(store, code, errno));
      const effects: string[] = [];
      const refused = await Promise.all(
        ['one', 'two', 'three'].map((text) =>
          writer
            .write((tx) => {
              query(tx, 'INSERT INTO notes (text) VALUES (?)').run(text);
              return text;
            })
            .then(
              (stored) => effects.push(stored),
              (error) => error,
            ),
        ),
      );
      expect(effects).toEqual([]);
      expect(refused).toMatchObject(
        Array(3).fill({ code: 'unavailable', reason: 'storage_unavailable', retryAfterSeconds: 5 }),
      );
      expect(store.writing.client.inTransaction).toBe(false);
      expect(query(store.reading, 'SELECT text FROM notes').all()).toEqual([]);
      store.close();
    });
  }
});
