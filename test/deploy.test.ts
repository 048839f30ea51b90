// The files for deployment: valid for their programs, and consistent with each other and with the desk.

import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { entries, readConfig } from '../src/base/config.ts';

const root = join(import.meta.dir, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const dockerfile = read('Dockerfile');
const unit = read('deploy/helpdesk.service');
const litefs = read('deploy/litefs.yml');
const shipped = [
  'Dockerfile',
  'fly.toml',
  'docs/deployment.md',
  ...readdirSync(join(root, 'deploy')).map((name) => `deploy/${name}`),
];

/** The parts of the compose file that the tests check. */
const service = z.looseObject({ ports: z.array(z.string()).optional() });
const node = service.extend({
  hostname: z.string(),
  build: z.object({ target: z.string() }),
  environment: z.record(z.string(), z.string()),
  stop_grace_period: z.string(),
});
const composeFile = z.object({
  services: z
    .object({
      node1: node,
      node2: node,
      node3: node,
      caddy: service.extend({ networks: z.object({ cluster: z.object({ ipv4_address: z.string() }) }) }),
    })
    .catchall(service),
  networks: z.object({
    cluster: z.object({ ipam: z.object({ config: z.tuple([z.object({ subnet: z.string() })]) }) }),
  }),
  volumes: z.record(z.string(), z.null()),
});
const compose = composeFile.parse(Bun.YAML.parse(read('deploy/compose.yaml')));

const flyFile = z.object({
  kill_timeout: z.number(),
  build: z.object({ 'build-target': z.string() }),
  env: z.record(z.string(), z.string()),
  mounts: z.array(z.object({ source: z.string(), destination: z.string() })),
  http_service: z.object({
    internal_port: z.number(),
    min_machines_running: z.number(),
  }),
});
const fly = flyFile.parse(Bun.TOML.parse(read('fly.toml')));
/** As the file says to write it for three machines. */
const flyOfThree = flyFile.parse(
  Bun.TOML.parse(
    read('fly.toml')
      .replace(/^# three: (?=[\w-]+ = )/gm, '')
      .replace('build-target = "volume"\n', '')
      .replace('\nmin_machines_running = 1', ''),
  ),
);

/** LiteFS's own substitution: a variable's value, or whether it equals another or a text. */
function expanded(text: string, variables: Record<string, string>): string {
  return text.replace(/\$\{([^}]*)\}/g, (_, inside: string) => {
    const comparison = /^(\w+) *(==|!=) *(?:"(.*)"|(\w+))$/.exec(inside.trim());
    if (!comparison) return variables[inside.trim()] ?? '';
    const [, left = '', operator, quoted, name = ''] = comparison;
    const isEqual = (variables[left] ?? '') === (quoted ?? variables[name] ?? '');
    return String(isEqual === (operator === '=='));
  });
}

// What LiteFS 0.5 knows: it refuses a file with any other key (its cmd/litefs/config.go).
const litefsKeys: Record<string, readonly string[]> = {
  '': [
    'exit-on-error',
    'skip-sync',
    'strict-verify',
    'exec',
    'data',
    'fuse',
    'http',
    'proxy',
    'lease',
    'log',
    'tracing',
  ],
  data: ['dir', 'compress', 'retention', 'retention-monitor-interval'],
  fuse: ['dir', 'allow-other', 'debug'],
  http: ['addr'],
  lease: ['type', 'hostname', 'advertise-url', 'candidate', 'promote', 'reconnect-delay', 'demote-delay', 'consul'],
  'lease.consul': ['url', 'key', 'ttl', 'lock-delay'],
};

function unknownKeys(value: object, path = ''): string[] {
  return Object.entries(value).flatMap(([key, inner]) => {
    const known = litefsKeys[path]?.includes(key) ?? false;
    const below = path === '' ? key : `${path}.${key}`;
    const isSection = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
    return [...(known ? [] : [below]), ...(isSection ? unknownKeys(inner, below) : [])];
  });
}

/** The file with its static variant in place of the one with Consul. */
const staticVariant = `${litefs.slice(0, litefs.indexOf('\nlease:'))}\n${litefs
  .split('\n')
  .filter((line) => line.startsWith('# static> '))
  .map((line) => line.slice('# static> '.length))
  .join('\n')}\n`;

describe('litefs.yml', () => {
  const nodes = {
    HOSTNAME: 'node2',
    LITEFS_CONSUL_URL: 'http://consul:8500',
    LITEFS_PRIMARY: 'node1',
    LITEFS_TTL: '4s',
  };

  test.each([
    ['Consul', litefs],
    ['static', staticVariant],
  ])('has only what LiteFS knows: %s', (_, text) => {
    expect(unknownKeys(Bun.YAML.parse(expanded(text, nodes)) as object)).toEqual([]);
  });

  test('asks for a lease that the Consul of the compose file grants', () => {
    const { lease } = Bun.YAML.parse(expanded(litefs, nodes)) as { lease: { consul: { ttl: string } } };
    expect(lease.consul.ttl).toBe(nodes.LITEFS_TTL);
    const least = Number(/session_ttl_min = "(\d+)s"/.exec(read('deploy/compose.yaml'))?.[1]);
    for (const { environment } of [compose.services.node1, compose.services.node2, compose.services.node3])
      expect(Number.parseInt(environment.LITEFS_TTL ?? '', 10)).toBeGreaterThanOrEqual(least);
  });

  test('renews its lease every half ttl, which is the longest silence that the desk bears', () => {
    const silenceOf = (own: string | undefined) =>
      readConfig({}, own === undefined ? {} : { HELPDESK_MAX_SILENCE: own }).HELPDESK_MAX_SILENCE;
    const ttlOf = (text: string | undefined) => Number(/^(\d+)s$/.exec(text ?? '')?.[1]) * 1_000;
    for (const { environment } of [compose.services.node1, compose.services.node2, compose.services.node3])
      expect(2 * silenceOf(environment.HELPDESK_MAX_SILENCE)).toBe(ttlOf(environment.LITEFS_TTL));
    // The image's own ttl, and the desk's own silence.
    expect(2 * silenceOf(undefined)).toBe(ttlOf(/^ {2}LITEFS_TTL=(\w+)$/m.exec(dockerfile)?.[1]));
    // Part of what a replica waits before it leaves a silent primary: twice the ttl, this, and a second.
    const { lease } = Bun.YAML.parse(expanded(litefs, nodes)) as { lease: { consul: { 'lock-delay': string } } };
    expect(lease.consul['lock-delay']).toBe('1s');
  });

  test('has one primary in the other variant, the node that LITEFS_PRIMARY names', () => {
    const isPrimary = (HOSTNAME: string) =>
      (Bun.YAML.parse(expanded(staticVariant, { ...nodes, HOSTNAME })) as { lease: { candidate: boolean } }).lease
        .candidate;
    expect(['node1', 'node2', 'node3'].filter(isPrimary)).toEqual([nodes.LITEFS_PRIMARY]);
  });

  test('mounts where the image says that the database is, and keeps its own data on the volume beside the desk', () => {
    const config = Bun.YAML.parse(expanded(litefs, nodes)) as {
      fuse: { dir: string };
      data: { dir: string };
    };
    expect(stage('litefs')).toContain(`HELPDESK_LITEFS_DIR=${config.fuse.dir}`);
    expect(stage('litefs')).toContain(`mkdir ${config.fuse.dir}`);
    const volume = /^VOLUME (\S+)$/m.exec(stage('base'))?.[1];
    const deskData = /HELPDESK_DATA=(\S+)/.exec(stage('litefs'))?.[1];
    for (const folder of [config.data.dir, deskData]) expect(folder).toStartWith(`${volume}/`);
    expect(config.data.dir).not.toBe(String(deskData));
  });
});

/** A stage of the Dockerfile, up to the next. */
function stage(name: string): string {
  const from = dockerfile.search(new RegExp(`^FROM \\S+ AS ${name}$`, 'm'));
  expect(from).toBeGreaterThanOrEqual(0);
  const next = dockerfile.indexOf('\nFROM ', from + 1);
  return dockerfile.slice(from, next < 0 ? undefined : next);
}

describe('the image', () => {
  test('is built with the Bun of the project', () => {
    expect(dockerfile).toContain(`ARG BUN_VERSION=${manifest.devDependencies.bun}\n`);
    expect(stage('build')).toContain('FROM oven/bun:$' + '{BUN_VERSION}-slim');
  });

  test('takes what is there, and what the ignore file lets through', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(?:--\S+ )*(.+) \S+$/gm)].flatMap((match) =>
      (match[1] ?? '').split(' '),
    );
    expect(copied.length).toBeGreaterThan(8);
    for (const path of copied) {
      expect(() => statSync(join(root, path))).not.toThrow();
      expect(allowed.some((name) => path === name || path === `./${name}` || path.startsWith(`${name}/`))).toBe(true);
    }
    for (const secret of ['data', 'dist', 'node_modules', '.git', '.env', 'secret.key'])
      expect(allowed).not.toContain(secret);
  });

  test('becomes the user that it has made', () => {
    const user = /--uid (\d+)/.exec(stage('base'))?.[1];
    expect(stage('plain')).toContain(`USER ${user}:${user}\n`);
    expect(read('deploy/as-helpdesk.sh')).toContain(`user=${user}\n`);
    // The last stage is the one that is built when none is named.
    expect(dockerfile.trimEnd().endsWith(stage('plain').trimEnd())).toBe(true);
  });

  test('has scripts that their shells understand', () => {
    for (const [shell, path] of [
      ['sh', 'deploy/as-helpdesk.sh'],
      ['bash', 'deploy/healthcheck.sh'],
    ] as const) {
      expect(statSync(join(root, path)).mode & 0o111).toBe(0o111);
      expect(Bun.spawnSync([shell, '-n', join(root, path)]).exitCode).toBe(0);
    }
  });
});

