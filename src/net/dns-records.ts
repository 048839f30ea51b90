// Asks DNS for records, on no thread, within a limit of time, number and size.

import { Resolver } from 'node:dns/promises';
import type { AskDns, DnsAnswer, DnsKind, DnsRecord } from '../domain/mail/sender-checks.ts';
import { truncate } from '../domain/text.ts';

/** Rejects with the codes of node:dns. */
type ResolveRecords = (name: string, kind: DnsKind) => Promise<unknown>;

const mostRecords = 50;
const longestRecord = 2000;
const longestName = 253;
const namePattern = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})+$/i;

const resolveRecords: ResolveRecords = (name, kind) => new Resolver({ timeout: 1500, tries: 2 }).resolve(name, kind);

export function createDns(resolve: ResolveRecords = resolveRecords): AskDns {
  return async (question, withinMs) => {
    const [kind = '', written = ''] = question.split(' ');
    const name = written.replace(/\.$/, '');
    // No such name can exist, and a resolver could read it as something else.
    if (!namePattern.test(name)) return 'none';
    const silence = Promise.withResolvers<DnsAnswer>();
    const timer = setTimeout(() => silence.resolve('silent'), withinMs);
    try {
      return await Promise.race([recordsOf(resolve(name, kind as DnsKind)), silence.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
}

async function recordsOf(asked: Promise<unknown>): Promise<DnsAnswer> {
  try {
    const records = await asked;
    return Array.isArray(records) ? records.slice(0, mostRecords).flatMap(recordOf) : 'silent';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code.endsWith('ENODATA')) return [];
    return /ENOTFOUND|EBADNAME/.test(code) ? 'none' : 'silent';
  }
}

/** The parts of a TXT record are joined; what is longer than any record that is used is cut. */
function recordOf(record: unknown): DnsRecord[] {
  if (Array.isArray(record)) return [joined(record)];
  if (typeof record === 'string') return [truncate(record, longestRecord)];
  if (typeof record !== 'object' || record === null || !('exchange' in record)) return [];
  const priority = 'priority' in record ? Number(record.priority) : 0;
  return [{ exchange: String(record.exchange).slice(0, longestName), priority }];
}

function joined(parts: readonly unknown[]): string {
  let text = '';
  for (const part of parts) {
    if (text.length > longestRecord) break;
    text += String(part);
  }
  return truncate(text, longestRecord);
}
