// Commands that file mail: a mailroom of their own, and the message on standard input.

import { standardInput } from '#platform/files.ts';
import { createLog } from '../src/base/log.ts';
import { fetchFromAmazon } from '../src/jobs/amazon-documents.ts';
import { createMailroom, type Mailroom } from '../src/jobs/mailroom.ts';
import { sparingOutages } from '../src/net/dns-outage.ts';
import { createDns } from '../src/net/dns-records.ts';
import { spamFilterAt } from '../src/net/rspamd.ts';
import { createReader } from '../src/reader/reader.ts';
import { UsageError } from './errors.ts';
import type { Opened } from './opened-desk.ts';

export async function withMailroom<T>({ config, data }: Opened, act: (mailroom: Mailroom) => Promise<T>): Promise<T> {
  const { desk, blobs, mailBlobs } = data;
  const log = await createLog('error', 'json');
  const reader = createReader({ log, most: 1 });
  try {
    return await act(
      createMailroom({
        desk,
        blobs,
        mailBlobs,
        log,
        reader,
        fetchText: fetchFromAmazon,
        askDns: sparingOutages(createDns()),
        spamFilter: spamFilterAt(config.HELPDESK_RSPAMD_URL),
        answerWithinMs: null,
      }),
    );
  } finally {
    await reader.stop();
  }
}

export function pipedMessage(): ReadableStream<Uint8Array> {
  if (process.stdin.isTTY === true)
    throw new UsageError('This command reads a message from standard input, such as `< message.eml`.');
  return standardInput();
}
