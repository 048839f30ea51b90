// The quick part of the tests, side by side: the linter, the types, the source rules and the docs.

const commands = [
  ['biome', 'check', '.'],
  // What the last run found of unchanged files is kept: a check after a small change takes a second in place of a minute.
  [
    'tsc',
    '--noEmit',
    '-p',
    'tsconfig.json',
    '--incremental',
    '--tsBuildInfoFile',
    'node_modules/.cache/types.tsbuildinfo',
  ],
  [process.execPath, 'test', '--only-failures', '--timeout=60000', 'test/tidy.test.ts', 'test/docs.test.ts'],
];

const codes = await Promise.all(
  commands.map(async (command) => {
    const run = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe' });
    const said = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()]);
    const code = await run.exited;
    // In the form in which tests say it, for the end of the gate.
    const failed = code === 0 || command.includes('test') ? '' : `(fail) ${command.join(' ')}\n`;
    console.info(`$ ${command.join(' ')}\n${said.join('')}${failed}`);
    return code;
  }),
);
process.exit(Math.max(...codes));
