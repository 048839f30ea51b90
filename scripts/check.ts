// The quick part of the tests, side by side: the linter, the types for Bun and for Node, the source rules and the docs.

/** What the last run found of unchanged files is kept: a check after a small change takes a second of processor time in place of a minute. */
const types = (project: string) => {
  const known = `node_modules/.cache/${project}.tsbuildinfo`;
  return ['tsc', '--noEmit', '-p', project, '--incremental', '--tsBuildInfoFile', known];
};

const commands = [
  ['biome', 'check', '.'],
  types('tsconfig.json'),
  types('tsconfig.node.json'),
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
