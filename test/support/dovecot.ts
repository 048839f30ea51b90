// Debian's Dovecot as an ordinary process: a mailbox to read, with real IDLE, MOVE and UIDVALIDITY.

import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { selfSigned } from './certificates.ts';
import { temporaryFolder } from './folders.ts';

export interface Dovecot {
  ports: { plain: number; tls: number };
  user: string;
  password: string;
  /** Of its certificate. */
  sha256: string;
  /** Puts a message into a folder, as a mail server does. */
  deliver(message: string, folder?: string): void;
  /** How many messages a folder has, by what their flags say. */
  count(folder?: string): { all: number; seen: number };
  doveadm(...words: string[]): string;
  stop(): Promise<void>;
}

export async function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address() as { port: number };
    server.close(() => resolve(port));
  });
  return promise;
}

/** CI installs it, and counts a skipped test as a failure. */
export const hasDovecot = Bun.which('dovecot') !== null && Bun.which('openssl') !== null;

let delivered = 0;

/** @param introspection where access tokens are checked; without it only the password is good */
export async function startDovecot(introspection: string | null = null): Promise<Dovecot> {
  const folder = temporaryFolder();
  const isRoot = process.getuid?.() === 0;
  // Dovecot reads no mail as root.
  const owner = isRoot ? 'dovecot' : userInfo().username;
  const [user, password] = ['help', 'correct horse'];
  const home = join(folder, 'home');
  for (const name of ['home', 'home/Maildir', 'run', 'state']) mkdirSync(join(folder, name), { recursive: true });
  const { key, certificate, sha256 } = selfSigned('localhost');
  writeFileSync(join(folder, 'key.pem'), key);
  writeFileSync(join(folder, 'certificate.pem'), certificate);
  writeFileSync(join(folder, 'users'), `${user}:{PLAIN}${password}\n`);
  const config = join(folder, 'dovecot.conf');
  writeFileSync(
    join(folder, 'oauth'),
    `introspection_mode = post
introspection_url = ${introspection}
username_attribute = username
active_attribute = active
active_value = true
`,
  );
  const configOf = (plain: number, tls: number) => `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
default_internal_user = ${owner}
default_internal_group = ${isRoot ? 'dovecot' : execFileSync('id', ['-gn'], { encoding: 'utf8' }).trim()}
default_login_user = ${isRoot ? 'dovenull' : owner}
mail_uid = ${owner}
mail_gid = ${isRoot ? 'dovecot' : execFileSync('id', ['-gn'], { encoding: 'utf8' }).trim()}
first_valid_uid = 1
mail_home = ${home}
mail_location = maildir:${home}/Maildir
mail_fsync = never
mailbox_idle_check_interval = 1s
auth_failure_delay = 0
disable_plaintext_auth = no
verbose_proctitle = yes
ssl = yes
ssl_cert = <${folder}/certificate.pem
ssl_key = <${folder}/key.pem
namespace inbox {
  inbox = yes
  mailbox Sent {
    auto = create
    special_use = \\Sent
  }
}
${
  introspection === null
    ? ''
    : `auth_mechanisms = plain xoauth2 oauthbearer
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${folder}/oauth
}`
}
passdb {
  driver = passwd-file
  args = ${folder}/users
}
userdb {
  driver = static
  args = uid=${owner} gid=${owner} home=${home}
}
service anvil {
  chroot =
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service stats {
  chroot =
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${plain}
  }
  inet_listener imaps {
    port = ${tls}
    ssl = yes
  }
}
`;
  if (isRoot) execFileSync('chown', ['-R', `${owner}:${owner}`, folder]);
  execFileSync('chmod', ['711', folder]);
  const { server, ended, plain, tls } = await started(config, configOf);
  const doveadm = (...words: string[]) => execFileSync('doveadm', ['-c', config, ...words], { encoding: 'utf8' });
  const maildir = (name: string) => join(home, 'Maildir', ...(name === 'INBOX' ? [] : [`.${name}`]));
  const files = (name: string, part: string) => {
    try {
      return readdirSync(join(maildir(name), part));
    } catch {
      return [];
    }
  };
  return {
    ports: { plain, tls },
    user,
    password,
    sha256,
    deliver(message, name = 'INBOX') {
      delivered += 1;
      for (const part of ['tmp', 'new', 'cur']) {
        mkdirSync(join(maildir(name), part), { recursive: true });
        if (isRoot) chownTo(owner, join(maildir(name), part), maildir(name));
      }
      const file = `${Math.floor(Date.now() / 1000)}.M${delivered}P${process.pid}.test`;
      const text = message.replaceAll(/\r?\n/g, '\r\n');
      writeFileSync(join(maildir(name), 'tmp', file), text);
      if (isRoot) chownTo(owner, join(maildir(name), 'tmp', file));
      renameSync(join(maildir(name), 'tmp', file), join(maildir(name), 'new', file));
    },
    count(name = 'INBOX') {
      const kept = files(name, 'cur');
      const fresh = files(name, 'new');
      return { all: kept.length + fresh.length, seen: kept.filter((file) => /:2,[A-Z]*S/.test(file)).length };
    },
    doveadm,
    async stop() {
      server.kill('SIGTERM');
      await ended;
    },
  };
}

/** Dovecot must be told its ports, and ends when another program has taken one meanwhile: then it starts with others. */
async function started(config: string, configOf: (plain: number, tls: number) => string) {
  for (let tries = 0; tries < 10; tries += 1) {
    const [plain, tls] = [await freePort(), await freePort()];
    writeFileSync(config, configOf(plain, tls));
    const server = spawn('dovecot', ['-c', config, '-F'], { stdio: ['ignore', 'inherit', 'inherit'] });
    let isOver = false;
    const ended = new Promise<void>((resolve) =>
      server.once('exit', () => {
        isOver = true;
        resolve();
      }),
    );
    if (await answers(plain, () => isOver)) return { server, ended, plain, tls };
  }
  throw new Error('Dovecot does not start');
}

const ids = new Map<string, { uid: number; gid: number }>();

function chownTo(owner: string, ...paths: string[]): void {
  let id = ids.get(owner);
  if (id === undefined) {
    const of = (flag: string) => Number(execFileSync('id', [flag, owner], { encoding: 'utf8' }));
    id = { uid: of('-u'), gid: of('-g') };
    ids.set(owner, id);
  }
  for (const path of paths) chownSync(path, id.uid, id.gid);
}

/** Waits for its greeting. @returns false when it has ended instead */
async function answers(port: number, isOver: () => boolean): Promise<boolean> {
  const { connect } = await import('node:net');
  while (!isOver()) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const socket = connect(port, '127.0.0.1');
    socket.once('data', (greeting: Buffer) => resolve(greeting.includes('Dovecot')));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    const isUp = await promise;
    socket.destroy();
    if (isUp) return true;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return false;
}
