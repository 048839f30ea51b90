// The quick part of the tests, side by side: the linter, the types, the source rules and the docs.

const commands = [
  ['biome', 'check', '.'],
  [process.execPath, 'run', 'check:types'],
  [process.execPath, 'test', '--only-failures', '--timeout=60000', 'test/tidy.test.ts', 'test/docs.test.ts'],
];

const codes = await Promise.all(
  commands.map(async (command) => {
    const run = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe' });
    const said = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()]);
    console.info(`$ ${command.join(' ')}\n${said.join('')}`);
    return run.exited;
  }),
);
process.exit(Math.max(...codes));
