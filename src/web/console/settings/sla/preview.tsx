// When a ticket that is opened at some moment would be due, and why. The desk computes it, also from what is not saved.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type * as z from 'zod';
import type { SlaClock } from '../../../../domain/sla/clock.ts';
import type { slaPreviewShape } from '../../../../http/wire/sla/sla.ts';
import type { Refusal } from '../../../shared/api.ts';
import { now } from '../../../shared/clock.ts';
import { ChoiceField } from '../../../shared/field.tsx';
import { count, span } from '../../../shared/format.ts';
import { ask } from '../../../shared/signed-in.ts';
import { useFetched } from '../../shell/fetched.ts';
import { inZone, wallTime } from '../../zone.ts';
import { t } from './messages.ts';
import type { Priority } from './wire.ts';

type Found = z.output<typeof slaPreviewShape>;
type Clock = Found['clocks'][number];

interface PreviewProps {
  siteId: number;
  zone: string;
  /** What is not saved, of the policy and of the targets of a priority. */
  policy?: object;
  targetsOf?: (priorityId: number) => object;
}

const pauseMs = 300;
const mostShown = 8;

export function Preview({ siteId, zone, policy, targetsOf }: PreviewProps) {
  const { data: listed } = useFetched<{ data: Priority[] }>(`/sites/${siteId}/priorities`);
  const priorities = (listed.value?.data ?? []).filter((one) => one.is_active);
  const chosen = useSignal<number | null>(null);
  const opened = useSignal(wallTime(now(), zone));
  const found = useSignal<Found | null>(null);
  const refusal = useSignal<Refusal | null>(null);
  const priority =
    priorities.find(({ id }) => id === chosen.value) ?? priorities.find((one) => one.is_default) ?? priorities[0];
  const body =
    priority === undefined || opened.value === ''
      ? null
      : JSON.stringify({
          opened_at: opened.value.slice(0, 16),
          priority_id: priority.id,
          ...(policy === undefined ? {} : { sla_policy: policy }),
          ...targetsOf?.(priority.id),
        });
  useEffect(() => {
    if (body === null) return;
    let isNewest = true;
    const timer = setTimeout(async () => {
      const answer = await ask<{ data: Found }>('POST', `/sites/${siteId}/sla/preview`, JSON.parse(body));
      if (!isNewest) return;
      refusal.value = answer.isOk ? null : answer.refusal;
      found.value = answer.isOk ? answer.data.data : null;
    }, pauseMs);
    return () => {
      isNewest = false;
      clearTimeout(timer);
    };
  }, [body]);
  if (priority === undefined) return null;
  return (
    <section class="sla-preview" aria-labelledby="sla-preview">
      <h2 id="sla-preview">{t.slaPreview}</h2>
      <p class="soft">{t.slaPreviewLead}</p>
      <div class="choices two">
        <ChoiceField<string>
          label={t.previewPriority}
          value={String(priority.id)}
          options={priorities.map(({ id, name }) => ({ value: String(id), text: name }))}
          onValue={(id) => {
            chosen.value = Number(id);
          }}
        />
        <div class="field">
          <label for="preview-opened">{t.previewOpened(found.value?.timezone ?? zone)}</label>
          <input
            id="preview-opened"
            type="datetime-local"
            value={opened.value}
            onInput={({ currentTarget }) => {
              opened.value = currentTarget.value;
            }}
          />
        </div>
      </div>
      <div role="status" class="sla-clocks">
        {refusal.value !== null && <p>{t.previewRefused}</p>}
        {found.value?.clocks.map((clock) => (
          <ClockPreview key={clock.clock} clock={clock} zone={found.value?.timezone ?? zone} priority={priority.name} />
        ))}
      </div>
    </section>
  );
}

const clockNames: Record<SlaClock, () => string> = {
  first_response: () => t.targetFirst,
  resolution: () => t.targetResolution,
};

function ClockPreview({ clock, zone, priority }: { clock: Clock; zone: string; priority: string }) {
  const name = clockNames[clock.clock]();
  const moment = (iso: string) =>
    inZone(Date.parse(iso), zone, {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
    });
  if (clock.due_at === null || clock.started_at === null)
    return (
      <div>
        <h3>{name}</h3>
        <p class="soft">{t.previewNone(priority)}</p>
      </div>
    );
  const shown = clock.intervals.slice(0, mostShown);
  const rest = clock.intervals.length - shown.length;
  return (
    <div>
      <h3>{name}</h3>
      <p>{t.previewDue(priority, moment(clock.started_at), moment(clock.due_at))}</p>
      <ol>
        {shown.map((one) => (
          <li key={one.from}>
            {one.kind === 'counted' ? t.previewCounts(span(one.working_seconds * 1000)) : t.previewClosed}{' '}
            <span class="soft">
              {moment(one.from)} – {moment(one.to ?? one.from)}
            </span>
          </li>
        ))}
      </ol>
      {rest > 0 && <p class="soft">{t.previewMore(count(rest))}</p>}
    </div>
  );
}
