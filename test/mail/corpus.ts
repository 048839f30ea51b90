// The corpus of real messages beside the repository (../shared/mail), and what a person reads of each.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { classifyMail, type OwnMarks } from '../../src/mail/inbound/classify.ts';
import { parseMail } from '../../src/mail/inbound/parse.ts';
import { bodyOf } from '../../src/mail/reply/body.ts';

const root = join(import.meta.dirname, '../../../shared/mail');
export const hasCorpus = existsSync(root);
export const goldenFolder = join(import.meta.dirname, 'golden');

export const noOwnMarks: OwnMarks = {
  header: 'x-helpdesk-desk',
  headerValue: 'this-desk',
  isOwnMessageId: () => false,
};

/** File names by folder, sorted; empty without the corpus. */
export function corpus(): Record<string, string[]> {
  if (!hasCorpus) return {};
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return Object.fromEntries(
    folders.map((folder) => [
      folder.name,
      readdirSync(join(root, folder.name))
        .filter((name) => name.endsWith('.eml'))
        .sort(),
    ]),
  );
}

export function corpusBytes(folder: string, file: string): Uint8Array {
  return readFileSync(join(root, folder, file));
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