describe('the health check of the image', () => {
  let status = 200;
  let asked = '';
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      asked = `${request.method} ${new URL(request.url).pathname}`;
      return new Response('{}', { status });
    },
  });
  afterAll(() => server.stop(true));
  const check = async (port: number | undefined) =>
    await Bun.spawn(['bash', join(root, 'deploy/healthcheck.sh')], {
      env: { PATH: process.env.PATH ?? '', HELPDESK_PORT: String(port) },
      stderr: 'ignore',
    }).exited;

  test('passes when the desk answers, and only then', async () => {
    expect(await check(server.port)).toBe(0);
    expect(asked).toBe('GET /healthz');
    for (status of [503, 500, 404, 301]) expect([status, await check(server.port)]).toEqual([status, 1]);
    // No one listens there.
    expect(await check(1)).toBe(1);
  });
});

describe('all of it', () => {
  test.each(shipped)('names only variables that the desk reads: %s', (path) => {
    const names = new Set(read(path).match(/HELPDESK_[A-Z0-9_]+/g) ?? []);
    const unknown = [...names].filter((name) => !(name.replace(/_FILE$/, '') in entries));
    expect(unknown).toEqual([]);
  });

  test('sets them to what the desk takes', () => {
    const ofStage = (name: string) =>
      Object.fromEntries(
        [...`${stage('base')}${stage(name)}`.matchAll(/\b(HELPDESK_\w+)=(\S+)/g)].map(([, key = '', value]) => [
          key,
          value,
        ]),
      );
    const key = { HELPDESK_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') };
    /** As compose fills them in when only the key is set. */
    const ofNode = Object.fromEntries(
      Object.entries(compose.services.node1.environment).map(([name, value]) => [
        name,
        name in key ? key.HELPDESK_SECRET_KEY : value.replace(/^\$\{\w+:-(.*)\}$/, '$1'),
      ]),
    );
    const node = readConfig({}, { ...ofStage('litefs'), ...ofNode });
    expect(node).toMatchObject({
      HELPDESK_DATA: '/data/desk',
      HELPDESK_LITEFS_DIR: '/litefs',
      HELPDESK_PORT: 8080,
      HELPDESK_S3_BUCKET: null,
    });
    expect(readConfig({}, { ...ofStage('volume'), ...fly.env }).HELPDESK_HOST).toBe('::');
    expect(readConfig({}, ofStage('plain')).HELPDESK_DATA).toBe('/data');
    const ofUnit = Object.fromEntries(
      [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name = '', value]) => [name, value]),
    );
    expect(readConfig({}, ofUnit).HELPDESK_DATA).toBe('/var/lib/helpdesk');
  });

  test('gives a stop more time than it takes', () => {
    const serve = Number(/drainMs = ([\d_]+)/.exec(read('src/server/stop.ts'))?.[1]?.replaceAll('_', ''));
    const outbox = Number(/drainMs = ([\d_]+)/.exec(read('src/outbox/dispatcher.ts'))?.[1]?.replaceAll('_', ''));
    const neededSeconds = (serve + outbox) / 1000;
    expect(neededSeconds).toBeGreaterThan(10);
    const given = [
      Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]),
      fly.kill_timeout,
      Number.parseInt(compose.services.node1.stop_grace_period, 10),
      Number(/--stop-timeout (\d+)/.exec(read('docs/deployment.md'))?.[1]),
    ];
    for (const seconds of given) expect(seconds).toBeGreaterThan(neededSeconds + 5);
  });

  test('means the same port and the same volume', () => {
    const port = /^EXPOSE (\d+)$/m.exec(stage('base'))?.[1];
    expect(stage('base')).toContain(`HELPDESK_PORT=${port}`);
    expect([fly.env.HELPDESK_PORT, String(fly.http_service.internal_port)]).toEqual([port, port].map(String));
    const volume = /^VOLUME (\S+)$/m.exec(stage('base'))?.[1];
    expect(fly.mounts.map(({ destination }) => destination)).toEqual([String(volume)]);
    for (const path of ['deploy/Caddyfile', 'deploy/nginx.conf']) expect(read(path)).toContain(`127.0.0.1:${port}`);
    for (const name of ['node1', 'node2', 'node3'] as const) {
      expect(compose.services[name]).toMatchObject({ hostname: name, volumes: [`${name}:${volume}`] });
      expect(read('deploy/Caddyfile.cluster')).toContain(`${name}:${port}`);
      expect(Object.keys(compose.volumes)).toContain(name);
    }
  });

  test('names stages that the image has', () => {
    const targets = [
      fly.build['build-target'],
      flyOfThree.build['build-target'],
      ...['node1', 'node2', 'node3'].map((name) => compose.services[name as 'node1'].build.target),
    ];
    for (const target of targets) stage(target);
  });

  test('publishes nothing but the proxy of the three nodes, and believes that one alone', () => {
    const open = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined);
    expect(open.map(([name]) => name)).toEqual(['caddy']);
    const { ipv4_address: address } = compose.services.caddy.networks.cluster;
    expect(compose.services.node1.environment.HELPDESK_TRUSTED_PROXIES).toBe(address);
    expect(compose.networks.cluster.ipam.config[0].subnet).toBe(address.replace(/\d+$/, '0/24'));
  });

  test('keeps /metrics from what comes through a proxy', () => {
    for (const path of ['deploy/Caddyfile', 'deploy/Caddyfile.cluster'])
      expect(read(path)).toContain('respond /metrics 404');
    expect(read('deploy/nginx.conf')).toMatch(/location = \/metrics \{\s+return 404;/);
  });

  test('has lines for three machines of Fly that fit with the rest of the file', () => {
    expect(flyOfThree.http_service.min_machines_running).toBe(3);
    const variables = [...litefs.matchAll(/\$\{(LITEFS_\w+)/g)].map((match) => match[1]);
    const unread = Object.keys(flyOfThree.env).filter(
      (name) => name.startsWith('LITEFS_') && !variables.includes(name),
    );
    expect(unread).toEqual([]);
  });

  test('gives the service the directory that it makes, and the credentials that it loads', () => {
    const values = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map((match) => match[1]);
    expect(values('Environment')).toContain(`HELPDESK_DATA=/var/lib/${values('StateDirectory')[0]}`);
    const credentials = read('deploy/credentials.conf');
    const loaded = [...credentials.matchAll(/^LoadCredential=([\w-]+):/gm)].map((match) => match[1]);
    const used = [...credentials.matchAll(/^Environment=HELPDESK_\w+_FILE=%d\/([\w-]+)$/gm)].map((match) => match[1]);
    expect(loaded.length).toBeGreaterThan(0);
    expect(used).toEqual(loaded);
  });
});

