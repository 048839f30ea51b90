// The subject of a mail about a ticket.

import { fit, oneLine } from '../../domain/plain-text.ts';
import { subjectOr } from '../../domain/tickets/subject.ts';

const replyMark = /^(?:\[#\d+\]|(?:re|aw|antw|sv|vs|ref|odp)(?:\[\d+\])?\s*:)\s*/i;

/** Mail programs ignore both marks when they compare subjects (RFC 5256, 2.1), so the thread stays together. */
export function threadSubject(reference: string, subject: string, mark: string, none: string): string {
  let base = oneLine(subject);
  while (replyMark.test(base)) base = base.replace(replyMark, '');
  return fit(`[${reference}] ${mark}${subjectOr(none, base)}`, 300);
}
