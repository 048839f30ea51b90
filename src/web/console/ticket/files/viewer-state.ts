// Which file the viewer shows.

import { type ReadonlySignal, signal } from '@preact/signals';
import { isWithheld } from '../../../shared/file-scan.ts';
import { knownTicket } from '../../tickets/cache.ts';
import type { Attachment } from '../../wire.ts';
import { kindOf, withFreshLink } from './file-links.ts';

export interface Viewed {
  ticket: string;
  file: Attachment;
}

const viewed = signal<Viewed | null>(null);
export const viewedFile: ReadonlySignal<Viewed | null> = viewed;

export function openViewer(ticket: string, file: Attachment): void {
  void withFreshLink(ticket, file).then((fresh) => {
    viewed.value = { ticket, file: fresh };
  });
}

export function closeViewer(): void {
  viewed.value = null;
}

/** The pictures and PDFs around it in the same ticket. */
export function filesAround({ ticket, file }: Viewed): { previous: Attachment | null; next: Attachment | null } {
  const files = (knownTicket(ticket)?.attachments ?? []).filter((one) => kindOf(one) !== 'other' && !isWithheld(one));
  const at = files.findIndex(({ ulid }) => ulid === file.ulid);
  return { previous: files[at - 1] ?? null, next: files[at + 1] ?? null };
}
