// Why a deadline is when it is: the ledger of an SLA clock as a timeline.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { SlaClock } from '../../../domain/sla/clock.ts';
import type { Refusal } from '../../shared/api.ts';
import { Button } from '../../shared/button.tsx';
import { now } from '../../shared/clock.ts';
import { dayAndTime, span, timeOfDay } from '../../shared/format.ts';
import { Notice } from '../../shared/notices.tsx';
import { refusalText } from '../../shared/refusal-text.ts';
import { ask } from '../../shared/signed-in.ts';
import type { TicketDetail } from '../wire.ts';
import { type Entry, entriesOf, type Ledger } from './ledger-text.ts';
import { t } from './messages.ts';

export function LedgerTimeline({ ticket, clock }: { ticket: TicketDetail; clock: SlaClock }) {
  const ledger = useSignal<Ledger | null>(null);
  const refusal = useSignal<Refusal | null>(null);
  async function load(): Promise<void> {
    const answer = await ask<{ data: Ledger }>('GET', `/tickets/${ticket.ulid}/sla`);
    refusal.value = answer.isOk ? null : answer.refusal;
    if (answer.isOk) ledger.value = answer.data.data;
  }
  useEffect(() => {
    void load();
  }, [ticket.ulid, ticket.updated_at]);
  const explained = ledger.value?.clocks.find((one) => one.clock === clock);
  if (refusal.value !== null && explained === undefined)
    return (
      <Notice kind="problem">
        <p>{refusalText(refusal.value)}</p>
        <Button onClick={() => void load()}>{t.tryAgain}</Button>
      </Notice>
    );
  if (ledger.value === null || explained === undefined) return null;
  const { target_minutes: target, elapsed_seconds: elapsed, started_at: startedAt } = explained;
  return (
    <div class="ledger">
      <p>
        {target === null && t.clockNone}
        {target !== null &&
          (startedAt === null ? t.clockAwaits : t.countedOf(span(elapsed * 1000), span(target * 60_000)))}
        {ledger.value.timezone !== null && ` ${t.workingHoursIn(ledger.value.timezone)}`}
      </p>
      <ol class="timeline">
        {entriesOf(explained, now()).map((entry) => (
          <li key={`${entry.kind} ${entry.at}`} class={`${entry.kind}${entry.isAhead ? ' ahead' : ''}`}>
            <span class="timeline-text">{entryText(entry, clock)}</span>
            <span class="timeline-time">{entryTime(entry)}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function entryTime({ at, until }: Entry): string {
  if (until === null) return dayAndTime(at);
  const isSameDay = new Date(at).toDateString() === new Date(until).toDateString();
  return `${dayAndTime(at)} – ${isSameDay ? timeOfDay(until) : dayAndTime(until)}`;
}

const stoppedText: Record<SlaClock, () => string> = {
  first_response: () => t.ledgerAnswered,
  resolution: () => t.ledgerResolved,
};

function entryText({ kind, until, workingSeconds, isAhead }: Entry, clock: SlaClock): string {
  const time = span(workingSeconds * 1000);
  switch (kind) {
    case 'started':
      return t.ledgerStarted;
    case 'warned':
      return t.ledgerWarned;
    case 'breached':
      return t.ledgerBreached;
    case 'due':
      return t.ledgerDue;
    case 'now':
      return t.ledgerNow;
    case 'stopped':
      return stoppedText[clock]();
    case 'outside_hours':
      return isAhead ? t.ledgerClosedAhead : t.ledgerClosed;
    case 'paused':
      return until === null ? t.ledgerPausedStill : t.ledgerPaused;
    case 'resolved':
      return t.ledgerWasResolved;
    case 'spam':
      return t.ledgerSpam;
    case 'counted':
      return isAhead ? t.ledgerCountsAhead(time) : t.ledgerCounted(time);
  }
}
