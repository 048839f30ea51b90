// Small parts of the pages: moments, states in words, and what a page says without its script.

import { formatDate } from '../shared/format.ts';
import type { IconName } from '../shared/icon-paths.ts';
import { Icon } from '../shared/icons.tsx';
import { t } from './messages.ts';
import type { ShownThread } from './page-content.ts';
import { isRunning } from './state.ts';

/** In UTC: the desk does not know the reader's zone. */
export function day(at: string): string {
  return formatDate(at, { dateStyle: 'medium', timeZone: 'UTC' });
}

/** In the reader's zone as soon as the script runs. */
export function moment(at: string): string {
  const how = { dateStyle: 'medium', timeStyle: 'short' } as const;
  return isRunning.value ? formatDate(at, how) : `${formatDate(at, { ...how, timeZone: 'UTC' })} UTC`;
}

export function NeedsScript({ text }: { text: string }) {
  if (isRunning.value) return null;
  return (
    <noscript>
      <p class="notice hint">{text}</p>
    </noscript>
  );
}

type Status = ShownThread['ticket']['status'];

const statusIcons: Record<Status, IconName> = { open: 'clock', pending: 'pause', resolved: 'done', closed: 'lock' };
export const statuses = Object.keys(statusIcons) as Status[];

export function statusWord(status: Status): string {
  return { open: t.labelOpen, pending: t.labelPending, resolved: t.labelResolved, closed: t.labelClosed }[status];
}

export function StatusLabel({ status }: { status: Status }) {
  return (
    <span class={`status ${status}`}>
      <Icon name={statusIcons[status]} />
      {statusWord(status)}
    </span>
  );
}
