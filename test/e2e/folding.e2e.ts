// The executable folds replies with the library inside it, and runs nothing from the current directory.

import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mail } from '../desk/mail/mail-desk.ts';
import { helpdesk, newDirectory } from './executable.ts';

const { path, remove } = newDirectory();
afterAll(remove);

test('a reply loses what it quotes, and re2 beside the data is left alone', async () => {
  const planted = join(path, 'node_modules/re2');
  mkdirSync(planted, { recursive: true });
  writeFileSync(join(planted, 'package.json'), '{"name":"re2","version":"1.0.0","main":"index.js"}');
  writeFileSync(
    join(planted, 'index.js'),
    `require('node:fs').writeFileSync(${JSON.stringify(join(path, 'was-run'))}, ''); module.exports = RegExp;`,
  );
  await helpdesk(path, ['site', 'create', '--name', 'Web shop']);
  const body =
    'The second tray is empty.\r\n\r\nOn Tue, Sep 8, 2026 at 3:14 PM Desk Support wrote:\r\n> Hello,\r\n> again\r\n';
  const { code, errors } = await helpdesk(path, ['mail', 'ingest', '--site', 'web-shop'], mail({ body }).toString());
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  const database = new Database(join(path, 'data/helpdesk.db'), { readonly: true });
  database.run('PRAGMA busy_timeout = 5000');
  const messages = database.query('SELECT body FROM messages').all();
  database.close();
  expect(messages).toEqual([{ body: 'The second tray is empty.' }]);
  expect(existsSync(join(path, 'was-run'))).toBe(false);
});
