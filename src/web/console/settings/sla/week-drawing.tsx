// The week as a drawing: seven rows of 24 hours, whose shifts are made, moved, stretched and removed by drag or by keys.

import { useSignal } from '@preact/signals';
import type { TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { minutesPerDay, type Weekday, weekdays } from '../../../../domain/sla/calendar.ts';
import { Icon } from '../../../shared/icons.tsx';
import { dayName } from '../../zone.ts';
import { t } from './messages.ts';
import {
  added,
  begun,
  clockTime,
  dayOf,
  dragged,
  type Grip,
  isOvernight,
  type Shift,
  shiftsOf,
  stepMinutes,
  type Week,
} from './week.ts';

export interface WeekProps {
  week: Week;
  problems: Readonly<Record<string, string>>;
  isReadOnly: boolean;
  onChange: (day: Weekday, hours: string) => void;
}

const hours = [0, 3, 6, 9, 12, 15, 18, 21, 24];
// So wide is the part of a shift that stretches it.
const gripPixels = 8;

const shortText = ({ from, to }: Shift) => `${clockTime(from)}–${clockTime(to)}`;
export const shiftText = ({ from, to }: Shift) => `${clockTime(from)} – ${clockTime(to)}`;
const share = (minutes: number) => `${(minutes / minutesPerDay) * 100}%`;

export function WeekDrawing({ week, problems, isReadOnly, onChange }: WeekProps) {
  const helpId = useId();
  const said = useSignal('');
  return (
    <div class="week">
      <div class="week-hours" aria-hidden="true">
        {hours.map((hour) => (
          <span key={hour} style={{ insetInlineStart: share(hour * 60) }}>
            {hour}
          </span>
        ))}
      </div>
      {weekdays.map((day, index) => (
        <Day
          key={day}
          {...{ index, helpId, isReadOnly }}
          shifts={shiftsOf(week[day])}
          before={shiftsOf(week[weekdays[(index + 6) % 7]!])}
          problem={problems[day]}
          onSay={(text) => {
            said.value = text;
          }}
          onChange={(shifts) => onChange(day, dayOf(shifts))}
        />
      ))}
      {!isReadOnly && (
        <p id={helpId} class="field-hint">
          {t.weekHelp}
        </p>
      )}
      <p class="hidden" role="status">
        {said.value}
      </p>
    </div>
  );
}

interface DayProps {
  index: number;
  shifts: readonly Shift[];
  /** Of the day before: a night shift of it reaches into this one. */
  before: readonly Shift[];
  problem: string | undefined;
  helpId: string;
  isReadOnly: boolean;
  onSay: (text: string) => void;
  onChange: (shifts: Shift[]) => void;
}

interface Drag {
  at: number;
  grip: Grip;
  from: number;
  shifts: readonly Shift[];
}

function Day({ index, shifts, before, problem, helpId, isReadOnly, onSay, onChange }: DayProps) {
  const row = useRef<HTMLDivElement>(null);
  const track = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag | null>(null);
  /** The shift that gets the focus when it is drawn. */
  const wanted = useRef<number | null>(null);
  const name = dayName(index);
  useEffect(() => {
    if (wanted.current === null) return;
    const shift = track.current?.querySelectorAll('button')[wanted.current];
    (shift ?? row.current?.querySelector<HTMLElement>('.week-add'))?.focus();
    wanted.current = null;
  }, [shifts.length]);

  function put(next: Shift[], at: number): void {
    onChange(next);
    const shift = next[at];
    if (shift !== undefined) onSay(t.shiftOf(name, shiftText(shift)));
  }
  function minuteAt({ clientX, currentTarget }: TargetedPointerEvent<HTMLDivElement>): number {
    const { left, width } = currentTarget.getBoundingClientRect();
    const share = (clientX - left) / width;
    const isRightToLeft = getComputedStyle(currentTarget).direction === 'rtl';
    return (isRightToLeft ? 1 - share : share) * minutesPerDay;
  }
  function press(event: TargetedPointerEvent<HTMLDivElement>): void {
    if (isReadOnly || event.button !== 0) return;
    const minute = minuteAt(event);
    const buttons = [...event.currentTarget.querySelectorAll('button')];
    const on = event.target instanceof Element ? event.target.closest('button') : null;
    const at = on === null ? -1 : buttons.indexOf(on);
    if (at >= 0) {
      const { left, right } = buttons[at]!.getBoundingClientRect();
      const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl';
      const [toStart, toEnd] = isRightToLeft
        ? [right - event.clientX, event.clientX - left]
        : [event.clientX - left, right - event.clientX];
      const grip = toEnd <= gripPixels ? 'end' : toStart <= gripPixels ? 'start' : 'whole';
      drag.current = { at, grip, from: minute, shifts };
    } else {
      const made = begun(shifts, minute);
      if (made === null) return;
      wanted.current = made.at;
      drag.current = { at: made.at, grip: 'end', from: made.shifts[made.at]!.to, shifts: made.shifts };
      put(made.shifts, made.at);
    }
    event.currentTarget.setPointerCapture(event.pointerId);
  }
  function pull(event: TargetedPointerEvent<HTMLDivElement>): void {
    if (drag.current === null) return;
    const { at, grip, from, shifts: first } = drag.current;
    const by = Math.round((minuteAt(event) - from) / stepMinutes) * stepMinutes;
    const next = dragged(first, at, grip, by);
    if (dayOf(next) !== dayOf(shifts)) put(next, at);
  }
  function remove(at: number): void {
    wanted.current = Math.max(0, at - 1);
    onSay(t.shiftRemoved(name, shiftText(shifts[at]!)));
    onChange(shifts.filter((_, one) => one !== at));
  }
  function key(event: TargetedKeyboardEvent<HTMLButtonElement>, at: number): void {
    if (isReadOnly || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Delete' || event.key === 'Backspace') remove(at);
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl';
      const isLater = (event.key === 'ArrowRight') !== isRightToLeft;
      put(dragged(shifts, at, event.shiftKey ? 'end' : 'whole', isLater ? stepMinutes : -stepMinutes), at);
    } else return;
    event.preventDefault();
  }
  const room = added(shifts);

  return (
    <>
      <div ref={row} class="week-day">
        <span class="week-name" aria-hidden="true">
          {dayName(index, 'short')}
        </span>
        <div
          ref={track}
          class={`week-track${isReadOnly ? '' : ' can-change'}`}
          onPointerDown={press}
          onPointerMove={pull}
          onPointerUp={() => {
            drag.current = null;
          }}
          onPointerCancel={() => {
            drag.current = null;
          }}
        >
          {before.filter(isOvernight).map(({ to }) => (
            <span key={to} class="week-rest" style={{ inlineSize: share(to - minutesPerDay) }} />
          ))}
          {shifts.map((shift, at) => (
            <button
              key={at}
              type="button"
              class="week-shift"
              aria-label={t.shiftOf(name, shiftText(shift))}
              aria-describedby={isReadOnly ? undefined : helpId}
              style={{
                insetInlineStart: share(shift.from),
                inlineSize: share(Math.min(shift.to, minutesPerDay) - shift.from),
              }}
              onKeyDown={(event) => key(event, at)}
            >
              <span aria-hidden="true">{shortText(shift)}</span>
            </button>
          ))}
        </div>
        {!isReadOnly && (
          <button
            type="button"
            class="icon-button week-add"
            aria-label={t.addHours(name)}
            title={t.addHours(name)}
            disabled={room === null}
            onClick={() => {
              if (room === null) return;
              wanted.current = room.at;
              put(room.shifts, room.at);
            }}
          >
            <Icon name="plus" />
          </button>
        )}
      </div>
      {problem !== undefined && (
        <p class="field-problem" role="alert">
          <Icon name="alert" />
          <span>{problem}</span>
        </p>
      )}
    </>
  );
}
