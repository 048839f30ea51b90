// When a reply shall be sent: a usual moment, or any within 90 days.

import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { Button } from '../../shared/button.tsx';
import { now } from '../../shared/clock.ts';
import { Dialog } from '../../shared/dialog.tsx';
import { dayAndTime } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { t } from './messages.ts';
import { fieldValue, mostDaysAhead, type SendTime, sendTimeIn, usualTimes } from './send-times.ts';

interface SendLaterProps {
  onChoose: (at: Date) => void;
  onClose: () => void;
}

export function SendLater({ onChoose, onClose }: SendLaterProps) {
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
