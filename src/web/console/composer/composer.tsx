// Where replies and notes are written.

import { t } from './messages.ts';

export function Composer({ ticket }: { ticket: string }) {
  return <section aria-label={t.reply} data-ticket={ticket} />;
}
