// When to send a reply: a preset, or any time within 90 days.

import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { Button } from '../../shared/button.tsx';
import { now } from '../../shared/clock.ts';
import { Dialog } from '../../shared/dialog.tsx';
import { dayAndTime } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { t } from './messages.ts';

export function SendLater({ onChoose, onClose }: { onChoose: (at: Date) => void; onClose: () => void }) {
  const id = useId();
  const times = usualTimes(new Date(now()));
  const typed = useSignal(fieldValue(times[1]?.at ?? new Date(now())));
  const problem = useSignal<string | null>(null);

  function choose(): void {
    const at = sendTimeIn(typed.value, new Date(now()));
    if (at === 'missing') problem.value = t.required;
    else if (at === 'past') problem.value = t.timeIsPast;
    else if (at === 'far') problem.value = t.timeIsFar(String(mostDaysAhead));
    else onChoose(at);
  }

  return (
    <Dialog title={t.sendLaterTitle} onClose={onClose}>
      <div class="dialog-body">
        <div class="send-times">
          {times.map(({ id: time, at }) => (
            <Button key={time} isWide onClick={() => onChoose(at)}>
              <span>{timeText(time)}</span>
              <span class="soft">{dayAndTime(at.toISOString())}</span>
            </Button>
          ))}
        </div>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            choose();
          }}
        >
          <div class="field">
            <label for={id}>{t.dateAndTimeToSend}</label>
            <input
              id={id}
              type="datetime-local"
              value={typed.value}
              aria-invalid={problem.value !== null || undefined}
              aria-describedby={problem.value === null ? undefined : `${id}-problem`}
              onInput={(event) => {
                typed.value = event.currentTarget.value;
                problem.value = null;
              }}
            />
            {problem.value !== null && (
              <p class="field-problem" id={`${id}-problem`} role="alert">
                <Icon name="alert" />
                <span>{problem.value}</span>
              </p>
            )}
          </div>
          <div class="dialog-actions">
            <Button onClick={onClose}>{t.cancel}</Button>
            <Button type="submit" kind="primary">
              {t.schedule}
            </Button>
          </div>
        </form>
      </div>
    </Dialog>
  );
}

function timeText(id: SendTime['id']): string {
  return { later: t.laterToday, tomorrow: t.tomorrowMorning, monday: t.mondayMorning }[id];
}

// When a reply can be sent later: the usual moments, and what a date-time field means.
interface SendTime {
  id: 'later' | 'tomorrow' | 'monday';
  at: Date;
}

const morning = 9;
const laterMs = 3 * 3_600_000;
const mostDaysAhead = 90;

/** The usual moments after now, in the time of this computer. */
export function usualTimes(now: Date): SendTime[] {
  const tomorrow = atMorning(now, 1);
  const monday = atMorning(now, (8 - now.getDay()) % 7 || 7);
  const times: SendTime[] = [
    { id: 'later', at: new Date(now.getTime() + laterMs) },
    { id: 'tomorrow', at: tomorrow },
  ];
  return monday.getTime() === tomorrow.getTime() ? times : [...times, { id: 'monday', at: monday }];
}

function atMorning(now: Date, days: number): Date {
  const at = new Date(now);
  at.setDate(now.getDate() + days);
  at.setHours(morning, 0, 0, 0);
  return at;
}

/** What a `datetime-local` field holds for this moment. */
export function fieldValue(at: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** The moment in a `datetime-local` field, or what is wrong with it. */
export function sendTimeIn(value: string, now: Date): Date | 'missing' | 'past' | 'far' {
  const at = new Date(value);
  if (value === '' || Number.isNaN(at.getTime())) return 'missing';
  if (at.getTime() <= now.getTime()) return 'past';
  return at.getTime() > now.getTime() + mostDaysAhead * 86_400_000 ? 'far' : at;
}
