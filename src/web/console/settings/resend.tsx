// Asks of which time what failed for good is sent again.

import { useSignal } from '@preact/signals';
import type { Answer } from '../../shared/api.ts';
import { bound } from '../../shared/bound.ts';
import { Button } from '../../shared/button.tsx';
import { now } from '../../shared/clock.ts';
import { Dialog } from '../../shared/dialog.tsx';
import { ChoiceField } from '../../shared/field.tsx';
import { count } from '../../shared/format.ts';
import { announce, SubmissionNotice } from '../../shared/notices.tsx';
import { useSubmission } from '../../shared/submission.ts';
import { t } from './messages.ts';

const dayMs = 86_400_000;
const periods = { hour: dayMs / 24, day: dayMs, week: 7 * dayMs, month: 30 * dayMs } as const;

/** In words, how many leave. */
export function announceRequeued(requeued: number): void {
  announce(requeued === 0 ? t.requeuedNone : requeued === 1 ? t.requeuedOne : t.requeuedMany(count(requeued)));
}

interface ResendProps {
  title: string;
  text: string;
  send: (since: string) => Promise<Answer<{ data: { requeued: number } }>>;
  reload: () => Promise<void>;
  onClose: () => void;
}

export function Resend({ title, text, send, reload, onClose }: ResendProps) {
  const sending = useSubmission();
  const period = useSignal<keyof typeof periods>('day');
  const texts = { hour: t.lastHour, day: t.lastDay, week: t.lastWeek, month: t.lastMonth };

  async function sendAgain(): Promise<void> {
    const since = new Date(now() - periods[period.value]).toISOString();
    const done = await sending.send(() => send(since));
    if (done === null) return;
    announceRequeued(done.data.requeued);
    onClose();
    await reload();
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <div class="dialog-body">
        <p class="soft">{text}</p>
        <ChoiceField
          label={t.redeliverPeriod}
          options={(Object.keys(periods) as (keyof typeof periods)[]).map((value) => ({ value, text: texts[value] }))}
          {...bound(period)}
        />
        <SubmissionNotice submission={sending} />
        <div class="dialog-actions">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="primary" isBusy={sending.isBusy.value} onClick={() => void sendAgain()}>
            {t.redeliver}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
