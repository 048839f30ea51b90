// Links to files. They end after a while, and are asked for again when they are needed.

import { now } from '../../../shared/clock.ts';
import { knownTicket, reload } from '../../tickets/cache.ts';
import type { Attachment } from '../../wire.ts';

/** On this origin, at whatever address the desk was opened. */
export function pathOf({ url }: Attachment): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

const marginMs = 5000;

export function isExpired({ url_expires_at: until }: Attachment): boolean {
  return Date.parse(until) < now() + marginMs;
}

export async function withFreshLink(ticket: string, file: Attachment): Promise<Attachment> {
  if (!isExpired(file)) return file;
  await reload(ticket);
  return knownTicket(ticket)?.attachments.find(({ ulid }) => ulid === file.ulid) ?? file;
}

type FileKind = 'image' | 'pdf' | 'other';

export function kindOf({ content_type: type }: Attachment): FileKind {
  if (['image/jpeg', 'image/png', 'image/gif', 'image/webp'].includes(type)) return 'image';
  return type === 'application/pdf' ? 'pdf' : 'other';
}
