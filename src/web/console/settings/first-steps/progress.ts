// What of the first steps is done, from what the desk has.

import { signal, useComputed } from '@preact/signals';
import type { FirstStep } from '../../../../domain/sites/site.ts';
import { agentSources } from '../../../../domain/tickets/ticket.ts';
import type { Refusal } from '../../../shared/api.ts';
import type { Site } from '../../session.ts';
import type { List, Ticket } from '../../wire.ts';
import { useLiveData } from '../live-data.ts';
import type { Mailbox } from '../mailboxes/wire.ts';

/** A missing entry is not known yet. */
export type Progress = Partial<Record<FirstStep, boolean>>;

/** The newest token of a site is shown only once, so it is kept for the calls until the browser leaves the console. */
export const newSite = signal<{ slug: string; token: string } | null>(null);

interface InboundMail {
  id: number;
}

interface Found {
  progress: Progress | null;
  skipped: readonly FirstStep[];
  refusal: Refusal | null;
  reload: () => void;
}

/** By a program or a form, or a test ticket; not by mail or by an agent at the phone. */
export const isFirst = ({ source, is_test: isTest }: Pick<Ticket, 'source' | 'is_test'>) =>
  isTest || !agentSources.some((one) => one === source);

/** The newest ones: also test tickets, because the example makes one. */
export const newestTickets = (site: Site) => `/tickets?site_id=${site.id}&include_test=true&per_page=50`;

export function useProgress(site: Site): Found {
  const mailboxes = useLiveData<Mailbox[]>(`/sites/${site.id}/mailboxes`);
  const mail = useLiveData<InboundMail[]>(`/sites/${site.id}/inbound-mail?per_page=1`);
  const agents = useLiveData<List<{ id: number }>['data']>('/agents?per_page=2');
  const tickets = useLiveData<Ticket[]>(newestTickets(site));
  const own = useLiveData<{ settings: { skipped_steps: FirstStep[] } }>(`/sites/${site.id}`);
  const all = [mailboxes, mail, agents, tickets, own];
  const progress = useComputed<Progress | null>(() => {
    const [boxes, mails, people, made] = [mailboxes, mail, agents, tickets].map(({ shown }) => shown.value?.data);
    if (boxes === undefined || mails === undefined || people === undefined || made === undefined) return null;
    if (own.shown.value === null) return null;
    const hasMail = mails.length > 0;
    return {
      site: true,
      address: boxes.length > 0 || hasMail,
      test: hasMail,
      team: people.length > 1,
      connect: (made as Ticket[]).some(isFirst),
    };
  });
  const refusal = all.map((one) => one.refusal.value).find((one) => one !== null) ?? null;
  return {
    progress: progress.value,
    skipped: own.shown.value?.data.settings.skipped_steps ?? [],
    refusal,
    reload: () => {
      for (const one of all) void one.reload();
    },
  };
}
