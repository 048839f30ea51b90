// The group-commit writer: shared commits, steps that fail alone, and a full disk.

import { describe, expect, test } from 'bun:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '#platform/sqlite.ts';
import { DeskError } from '../../src/domain/errors.ts';
import { query, type Store, type Tx } from '../../src/engine/database.ts';
import { createWriter } from '../../src/engine/writer.ts';
import { emptyStore } from '../support/store.ts';

/** No time passes for the writer, so that a slow machine ends no transaction before its last step. */
function setUp() {
  const { store, path } = emptyStore();
  store.writing.client.run('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT');
  return { store, path, writer: createWriter(store, { passedMs: () => 0 }) };
}

const put = (text: string) => (tx: Tx) => {
  query(tx, 'INSERT INTO notes (text) VALUES (?)').run(text);
  return text;
};

function texts(store: Store): string[] {
  return query<{ text: string }>(store.reading, 'SELECT text FROM notes ORDER BY id')
    .all()
    .map(({ text }) => text);
}

async function refusalOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('writes that wait together', () => {
  test('share commits, and each gets its own answer', async () => {
    const { store, writer } = setUp();
    const answers = await Promise.all(Array.from({ length: 500 }, (_, at) => writer.write(put(`note ${at}`))));
    expect(answers).toEqual(Array.from({ length: 500 }, (_, at) => `note ${at}`));
    expect(texts(store)).toEqual(answers);
    expect(writer.batches.steps).toBe(500);
    expect(writer.batches.commits).toBeLessThan(50);
    store.close();
  });

  test('run in the order in which they came', async () => {
    const { store, writer } = setUp();
    const order: string[] = [];
    await Promise.all(Array.from({ length: 300 }, (_, at) => writer.write((tx) => order.push(put(`${at}`)(tx)))));
    expect(order).toEqual(Array.from({ length: 300 }, (_, at) => `${at}`));
    store.close();
  });

  test('are answered only when another process can see them', async () => {
    const { store, path, writer } = setUp();
    const other = openDatabase(path, 'existing');
    const seen = other.prepare<{ n: number }, [string]>('SELECT count(*) AS n FROM notes WHERE text = ?');
    let whileRunning: number | undefined;
    await Promise.all(
      Array.from({ length: 40 }, async (_, at) => {
        const text = `note ${at}`;
        await writer.write((tx) => {
          put(text)(tx);
          whileRunning = seen.get(text)?.n;
        });
        expect(seen.get(text)?.n).toBe(1);
      }),
    );
    expect(whileRunning).toBe(0);
    other.close();
    store.close();
  });

  test('leave the event loop free while another process writes', async () => {
    const { store, path, writer } = setUp();
    const other = openDatabase(path, 'existing');
    other.run('BEGIN IMMEDIATE');
    other.run("INSERT INTO notes (text) VALUES ('theirs')");
    let isWritten = false;
    const writing = writer.write(put('ours')).then(() => {
      isWritten = true;
    });
    // This could not end if waiting for the other process blocked this one.
    for (let turn = 0; turn < 10; turn += 1) await sleep(5);
    expect(isWritten).toBe(false);
    other.run('COMMIT');
    await writing;
    expect(texts(store)).toEqual(['theirs', 'ours']);
    other.close();
    store.close();
  });

  test('undo only the step that fails', async () => {
    const { store, writer } = setUp();
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) =>
        writer.write((tx) => {
          put(`first ${at}`)(tx);
          if (at % 5 === 0) throw new Error(`step ${at}`);
          put(`second ${at}`)(tx);
          return at;
        }),
      ),
    );
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(4);
    expect(results[5]).toMatchObject({ status: 'rejected', reason: { message: 'step 5' } });
    expect(texts(store)).toHaveLength(32);
    expect(texts(store)).not.toContain('first 5');
    expect(writer.batches.commits).toBe(1);
    store.close();
  });

  test('undo a step that is the only one', async () => {
    const { store, writer } = setUp();
    const refused = await refusalOf(
      writer.write((tx) => {
        put('lost')(tx);
        throw new Error('no');
      }),
    );
    expect(refused).toMatchObject({ message: 'no' });
    expect(await writer.write(put('kept'))).toBe('kept');
    expect(texts(store)).toEqual(['kept']);
    expect(writer.refusal()).toBeNull();
    store.close();
  });

  test('run once more, each for itself, when one of those that may run again fails', async () => {
    const { store, writer } = setUp();
    const ran: number[] = [];
    const step = (at: number) => (tx: Tx) => {
      ran.push(at);
      put(`${at}`)(tx);
      if (at === 3) throw new Error(`step ${at}`);
      return at;
    };
    // The second is not told to, so it parts those before it from those after it.
    const results = await Promise.allSettled([0, 1, 2, 3, 4].map((at) => writer.write(step(at), at !== 1)));
    expect(ran).toEqual([0, 1, 2, 3, 2, 3, 4]);
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, true, true, false, true]);
    expect(results[3]).toMatchObject({ reason: { message: 'step 3' } });
    expect(texts(store)).toEqual(['0', '1', '2', '4']);
    expect(writer.batches.commits).toBe(1);
    store.close();
  });

  test('run once each, in one savepoint, when none of them fails', async () => {
    const { store, writer } = setUp();
    let ran = 0;
    const step = (at: number) => (tx: Tx) => {
      ran += 1;
      return put(`${at}`)(tx);
    };
    await Promise.all([0, 1, 2, 3].map((at) => writer.write(step(at), true)));
    expect(ran).toBe(4);
    expect(texts(store)).toEqual(['0', '1', '2', '3']);
    store.close();
  });

  test("a constraint that a step breaks is that step's error, not a fault of the storage", async () => {
    const { store, writer } = setUp();
    const [good, bad] = await Promise.allSettled([
      writer.write(put('kept')),
      writer.write((tx) => query(tx, 'INSERT INTO notes (text) VALUES (NULL)').run().changes),
    ]);
    expect(good?.status).toBe('fulfilled');
    expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'SQLITE_CONSTRAINT_NOTNULL' } });
    expect(texts(store)).toEqual(['kept']);
    store.close();
  });

  test('are split into batches when they are many, so that no answer waits long', async () => {
    const { store, writer } = setUp();
    await Promise.all(Array.from({ length: 400 }, (_, at) => writer.write(put(`${at}`))));
    expect(writer.batches.commits).toBeGreaterThanOrEqual(Math.ceil(400 / 128));
    store.close();
  });
});

