// Both SLA clocks with the time that is left; each opens the ledger that explains it.

import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { dateAndTime, span } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { ClockShape } from '../sla/clock-shape.tsx';
import { type ClockName, type ClockState, clockNames, clockState } from '../sla/clock-state.ts';
import { seconds } from '../ticking.ts';
import type { TicketDetail } from '../wire.ts';
import { LedgerTimeline } from './ledger.tsx';
import { t } from './messages.ts';

export function Clocks({ ticket }: { ticket: TicketDetail }) {
  const opened = useSignal<ClockName | null>(null);
  return (
    <div class="clocks">
      {clockNames.map((clock) => (
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
  clock: ClockName;
  isOpen: boolean;
  onToggle: () => void;
}

function Clock({ ticket, clock, isOpen, onToggle }: ClockProps) {
  const id = useId();
  const state = clockState(ticket, clock, seconds.value);
  const name = clock === 'first_response' ? t.clockFirst : t.clockResolution;
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
    case 'met':
      return t.clockInTime;
    case 'late':
      return t.clockLate(span(state.overMs));
    case 'stopped':
      return t.clockStopped;
    case 'paused':
      return t.clockPaused;
    case 'breached':
      return t.clockOverdue(span(state.overMs));
    default:
      return t.clockLeft(span(state.leftMs));
  }
}
