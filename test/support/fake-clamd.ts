// A virus scanner that speaks clamd's protocol as well, or as badly, as a test wants.

import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from './folders.ts';

/** A file with these words is infected. */
export const virus = 'a very bad file';

export type Manner =
  /** Says OK before it has the file. */
  | 'hasty'
  | 'well'
  | 'silent'
  | 'nonsense'
  | 'endless'
  | 'cut'
  | 'hostile'
  | 'refuses'
  /** Closes the connection in the middle of a file that is infected, and of no other. */
  | 'closes';

export interface FakeClamd {
  address: string;
  manner: Manner;
  /** How many files it got whole. */
  files: number;
  mostAtOnce: number;
  /** Whether it answers PING. */
  isUp: boolean;
  listen(): Promise<void>;
  /** As if it was killed. */
  die(): Promise<void>;
}

const answers: Record<Manner, string | null> = {
  hasty: 'stream: OK\0',
  well: 'stream: OK\0',
  silent: null,
  nonsense: '<html>\0',
  endless: 'x'.repeat(100_000),
  cut: 'stream: OK',
  hostile: 'stream: \u001b[31mEvil\r\n\u202e<b>"\x07 FOUND\0',
  refuses: 'INSTREAM size limit exceeded. ERROR\0',
  closes: 'stream: OK\0',
};

export async function fakeClamd(): Promise<FakeClamd> {
  const open = new Set<Socket>();
  const address = join(temporaryFolder(), 'clamd.sock');
  const fake: FakeClamd = { address, manner: 'well', files: 0, mostAtOnce: 0, isUp: true, listen, die };

  function serve(socket: Socket): void {
    open.add(socket);
    fake.mostAtOnce = Math.max(fake.mostAtOnce, open.size);
    let got = Buffer.alloc(0);
    let isDone = false;
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    socket.on('data', (chunk) => {
      got = Buffer.concat([got, chunk as Buffer]);
      if (isDone) return;
      if (got.includes('zPING\0')) {
        if (fake.isUp) socket.end('PONG\0');
        else socket.destroy();
        return;
      }
      const { manner } = fake;
      const content = fileIn(got);
      const isInfected = got.includes(virus);
      if (manner === 'closes' && isInfected) socket.destroy();
      if (content === null && !['hasty', 'endless', 'refuses'].includes(manner)) return;
      isDone = true;
      if (content !== null) fake.files += 1;
      const answer = isInfected && manner === 'well' ? 'stream: Test.Virus FOUND\0' : answers[manner];
      if (manner === 'hasty') socket.end(answers.hasty ?? '');
      else if (answer !== null) socket.end(answer, 'latin1');
    });
  }

  let server = createServer(serve);
  async function listen(): Promise<void> {
    server = createServer(serve);
    await new Promise<void>((resolve) => server.listen(address, resolve));
  }
  async function die(): Promise<void> {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
  await listen();
  return fake;
}

/** Null until its last chunk is there. */
function fileIn(got: Buffer): Buffer | null {
  const parts: Buffer[] = [];
  let at = 'zINSTREAM\0'.length;
  while (at + 4 <= got.length) {
    const length = got.readUInt32BE(at);
    if (length === 0) return Buffer.concat(parts);
    parts.push(got.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return null;
}