test('are all rejected when their commit fails, and nothing is stored', async () => {
  const { store, writer } = setUp();
  const { client } = store.writing;
  client.run('CREATE TABLE parents (id INTEGER PRIMARY KEY) STRICT');
  client.run('CREATE TABLE children (id INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED) STRICT');
  // A deferred constraint is what SQLite checks at COMMIT and not before.
  const results = await Promise.allSettled([
    writer.write(put('innocent')),
    writer.write((tx) => query(tx, 'INSERT INTO children VALUES (7)').run().changes),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(texts(store)).toEqual([]);
  expect(await writer.write(put('next'))).toBe('next');
  expect(texts(store)).toEqual(['next']);
  store.close();
});

describe('a full disk', () => {
  const filler = 'x'.repeat(40_000);

  test('refuses every write as unavailable, reading goes on, and writes work again when there is room', async () => {
    const { store, writer } = setUp();
    const { client } = store.writing;
    await writer.write(put('before'));
    const pages = client.query<{ page_count: number }, []>('PRAGMA page_count').get()?.page_count ?? 0;
    client.run(`PRAGMA max_page_count = ${pages + 2}`);
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => writer.write(put(filler))));
    for (const result of results) {
      expect(result.status).toBe('rejected');
      const { reason } = result as PromiseRejectedResult;
      expect(reason).toBeInstanceOf(DeskError);
      expect(reason).toMatchObject({ code: 'unavailable', reason: 'storage_unavailable' });
      expect((reason as DeskError).retryAfterSeconds).toBeGreaterThan(0);
    }
    expect(texts(store)).toEqual(['before']);
    expect(client.inTransaction).toBe(false);
    client.run('PRAGMA max_page_count = 1000000');
    expect(await writer.write(put('after'))).toBe('after');
    expect(texts(store)).toEqual(['before', 'after']);
    store.close();
  });

  test('a small write beside one that does not fit is either kept and answered, or refused and gone', async () => {
    const { store, writer } = setUp();
    const { client } = store.writing;
    await writer.write(put('before'));
    const pages = client.query<{ page_count: number }, []>('PRAGMA page_count').get()?.page_count ?? 0;
    client.run(`PRAGMA max_page_count = ${pages + 2}`);
    const [small, big] = await Promise.allSettled([writer.write(put('small')), writer.write(put(filler))]);
    expect(big?.status).toBe('rejected');
    expect(texts(store).includes('small')).toBe(small?.status === 'fulfilled');
    store.close();
  });
});

