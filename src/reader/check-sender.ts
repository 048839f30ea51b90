// Checks who sent a stored message. The desk asks DNS for what is missing, and comes back with the answers.

import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { type DnsAnswer, type DnsQuestion, type SenderChecks, uncheckable } from '../domain/mail/sender-checks.ts';
import { trustedResults } from '../mail/inbound/authentication.ts';
import { envelopeIn } from '../mail/inbound/envelope.ts';
import { mailLimits } from '../mail/inbound/limits.ts';
import { parseMail } from '../mail/inbound/parse.ts';
import { checkSender } from '../mail/inbound/sender-checks.ts';

export interface CheckSenderInput {
  path: string;
  /** Of the request that brought the message. */
  headers: Record<string, string>;
  trustedServers: string[];
  trustedSealers: string[];
  answers: Record<DnsQuestion, DnsAnswer>;
  /** What is not answered by now stays unknown. */
  isFinal: boolean;
}

export type CheckSenderOutput =
  | { kind: 'wanted'; questions: DnsQuestion[] }
  | { kind: 'checked'; checks: SenderChecks }
  /** A server that the site trusts has said so already. */
  | { kind: 'known' };

export async function checkStored({ path, headers, isFinal, ...known }: CheckSenderInput): Promise<CheckSenderOutput> {
  const head = await headOf(path);
  if (head === null) return { kind: 'checked', checks: uncheckable };
  const message = await parseMail(Buffer.from(head, 'latin1'), { envelope: envelopeIn(headers) });
  if (trustedResults(message, known.trustedServers) !== null) return { kind: 'known' };
  const body = () => createReadStream(path, { start: head.length });
  return await checkSender({ ...known, head, body, envelopeFrom: message.envelope.from }, isFinal);
}

/** Up to the first empty line, a byte to a character. Null for more than a message has. */
async function headOf(path: string): Promise<string | null> {
  await using file = await open(path);
  const bytes = Buffer.alloc(mailLimits.headerBytes);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
  const text = bytes.toString('latin1', 0, bytesRead);
  return /^.*?\r?\n\r?\n/s.exec(text)?.[0] ?? (bytesRead < bytes.length ? text : null);
}
