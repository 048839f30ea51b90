// Within what time tickets are answered and resolved, by priority, and what becomes of the tickets that are open.

import type { Answer, Refusal } from '../../../shared/api.ts';
import { SwitchField, TextField } from '../../../shared/field.tsx';
import { fieldProblems } from '../../../shared/refusal-text.ts';
import { ask } from '../../../shared/signed-in.ts';
import { can } from '../../session.ts';
import type { Edited } from '../edited.ts';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { SectionForm } from '../section-form.tsx';
import { SectionHead } from '../section-head.tsx';
import type { SectionProps } from '../settings-route.ts';
import { durationText, minutesIn } from './durations.ts';
import { t } from './messages.ts';
import { Preview } from './preview.tsx';
import { Recompute } from './recompute.tsx';
import type { Priority, SiteWithPolicy } from './wire.ts';

export function TargetsSection({ site }: SectionProps) {
  const priorities = useLiveData<Priority[]>(`/sites/${site.id}/priorities`);
  const policy = useLiveData<SiteWithPolicy>(`/sites/${site.id}`);
  const rows = priorities.shown.value?.data ?? null;
  const found = policy.shown.value;
  const reload = async () => {
    await Promise.all([priorities.reload(), policy.reload()]);
  };
  return (
    <>
      <SectionHead title={t.slaTargets} lead={t.slaTargetsLead} />
      <Loading of={rows === null ? priorities : policy} />
      {rows !== null && found !== null && (
        <>
          <TargetsForm
            site={site}
            rows={rows}
            zone={found.data.sla_policy.business_hours?.timezone ?? 'UTC'}
            reload={reload}
          />
          <SectionForm<ClockValues, SiteWithPolicy>
            label={t.slaClocks}
            name={`sla-clocks.${site.id}`}
            {...{ found, reload }}
            names={{ pauses: t.pauseWhilePending, warn: t.warnAt }}
            valuesOf={clocksOf}
            problemsIn={({ fields }): Record<string, string> =>
              fields['sla_policy.warn_at_percent'] ? { warn: t.warnRefused } : {}
            }
            fields={['sla_policy.warn_at_percent']}
            check={({ warn }): Record<string, string> => (isPercent(warn) ? {} : { warn: t.warnRefused })}
            put={(values, etag) =>
              ask('PATCH', `/sites/${site.id}`, { sla_policy: policyOf(values) }, { 'If-Match': etag })
            }
            said={() => t.slaClocksSaved}
            readOnly={can('manage') ? null : t.onlyManagersChange}
          >
            {(form) => <ClockFields form={form} slug={site.slug} />}
          </SectionForm>
          {can('manage') && <Recompute siteId={site.id} />}
          <LastChange
            siteId={site.id}
            actions={['sla_policy.updated', 'priority.updated', 'sla_policy.recomputed']}
            targetId={null}
            version={found.etag + JSON.stringify(rows)}
          />
        </>
      )}
    </>
  );
}

interface ClockValues {
  pauses: boolean;
  warn: string;
}

const clocksOf = ({ sla_policy: { pause_while_pending: pauses, warn_at_percent: warn } }: SiteWithPolicy) => ({
  pauses,
  warn: String(warn),
});
const policyOf = ({ pauses, warn }: ClockValues) => ({ pause_while_pending: pauses, warn_at_percent: Number(warn) });
const isPercent = (text: string) => /^[1-9]\d?$/.test(text.trim());

function ClockFields({ form, slug }: { form: Edited<ClockValues>; slug: string }) {
  const { pauses, warn } = form.values;
  return (
    <>
      <SwitchField
        label={t.pauseWhilePending}
        hint={t.pauseWhilePendingHint}
        value={pauses}
        onValue={(isOn) => form.change({ pauses: isOn })}
      />
      <TextField label={t.warnAt} hint={t.warnAtHint} type="number" {...form.field('warn')} />
      <EqualCommand
        words={[
          ...['helpdesk', 'site', 'update', slug],
          ...['--pause-while-pending', pauses ? 'yes' : 'no', '--warn-at-percent', warn],
        ]}
      />
    </>
  );
}

const clocks = ['first', 'resolution'] as const;
type Which = (typeof clocks)[number];
type TargetValues = Record<string, string>;

const keyOf = (id: number, which: Which) => `${which}.${id}`;

function targetsOf(rows: readonly Priority[]): TargetValues {
  return Object.fromEntries(
    rows.flatMap((row) => [
      [keyOf(row.id, 'first'), durationText(row.first_response_minutes)],
      [keyOf(row.id, 'resolution'), durationText(row.resolution_minutes)],
    ]),
  );
}

const bodyOf = (values: TargetValues, id: number) => ({
  first_response_minutes: minutesIn(values[keyOf(id, 'first')] ?? ''),
  resolution_minutes: minutesIn(values[keyOf(id, 'resolution')] ?? ''),
});

function names(rows: readonly Priority[]): Record<string, string> {
  return Object.fromEntries(
    rows.flatMap(({ id, name }) => [
      [keyOf(id, 'first'), t.targetOf(name, t.targetFirst)],
      [keyOf(id, 'resolution'), t.targetOf(name, t.targetResolution)],
    ]),
  );
}

