// Writes a stored request to a file as a message that mail programs can open.

import { open, readFile } from 'node:fs/promises';
import { asUnavailable } from '../files/blobs.ts';
import { sourceWithoutLinkSecrets } from '../mail/inbound/link-secrets.ts';
import { originalOf } from '../mail/inbound/original-message.ts';
import type { Jobs } from './jobs.ts';

export async function writeOriginal({
  provider,
  headers,
  path,
  target,
  isForAgents,
}: Jobs['original message']['input']): Promise<Jobs['original message']['output']> {
  const original = await originalOf(provider, { headers, body: await readFile(path) });
  const message = isForAgents ? sourceWithoutLinkSecrets(original) : original;
  try {
    await using file = await open(target, 'wx', 0o600);
    await file.writeFile(message);
  } catch (error) {
    throw asUnavailable(error);
  }
  return { size: message.length };
}
