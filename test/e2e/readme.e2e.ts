// The README's quick start, with its own commands, in an empty directory.

import { afterAll, expect, test } from 'bun:test';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bareEnvironment, executable, newDirectory, serve } from './executable.ts';

const readme = readFileSync(join(import.meta.dir, '../../README.md'), 'utf8');
const blocks = [...readme.matchAll(/<!-- quick-start -->\n```sh\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
const { path, remove } = newDirectory();
afterAll(remove);

test('the quick start does what it says', async () => {
  expect(blocks.length).toBe(5);
  expect(Bun.which('curl'), 'this test needs curl').not.toBeNull();
  symlinkSync(executable, join(path, 'helpdesk'));
  const running = await serve(path);
  try {
    expect(running.output()).toContain('site create --name');
    expect(running.output()).toContain('token issue --name');
    const marker = '--- next step ---';
    const script = blocks.join(`\necho; echo '${marker}'\n`).replace('http://127.0.0.1:8080', running.url);
    writeFileSync(join(path, 'quick-start.sh'), script);
    const shell = Bun.spawn(['sh', '-eu', 'quick-start.sh'], {
      cwd: path,
      env: { ...bareEnvironment, PATH: `${path}:${bareEnvironment.PATH}` },
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [output, errors, code] = await Promise.all([
      new Response(shell.stdout).text(),
      new Response(shell.stderr).text(),
      shell.exited,
    ]);
    expect(errors).toBe('');
    expect(code).toBe(0);
    const [, opened = '', answered = '', thread = '', found = ''] = output.split(marker);
    expect(opened).toContain('"message":"Ticket created."');
    expect(answered).toContain('"message":"Reply added."');
    expect(thread).toContain('This is fixed. Please reload the page.');
    expect(thread).toContain('"message":"File attached."');
    expect(found).toContain('"subject":"Cannot save my settings"');
    expect(found).toMatch(/#1 +resolved/);
  } finally {
    running.signal('SIGTERM');
    expect(await running.exited).toBe(0);
  }
});