/** Each priority has a version of its own, so the form's is what it began with. */
async function putTargets(path: string, values: TargetValues, etag: string): Promise<Answer<{ data: Priority[] }>> {
  const before = JSON.parse(etag) as TargetValues;
  const ids = new Set(
    Object.keys(values)
      .filter((key) => values[key] !== before[key])
      .map((key) => Number(key.split('.')[1])),
  );
  for (const id of ids) {
    const newest = await ask<{ data: Priority }>('GET', `${path}/${id}`);
    if (!newest.isOk) return newest;
    const theirs = targetsOf([newest.data.data]);
    if (Object.keys(theirs).some((key) => theirs[key] !== before[key])) return { isOk: false, refusal: changed };
    const answer = await ask('PATCH', `${path}/${id}`, bodyOf(values, id), { 'If-Match': newest.etag ?? '' });
    if (!answer.isOk) return { isOk: false, refusal: { ...answer.refusal, fields: fieldsOf(answer.refusal, id) } };
  }
  const all = await ask<{ data: Priority[] }>('GET', path);
  return all.isOk ? { ...all, etag: JSON.stringify(targetsOf(all.data.data)) } : all;
}

const changed: Refusal = {
  ...{ code: 'conflict', status: 412, message: '', fields: {}, requestId: null, retryAfterSeconds: null },
};

const fieldNames: Record<string, Which> = { first_response_minutes: 'first', resolution_minutes: 'resolution' };
const fieldsOf = ({ fields }: Refusal, id: number) =>
  Object.fromEntries(Object.entries(fields).map(([name, said]) => [keyOf(id, fieldNames[name] ?? 'first'), said]));

interface TargetsProps extends SectionProps {
  rows: readonly Priority[];
  zone: string;
  reload: () => Promise<void>;
}

function TargetsForm({ site, rows, zone, reload }: Omit<TargetsProps, 'id'>) {
  const path = `/sites/${site.id}/priorities`;
  const found = { etag: JSON.stringify(targetsOf(rows)), data: [...rows] };
  return (
    <SectionForm<TargetValues, Priority[]>
      label={t.slaTargets}
      name={`sla-targets.${site.id}`}
      {...{ found, reload }}
      names={names(rows)}
      valuesOf={targetsOf}
      problemsIn={fieldProblems}
      fields="all"
      check={(values) =>
        Object.fromEntries(
          Object.keys(values)
            .filter((key) => minutesIn(values[key] ?? '') === undefined)
            .map((key) => [key, t.targetRefused]),
        )
      }
      put={(values, etag) => putTargets(path, values, etag)}
      said={() => t.slaTargetsSaved}
      readOnly={can('manage') ? null : t.onlyManagersChange}
    >
      {(form) => (
        <>
          <TargetsTable form={form} rows={rows} />
          <p class="soft">{t.targetsCountFor}</p>
          <div class="form-part">
            <Preview siteId={site.id} zone={zone} targetsOf={(id) => bodyOf(form.values, id)} />
          </div>
          <Command slug={site.slug} form={form} rows={rows} />
        </>
      )}
    </SectionForm>
  );
}

/** For the first priority that is changed. */
function Command({ slug, form, rows }: { slug: string; form: Edited<TargetValues>; rows: readonly Priority[] }) {
  const isChanged = ({ id }: Priority) =>
    clocks.some((which) => form.values[keyOf(id, which)] !== form.base.data[keyOf(id, which)]);
  const row = rows.find(isChanged) ?? rows[0];
  if (row === undefined) return null;
  const { first_response_minutes: first, resolution_minutes: resolution } = bodyOf(form.values, row.id);
  const targets = ['--first-response', String(first ?? 'none'), '--resolution', String(resolution ?? 'none')];
  return <EqualCommand words={['helpdesk', 'priority', 'update', String(row.id), ...targets, '--site', slug]} />;
}

function TargetsTable({ form, rows }: { form: Edited<TargetValues>; rows: readonly Priority[] }) {
  const problems = form.problems.value;
  const texts = { first: t.targetFirst, resolution: t.targetResolution };
  return (
    <>
      <table class="sla-targets">
        <thead>
          <tr>
            <th scope="col">{t.previewPriority}</th>
            <th scope="col">{t.targetFirst}</th>
            <th scope="col">{t.targetResolution}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, is_active: isActive }) => (
            <tr key={id}>
              <th scope="row">
                <bdi>{name}</bdi>
                {!isActive && <span class="soft"> {t.priorityOff}</span>}
              </th>
              {clocks.map((which) => {
                const key = keyOf(id, which);
                const problem = problems[key];
                return (
                  <td key={which}>
                    <input
                      type="text"
                      aria-label={t.targetOf(name, texts[which])}
                      placeholder={t.noTarget}
                      value={form.values[key] ?? ''}
                      aria-invalid={problem !== undefined || undefined}
                      aria-describedby={problem === undefined ? 'targets-hint' : `targets-hint ${key}-problem`}
                      onInput={({ currentTarget }) => form.field(key).onValue(currentTarget.value)}
                    />
                    {problem !== undefined && (
                      <p class="field-problem" id={`${key}-problem`}>
                        {problem}
                      </p>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="field-hint" id="targets-hint">
        {t.targetsHint}
      </p>
    </>
  );
}
