// Writes a stored request to a file as a message that mail programs can open.

import { open, readFile } from 'node:fs/promises';
import { asUnavailable } from '../files/blobs.ts';
import { originalOf } from '../mail/inbound/original-message.ts';
import type { Jobs } from './jobs.ts';

export async function writeOriginal({
  provider,
  headers,
  path,
  target,
}: Jobs['original message']['input']): Promise<Jobs['original message']['output']> {
  const message = await originalOf(provider, { headers, body: await readFile(path) });
  try {
    const file = await open(target, 'wx', 0o600);
    try {
      await file.writeFile(message);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw asUnavailable(error);
  }
  return { size: message.length };
}