describe('another process that holds the lock', () => {
  test('beyond the timeout makes the write unavailable, and the next one works', async () => {
    const { store, path } = setUp();
    const writer = createWriter(store, { busyMs: 50 });
    const other = openDatabase(path, 'existing');
    other.run('BEGIN IMMEDIATE');
    expect(await refusalOf(writer.write(put('blocked')))).toMatchObject({ code: 'unavailable' });
    other.run('ROLLBACK');
    other.close();
    expect(await writer.write(put('free'))).toBe('free');
    expect(texts(store)).toEqual(['free']);
    store.close();
  });
});

describe('closing', () => {
  test('settles what is queued and refuses what comes later', async () => {
    const { store, writer } = setUp();
    const queued = Array.from({ length: 300 }, (_, at) => writer.write(put(`${at}`)));
    const closing = writer.close();
    const late = refusalOf(writer.write(put('late')));
    await closing;
    expect(texts(store)).toHaveLength(300);
    expect((await Promise.all(queued)).length).toBe(300);
    expect(await late).toMatchObject({ code: 'unavailable' });
    store.close();
  });

  test('settles even when the last writes fail', async () => {
    const { store, writer } = setUp();
    const failing = refusalOf(
      writer.write(() => {
        throw new Error('no');
      }),
    );
    await writer.close();
    expect(await failing).toMatchObject({ message: 'no' });
    store.close();
  });

  test('of an idle writer is done at once', async () => {
    const { store, writer } = setUp();
    await writer.close();
    await writer.close();
    store.close();
  });
});

test('listeners are called after each commit, and one that throws stops no other', async () => {
  const { store, writer } = setUp();
  const heard: number[] = [];
  writer.onCommit(() => {
    throw new Error('a listener of someone');
  });
  writer.onCommit(() => {
    heard.push(texts(store).length);
  });
  await writer.write(put('one'));
  await writer.write(put('two'));
  await Promise.all(Array.from({ length: 300 }, (_, at) => writer.write(put(`${at}`))));
  expect(heard.slice(0, 2)).toEqual([1, 2]);
  expect(heard.at(-1)).toBe(302);
  store.close();
});

test('a step cannot be asynchronous', async () => {
  const { store, writer } = setUp();
  // @ts-expect-error an asynchronous step would be committed before it had run
  const write = () => writer.write(async (tx: Tx) => put('never')(tx));
  expect(write).toBeFunction();
  store.close();
});

describe('a guard', () => {
  test('that refuses after a commit leaves its outcome unknown, and confirms nothing', async () => {
    const { store, writer } = setUp();
    let isPrimary = true;
    writer.guard(() => {
      if (!isPrimary) throw new DeskError('unavailable', 'This machine is a replica.', { retryAfterSeconds: 1 });
    });
    const lost = await refusalOf(
      writer.write((tx) => {
        isPrimary = false;
        return put('perhaps')(tx);
      }),
    );
    expect(lost).toMatchObject({ code: 'unavailable', reason: 'outcome_unknown' });
    expect((lost as Error).message).toMatch(
      /^This machine stopped being the primary during this write, so it may or may not/,
    );
    expect(texts(store)).toEqual(['perhaps']);
    expect(() => writer.requireWritable()).toThrow('This machine is a replica.');
    isPrimary = true;
    await writer.write(put('after'));
    expect(() => writer.requireWritable()).not.toThrow();
    expect(texts(store)).toEqual(['perhaps', 'after']);
  });

  test('refuses all waiting steps before they run, and admits later ones when it agrees again', async () => {
    const { store, writer } = setUp();
    let isPrimary = true;
    let asked = 0;
    writer.guard(() => {
      asked += 1;
      if (!isPrimary) throw new DeskError('unavailable', 'This machine is a replica.', { retryAfterSeconds: 1 });
    });
    await writer.write(put('before'));
    isPrimary = false;
    let ran = 0;
    const refused = await Promise.all(
      Array.from({ length: 5 }, () =>
        refusalOf(
          writer.write((tx) => {
            ran += 1;
            return put('never')(tx);
          }),
        ),
      ),
    );
    expect(refused).toMatchObject(Array(5).fill({ code: 'unavailable', message: 'This machine is a replica.' }));
    expect(ran).toBe(0);
    isPrimary = true;
    await writer.write(put('after'));
    expect(texts(store)).toEqual(['before', 'after']);
    expect(asked).toBeGreaterThanOrEqual(3);
    store.close();
  });
});
