// What the start does not load: a library that only some desks need, and that takes longer than the rest of it.

import { expect, test } from 'bun:test';
import { resolve } from 'node:path';

test('a desk without a mailbox loads no IMAP library, and one that connects does', async () => {
  const place = (file: string) => JSON.stringify(resolve(import.meta.dir, '../..', file));
  const code = `
    const loaded = () => Object.keys(require.cache).some((path) => path.includes('/imapflow/'));
    await import(${place('cli/commands/serve.ts')});
    await import(${place('src/server/serve.ts')});
    const before = loaded();
    const { connectImap } = await import(${place('src/mail/imap/connection.ts')});
    await connectImap({ host: 'localhost', address: '127.0.0.1', port: 1, tls: 'none', user: 'x', credential: { password: 'x' }, pinned: null }).catch(() => undefined);
    console.log(before, loaded());`;
  const child = Bun.spawn([process.execPath, '-e', code], { env: process.env, stdout: 'pipe' });
  expect((await new Response(child.stdout).text()).trim()).toBe('false true');
}, 30_000);
