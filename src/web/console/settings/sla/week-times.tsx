// The week as plain time fields: for phones, screen readers, and those who know the times.

import { minutesPerDay, type Weekday, weekdays } from '../../../../domain/sla/calendar.ts';
import { Button } from '../../../shared/button.tsx';
import { Icon } from '../../../shared/icons.tsx';
import { dayName } from '../../zone.ts';
import { t } from './messages.ts';
import { added, clockTime, dayOf, isOvernight, type Shift, shiftOf, shiftsOf } from './week.ts';
import { shiftText, type WeekProps } from './week-drawing.tsx';

export function WeekTimes({ week, problems, onChange }: WeekProps) {
  return (
    <ul class="week-times">
      {weekdays.map((day, index) => (
        <DayTimes key={day} {...{ day, index, onChange }} shifts={shiftsOf(week[day])} problem={problems[day]} />
      ))}
    </ul>
  );
}

interface DayProps {
  day: Weekday;
  index: number;
  shifts: readonly Shift[];
  problem: string | undefined;
  onChange: WeekProps['onChange'];
}

/** Browsers' fields know no 24:00. */
const fieldTime = (minutes: number) => (minutes === minutesPerDay ? '00:00' : clockTime(minutes));

function DayTimes({ day, index, shifts, problem, onChange }: DayProps) {
  const name = dayName(index);
  const room = added(shifts);
  const put = (next: readonly Shift[]) => onChange(day, dayOf(next));
  const change = (at: number, start: string, end: string) => {
    // A field that is half filled in says nothing.
    if (start !== '' && end !== '') put(shifts.map((one, other) => (other === at ? shiftOf(start, end) : one)));
  };
  const problemId = `${day}-times-problem`;
  const wrong = { 'aria-invalid': problem !== undefined || undefined, 'aria-describedby': problem && problemId };
  return (
    <li>
      <span class="week-name">{name}</span>
      <div class="day-times">
        {shifts.length === 0 && <span class="soft">{t.closedDay}</span>}
        {shifts.map((shift, at) => (
          <div key={at} class="shift-times">
            <input
              type="time"
              aria-label={t.shiftStart(name)}
              value={fieldTime(shift.from)}
              {...wrong}
              onInput={({ currentTarget }) => change(at, currentTarget.value, clockTime(shift.to))}
            />
            <span aria-hidden="true">–</span>
            <input
              type="time"
              aria-label={t.shiftEnd(name)}
              value={fieldTime(shift.to)}
              {...wrong}
              onInput={({ currentTarget }) => change(at, clockTime(shift.from), currentTarget.value)}
            />
            <button
              type="button"
              class="icon-button"
              aria-label={t.removeShift(name, shiftText(shift))}
              title={t.removeShift(name, shiftText(shift))}
              onClick={() => put(shifts.filter((_, other) => other !== at))}
            >
              <Icon name="close" />
            </button>
            {isOvernight(shift) && <span class="soft">{t.endsNextDay}</span>}
          </div>
        ))}
        {problem !== undefined && (
          <p class="field-problem" id={problemId}>
            <Icon name="alert" />
            <span>{problem}</span>
          </p>
        )}
      </div>
      {room !== null && (
        <Button kind="quiet" label={t.addHours(name)} onClick={() => put(room.shifts)}>
          {t.addHoursShort}
        </Button>
      )}
    </li>
  );
}