describe('LiteFS and the desk as two services', () => {
  const cluster = read('deploy/helpdesk-cluster.conf');
  const service = read('deploy/litefs.service');

  test.each([
    ['helpdesk.service', unit],
    ['litefs.service', service],
    ['helpdesk-cluster.conf', cluster],
  ])('have only sections, settings and comments: %s', (_, text) => {
    expect(
      text.split('\n').filter((line) => !/^(?:|#.*|\[(?:Unit|Service|Install)\]|[A-Z]\w+=.*)$/.test(line)),
    ).toEqual([]);
  });

  test('name each other, and mean the same mount', () => {
    expect(service).toMatch(/^PartOf=helpdesk\.service$/m);
    expect(cluster).toMatch(/^Requires=litefs\.service$/m);
    const mount = /^Environment=HELPDESK_LITEFS_DIR=(.*)$/m.exec(cluster)?.[1];
    expect(cluster).toContain(`\nReadWritePaths=${mount}\n`);
    expect(litefs).toContain(`\n  dir: "${mount}"\n`);
  });

  test('start again together for as long as LiteFS ends: systemd counts each start of the desk, and stops at a limit', () => {
    expect(service).toMatch(/^Restart=always$/m);
    expect(unit).toMatch(/^StartLimitBurst=/m);
    const sections = Object.fromEntries(cluster.split(/^\[(?=\w+\]$)/m).map((part) => part.split(']\n')));
    expect(sections.Unit).toMatch(/^StartLimitIntervalSec=0$/m);
  });
});

test('the service of FreeBSD has stopped when daemon(8) has removed its pid file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'helpdesk-test-'));
  const subr = join(folder, 'rc.subr');
  // The part of FreeBSD's own that a stop uses after the process has ended.
  writeFileSync(
    subr,
    'load_rc_config() { :; }\nrun_rc_command() { (sleep 0.3; rm "$pidfile") & "$stop_postcmd"; ls "$pidfile"; }\n',
  );
  const pidFile = join(folder, 'helpdesk.pid');
  writeFileSync(pidFile, '1');
  const script = read('deploy/helpdesk.rc')
    .replace('. /etc/rc.subr', `. ${subr}`)
    .replace(/^pidfile=.*$/m, `pidfile=${pidFile}`);
  const child = Bun.spawn(['sh', '-c', script, 'helpdesk', 'stop'], { stdout: 'pipe', stderr: 'ignore' });
  expect(await new Response(child.stdout).text()).toBe('');
  rmSync(folder, { recursive: true });
});
