// Both SLA clocks with the time that is left; each opens the ledger that explains it.

import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { type SlaClock, slaClocks } from '../../../domain/sla/clock.ts';
import { dateAndTime, span } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { ClockShape } from '../sla/clock-shape.tsx';
import { type ClockState, clockState } from '../sla/clock-state.ts';
import { seconds } from '../ticking.ts';
import type { TicketDetail } from '../wire.ts';
import { LedgerTimeline } from './ledger.tsx';
import { t } from './messages.ts';

export function Clocks({ ticket }: { ticket: TicketDetail }) {
  const opened = useSignal<SlaClock | null>(null);
  return (
    <div class="clocks">
      {slaClocks.map((clock) => (
        <Clock
          key={clock}
          ticket={ticket}
          clock={clock}
          isOpen={opened.value === clock}
          onToggle={() => {
            opened.value = opened.value === clock ? null : clock;
          }}
        />
      ))}
    </div>
  );
}

interface ClockProps {
  ticket: TicketDetail;
  clock: SlaClock;
  isOpen: boolean;
  onToggle: () => void;
}

const clockName: Record<SlaClock, () => string> = {
  first_response: () => t.dueFirstResponse,
  resolution: () => t.dueResolution,
};

function Clock({ ticket, clock, isOpen, onToggle }: ClockProps) {
  const id = useId();
  const state = clockState(ticket, clock, seconds.value);
  const name = clockName[clock]();
  return (
    <div class="clock">
      <button
        type="button"
        class="clock-button"
        aria-expanded={isOpen}
        aria-controls={id}
        disabled={state.kind === 'none'}
        title={state.kind === 'none' ? undefined : t.clockExplain}
        onClick={onToggle}
      >
        <ClockShape kind={state.kind} />
        <span class="clock-name">{name}</span>
        <span class={`clock-text ${state.kind}`}>{stateText(state)}</span>
        {state.kind !== 'none' && <Icon name="chevron" />}
      </button>
      {'dueAt' in state && <p class="clock-due">{t.clockDue(dateAndTime(new Date(state.dueAt).toISOString()))}</p>}
      <div id={id} hidden={!isOpen}>
        {isOpen && <LedgerTimeline ticket={ticket} clock={clock} />}
      </div>
    </div>
  );
}

function stateText(state: ClockState): string {
  switch (state.kind) {
    case 'none':
      return t.clockNone;
    case 'awaiting':
      return t.clockAwaits;
    case 'met':
      return t.clockInTime;
    case 'late':
    case 'breached':
      return t.clockLate(span(state.overMs, 1));
    case 'stopped':
      return t.clockStopped;
    case 'paused':
      return t.duePaused;
    default:
      return span(state.leftMs);
  }
}
