// A database that was imported into a mount can be older than erasures noted on this machine.

import { expect, test } from 'bun:test';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '#platform/sqlite.ts';
import { openDataDirectory } from '../../src/data/directory.ts';
import { eraseAllAgain } from '../../src/data/erasures.ts';
import type { OtherMachines } from '../../src/data/other-machines.ts';
import { eraseAuthor } from '../../src/desk/customers/authors.ts';
import { erasuresAfter } from '../../src/desk/customers/erasure.ts';
import { query } from '../../src/engine/database.ts';
import { siteById } from '../../src/store/sites/sites.ts';
import { temporaryFolder } from '../support/folders.ts';
import { busyDesk, configFor } from './copying.ts';

const primary: OtherMachines = {
  isPrimary: () => true,
  requirePrimary: () => undefined,
  whyNoDatabase: () => 'There is none.',
  fetchFile: () => () => Promise.reject(new Error('there is no other machine')),
};

test('a new primary erases again who is in an imported database, and only once', async () => {
  const path = join(temporaryFolder(), 'data');
  const mount = join(temporaryFolder(), 'mount');
  mkdirSync(mount);
  const desk = await busyDesk(path);
  await desk.open('one');
  const imported = join(mount, 'helpdesk.db');
  await desk.data.desk.write((tx) => {
    query(tx, 'INSERT INTO authors (site_id, email, is_verified, created_at) VALUES (1, ?, 0, 1)').run('b@example.org');
    return null;
  });
  const snapshot = openDatabase(join(path, 'helpdesk.db'), 'existing');
  snapshot.query('VACUUM INTO ?').run(imported);
  snapshot.close();
  const ctx = () => desk.data.desk.context({ kind: 'command_line' }, 'test');
  await desk.data.desk.write((tx) => eraseAuthor(tx, ctx(), { site_id: 1, email: 'a@example.org' }));
  await desk.data.close();

  const config = {
    ...configFor(path),
    HELPDESK_LITEFS_DIR: mount,
    HELPDESK_SECRET_KEY: readFileSync(join(path, 'secret.key'), 'utf8').trim(),
  };
  const emails = async () => {
    const data = openDataDirectory(config, primary);
    const read = () =>
      data.desk.read((tx) =>
        query<{ email: string }>(tx, 'SELECT email FROM authors ORDER BY id')
          .all()
          .map(({ email }) => email),
      );
    const before = read();
    await data.removeErased();
    const after = read();
    await data.close();
    return { before, after };
  };
  const erased = ['anonymised+1@anonymised.invalid', 'b@example.org'];
  expect(await emails()).toEqual({ before: ['a@example.org', 'b@example.org'], after: erased });
  expect(await emails()).toEqual({ before: erased, after: erased });
  const noted = readFileSync(join(path, 'erasures.jsonl'), 'utf8').split('\n').filter(Boolean);
  expect(noted.length).toBe(2);
});

test('many authors are looked through in steps, and an interrupted search begins again', async () => {
  const { data } = await busyDesk(join(temporaryFolder(), 'data'));
  const { desk } = data;
  await desk.write((tx) => {
    query(
      tx,
      `WITH RECURSIVE more(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM more WHERE n < 1200)
       INSERT INTO authors (site_id, email, is_verified, created_at) SELECT 1, 'a' || n || '@example.org', 0, 1 FROM more`,
    ).run();
    return null;
  });
  const site = desk.read((tx) => siteById(tx, 1));
  const known = [1, 1199].map((n) => ({
    siteId: 1,
    originUlid: null,
    authorId: n,
    externalId: null,
    email: desk.seal.fingerprint(`erased-email/${site?.originUlid}`, `a${n}@example.org`),
    at: 2,
  }));
  const erased = () => desk.read((tx) => erasuresAfter(tx, 0, 10).length);
  const before = desk.writer.batches.steps;
  expect(await eraseAllAgain(desk, known, () => erased() > 0)).toBe(1);
  expect([erased(), desk.writer.batches.steps - before]).toEqual([1, 1]);
  expect(await eraseAllAgain(desk, known, () => false)).toBe(1);
  expect(erased()).toBe(2);
  expect(desk.writer.batches.steps - before).toBeGreaterThanOrEqual(4);
  expect(await eraseAllAgain(desk, known, () => false)).toBe(0);
  await data.close();
});
