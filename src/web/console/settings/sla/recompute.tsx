// Open tickets under the policy and targets of now: first what would change, then the change.

import { useSignal } from '@preact/signals';
import { Button } from '../../../shared/button.tsx';
import { count, dayAndTime } from '../../../shared/format.ts';
import { announce, SubmissionNotice } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useSubmission } from '../../../shared/submission.ts';
import { Link } from '../../route.ts';
import { t } from './messages.ts';

interface Moved {
  from: string | null;
  to: string | null;
}
interface Answered {
  moved: number;
  become_late: number;
  no_longer_late: number;
  data: {
    ticket_ulid: string;
    reference: string;
    first_response_due_at: Moved;
    resolution_due_at: Moved;
    is_late: { from: boolean; to: boolean };
  }[];
}

const mostShown = 20;

export function Recompute({ siteId }: { siteId: number }) {
  const trying = useSubmission();
  const moving = useSubmission();
  const found = useSignal<Answered | null>(null);
  const path = `/sites/${siteId}/sla/recompute`;

  async function look(): Promise<void> {
    found.value = await trying.send(() => ask<Answered>('POST', path, { dry_run: true }));
  }
  async function move(): Promise<void> {
    const done = await moving.send(() => ask<Answered>('POST', path, {}));
    if (done === null) return;
    found.value = null;
    announce(t.ticketsMoved(count(done.moved)));
  }

  return (
    <section class="panel sla-recompute" aria-labelledby="sla-recompute">
      <h2 id="sla-recompute">{t.openTickets}</h2>
      <p class="soft">{t.openTicketsLead}</p>
      <SubmissionNotice submission={trying} />
      <SubmissionNotice submission={moving} />
      <div role="status">{found.value !== null && <Result found={found.value} />}</div>
      <div class="section-actions">
        <Button isBusy={trying.isBusy.value} onClick={() => void look()}>
          {t.checkTickets}
        </Button>
        {found.value !== null && found.value.moved > 0 && (
          <Button kind="primary" isBusy={moving.isBusy.value} onClick={() => void move()}>
            {t.moveTickets}
          </Button>
        )}
      </div>
    </section>
  );
}

function Result({ found }: { found: Answered }) {
  if (found.moved === 0) return <p>{t.nothingMoves}</p>;
  const moment = (iso: string | null) => (iso === null ? t.noTarget : dayAndTime(iso));
  const text = ({ from, to }: Moved) => (from === to ? null : `${moment(from)} → ${moment(to)}`);
  const shown = found.data.slice(0, mostShown);
  const rest = found.moved - shown.length;
  return (
    <>
      <p>
        {t.ticketsWouldMove(count(found.moved))} {t.becomeLate(count(found.become_late))}{' '}
        {t.noLongerLate(count(found.no_longer_late))}
      </p>
      <p class="soft">{t.movingIsFinal}</p>
      <ul class="moved-tickets">
        {shown.map((one) => (
          <li key={one.ticket_ulid}>
            <Link href={`/tickets/${one.ticket_ulid}`}>{one.reference}</Link>
            <span>
              {[text(one.first_response_due_at), text(one.resolution_due_at)]
                .filter((part) => part !== null)
                .join(' · ')}
            </span>
            {one.is_late.from !== one.is_late.to && (
              <span class={one.is_late.to ? 'mailbox-state bad' : 'mailbox-state good'}>
                {one.is_late.to ? t.willBeLate : t.isLateNoMore}
              </span>
            )}
          </li>
        ))}
      </ul>
      {rest > 0 && <p class="soft">{t.moreMovedTickets(count(rest))}</p>}
    </>
  );
}
