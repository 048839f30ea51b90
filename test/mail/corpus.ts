// The corpus of real messages, and what a person reads of each.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { classifyMail, type OwnMarks } from '../../src/mail/inbound/classify.ts';
import { parseMail } from '../../src/mail/inbound/parse.ts';
import { bodyOf } from '../../src/mail/reply/body.ts';

const root = join(import.meta.dirname, 'corpus');
export const goldenFolder = join(import.meta.dirname, 'golden');

export const noOwnMarks: OwnMarks = {
  header: 'x-helpdesk-desk',
  headerValue: 'this-desk',
  isOwnMessageId: () => false,
};

interface CorpusMail {
  folder: string;
  file: string;
  raw: Buffer<ArrayBuffer>;
}

/** Sorted by folder and file. */
export function corpus(): CorpusMail[] {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.eml'));
  return paths
    .sort()
    .map((path) => ({ folder: dirname(path), file: basename(path), raw: readFileSync(join(root, path)) }));
}

type Reading = {
  kind: string;
  subject: string;
  from: string | null;
  date: string | null;
  text: string;
  foldedAway: boolean;
  attachments: string[];
};

export async function readingOf(raw: Uint8Array): Promise<Reading> {
  const message = await parseMail(raw);
  const body = bodyOf(message);
  return {
    kind: classifyMail(message, noOwnMarks).kind,
    subject: message.subject,
    from: message.from === null ? null : `${message.from.name} <${message.from.address}>`.trim(),
    date: message.date,
    text: body.body,
    foldedAway: body.foldedAway,
    attachments: message.attachments.map(
      (each) =>
        `${each.filename} (${each.contentType}, ${each.bytes.byteLength} bytes${each.isInline ? ', inline' : ''})`,
    ),
  };
}
