// How many statements SQLite runs for what is asked most often.

import { expect, test } from 'bun:test';
import type { Statement } from '../../src/platform/sqlite.ts';
import { type TestApp, testApp } from '../support/app.ts';

/** The texts of what is run to answer. Asked once before, so that what is kept from one request to the next is there. */
async function ranFor(app: TestApp, path: string): Promise<string[]> {
  const { client } = app.desk.store.reading;
  const prepare = client.prepare.bind(client);
  const ran: string[] = [];
  client.prepare = ((text: string) => {
    const statement = prepare(text) as unknown as Statement;
    const counted =
      (run: (...values: never[]) => unknown) =>
      (...values: never[]) => {
        ran.push(text);
        return run.apply(statement, values);
      };
    return {
      get: counted(statement.get),
      all: counted(statement.all),
      values: counted(statement.values),
      run: counted(statement.run),
      finalize: () => statement.finalize(),
    };
  }) as typeof client.prepare;
  await app.asTeam('GET', path);
  // After a commit nothing of an answer is kept.
  await app.open();
  ran.length = 0;
  const { status } = await app.asTeam('GET', path);
  client.prepare = prepare;
  expect(status).toBe(200);
  return ran.filter((text) => !/^(BEGIN|COMMIT)/.test(text));
}

test('a search with few hits counts none of them again', async () => {
  const app = await testApp();
  for (let at = 0; at < 20; at += 1) await app.open();
  const ran = await ranFor(app, '/api/v1/tickets?q=save');
  expect(ran.filter((text) => /FROM ticket_search/.test(text))).toHaveLength(1);
  expect(ran.filter((text) => /FROM messages|CROSS JOIN messages/.test(text))).toHaveLength(2);
  expect(ran.filter((text) => /count\(/.test(text) && !/FROM site_removals/.test(text))).toEqual([]);
  await app.close();
});

test('a ticket that fits into one piece is read with few statements', async () => {
  const app = await testApp();
  const { ulid } = await app.open();
  const ran = await ranFor(app, `/api/v1/tickets/${ulid}`);
  expect(ran.filter((text) => /FROM messages/.test(text))).toHaveLength(2);
  expect(ran.filter((text) => /FROM events/.test(text))).toHaveLength(1);
  expect(ran.filter((text) => /FROM tickets/.test(text))).toHaveLength(1);
  // They are kept until they change.
  expect(ran.filter((text) => /FROM desk_settings/.test(text))).toHaveLength(0);
  // And one for whether mail to the author comes back.
  expect(ran.filter((text) => /FROM mail_suppressions/.test(text))).toHaveLength(1);
  expect(ran.length).toBeLessThanOrEqual(12);
  await app.close();
});
