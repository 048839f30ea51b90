// The parts of a row: clock, people, priority and tags, each with a word behind its colour.

import type { SlaClock } from '../../../../domain/sla/clock.ts';
import { dateAndTime, span } from '../../../shared/format.ts';
import type { Present } from '../../live/live.ts';
import { initials } from '../../shell/initials.ts';
import { ClockShape } from '../../sla/clock-shape.tsx';
import { clockState } from '../../sla/clock-state.ts';
import { tensOfSeconds } from '../../ticking.ts';
import type { Ticket } from '../../wire.ts';
import type { AgeSort } from '../filters/filter.ts';
import { t } from '../messages.ts';
import { ageName } from './column-names.ts';

/** The time left on the nearer clock. */
const dueText: Record<SlaClock, () => string> = {
  first_response: () => t.dueFirstResponse,
  resolution: () => t.dueResolution,
};

export function DueTime({ ticket, units }: { ticket: Ticket; units: 1 | 2 }) {
  const next = ticket.next_due;
  if (next === null) return null;
  const state = clockState(ticket, next.clock, tensOfSeconds.value);
  const text = textOf(state, units);
  if (text === null) return null;
  const clock = dueText[next.clock]();
  return (
    <time class={`due ${state.kind}`} dateTime={next.at} title={t.dueTitle(clock, dateAndTime(next.at))}>
      <ClockShape kind={state.kind} />
      <span class={`clock-text ${state.kind}`}>{text}</span>
    </time>
  );
}

const minuteMs = 60_000;
const manyDaysMs = 3 * 86_400_000;

function textOf(state: ReturnType<typeof clockState>, units: 1 | 2): string | null {
  switch (state.kind) {
    case 'running':
    case 'soon':
      return shortly(state.leftMs, units);
    case 'breached':
      return t.dueLate(shortly(state.overMs, 1));
    case 'paused':
      return t.duePaused;
    default:
      return null;
  }
}

function shortly(ms: number, units: number): string {
  return span(inMinutes(ms), ms < manyDaysMs ? units : 1);
}

function inMinutes(ms: number): number {
  return Math.max(minuteMs, ms - (ms % minuteMs));
}

export function Age({ ticket, since }: { ticket: Ticket; since: AgeSort }) {
  const at = ticket[since];
  return (
    <time class="age" dateTime={at} title={`${ageName(since)} · ${dateAndTime(at)}`}>
      {span(inMinutes(tensOfSeconds.value - Date.parse(at)), 1)}
    </time>
  );
}

/** Bars that rise with the level, so that the colour says nothing by itself. */
export function PriorityMark({ priority }: { priority: Ticket['priority'] }) {
  if (priority === null) return null;
  const bars = Math.max(1, Math.min(4, priority.level));
  return (
    <span class="priority" title={priority.name}>
      <svg class="priority-bars" viewBox="0 0 14 12" aria-hidden="true" focusable="false">
        {[1, 2, 3, 4].map((bar) => (
          <rect
            key={bar}
            class={bar <= bars ? 'is-on' : undefined}
            x={(bar - 1) * 3.75}
            y={12 - bar * 3}
            width="2.5"
            height={bar * 3}
            rx="0.75"
            fill={bar <= bars ? priority.color : undefined}
          />
        ))}
      </svg>
      <span class="cell-text">{priority.name}</span>
    </span>
  );
}

export function Tags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <span class="row-tags" title={tags.join(', ')}>
      {tags.slice(0, 2).map((tag) => (
        <span key={tag} class="row-tag">
          {tag}
        </span>
      ))}
      {tags.length > 2 && <span class="row-tag more-tags">+{tags.length - 2}</span>}
    </span>
  );
}

export function Person({ name, isShort = false }: { name: string; isShort?: boolean }) {
  return (
    <span class="person" title={name}>
      <span class="avatar" aria-hidden="true">
        {initials(name)}
      </span>
      {isShort ? <span class="hidden">{name}</span> : <span class="cell-text">{name}</span>}
    </span>
  );
}

/** Colleagues who have the ticket open; a pencil for those who write. */
export function Viewers({ viewers }: { viewers: readonly Present[] }) {
  if (viewers.length === 0) return null;
  const text = viewers
    .map(({ name, state }) => (state === 'writing' ? t.isWriting(name) : t.listIsViewing(name)))
    .join(', ');
  return (
    <span class="viewers" title={text}>
      {viewers.slice(0, 2).map(({ id, name, state }) => (
        <span key={id} class={`avatar ${state}`} aria-hidden="true">
          {initials(name)}
        </span>
      ))}
      {viewers.length > 2 && <span aria-hidden="true">+{viewers.length - 2}</span>}
      <span class="hidden">{text}</span>
    </span>
  );
}
