// Slow hashes of passwords. Node computes them on a thread of its pool, not on the event loop.

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);
const saltBytes = 32;
const tagBytes = 32;

const plain = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '');

/** @returns a PHC string: `$argon2id$v=19$m=…,t=…,p=1$salt$hash` */
export async function argon2Hash(text: string, cost: { memoryKib: number; passes: number }): Promise<string> {
  const nonce = randomBytes(saltBytes);
  const { memoryKib: memory, passes } = cost;
  const tag = await derive('argon2id', { message: text, nonce, memory, passes, parallelism: 1, tagLength: tagBytes });
  return `$argon2id$v=19$m=${memory},t=${passes},p=1$${plain(nonce)}$${plain(tag)}`;
}

export async function argon2Verify(text: string, hash: string): Promise<boolean> {
  const parts = /^\$(argon2id|argon2i|argon2d)\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(hash);
  if (parts === null) throw new Error('The stored hash of a password is malformed.');
  const [, algorithm = '', memory, passes, parallelism, salt = '', expected = ''] = parts;
  const wanted = Buffer.from(expected, 'base64');
  const found = await derive(algorithm as 'argon2id', {
    message: text,
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: wanted.length,
  });
  return timingSafeEqual(found, wanted);
}
