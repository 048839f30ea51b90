// The settings of a site as a file: download it, and see what another one would change before it does.

import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { z } from 'zod';
import { mostSettingsFileCharacters } from '../../../../domain/sites/limits.ts';
import type { plannedChangeShape } from '../../../../http/wire/sites/site.ts';
import type { Refusal } from '../../../shared/api.ts';
import { Button, ButtonLink } from '../../../shared/button.tsx';
import { FieldNotes } from '../../../shared/field.tsx';
import { count } from '../../../shared/format.ts';
import { announce, Notice, SubmissionNotice } from '../../../shared/notices.tsx';
import { fieldProblems } from '../../../shared/refusal-text.ts';
import { ask } from '../../../shared/signed-in.ts';
import { useSubmission } from '../../../shared/submission.ts';
import { EqualCommand } from '../equal-command.tsx';
import { SectionHead } from '../section-head.tsx';
import type { SectionProps } from '../settings-route.ts';
import { t } from './messages.ts';

type Planned = z.output<typeof plannedChangeShape>;

interface Answered {
  data: Planned[];
  meta: { plan: string };
}

interface Chosen {
  name: string;
  yaml: string;
  plan: Answered | null;
}

const problemsIn = (refusal: Refusal): Record<string, string> =>
  refusal.code === 'no_settings' ? { file: t.fileNoSettings } : fieldProblems(refusal);

export function SettingsFileSection({ site }: SectionProps) {
  const path = `/sites/${site.id}/settings-file`;
  const chosen = useSignal<Chosen | null>(null);
  const submission = useSubmission(problemsIn);
  const id = useId();
  const problem = submission.problems.value.file;

  async function choose(file: File): Promise<void> {
    chosen.value = null;
    if (file.size > mostSettingsFileCharacters) submission.refuse({ file: t.fileRefused });
    else await look(file.name, await file.text());
  }
  async function look(name: string, yaml: string): Promise<void> {
    chosen.value = { name, yaml, plan: null };
    const plan = await submission.send(() => ask<Answered>('POST', path, { yaml }));
    if (chosen.peek()?.yaml === yaml) chosen.value = { name, yaml, plan };
  }
  async function apply({ name, yaml, plan }: Chosen): Promise<void> {
    const done = await submission.send(() => ask<Answered>('POST', path, { yaml, plan: plan?.meta.plan }));
    // Someone else changed the site meanwhile: the plan is another one now.
    if (done === null && submission.refusal.peek()?.code === 'plan_changed') {
      await look(name, yaml);
      announce(t.filePlanChanged, 'problem');
    }
    if (done === null) return;
    announce(t.fileApplied(count(done.data.length)));
    chosen.value = null;
  }

  const plan = chosen.value?.plan?.data ?? null;
  return (
    <>
      <SectionHead title={t.settingsFile} lead={t.settingsFileLead}>
        <ButtonLink href={`/api/v1${path}`}>{t.fileDownload}</ButtonLink>
      </SectionHead>
      <div class="panel settings-file">
        <div class="field">
          <label for={id}>{t.fileChoose}</label>
          <input
            id={id}
            type="file"
            accept=".yaml,.yml,application/yaml,text/yaml"
            aria-invalid={problem !== undefined || undefined}
            aria-describedby={`${id}-hint`}
            onChange={async ({ currentTarget }) => {
              const file = currentTarget.files?.[0];
              if (file === undefined) return;
              await choose(file);
              // The same file can be chosen again after it was changed.
              currentTarget.value = '';
            }}
          />
          <FieldNotes id={id} hint={t.fileHint} problem={problem} />
        </div>
        <SubmissionNotice submission={submission} fields={['file']} />
        <div role="status">
          {chosen.value !== null && plan?.length === 0 && <Notice kind="done">{t.fileSame(chosen.value.name)}</Notice>}
          {chosen.value !== null && plan !== null && plan.length > 0 && (
            <p>
              <strong>{t.filePlan(chosen.value.name, count(plan.length))}</strong>
            </p>
          )}
        </div>
        {plan !== null && plan.length > 0 && (
          <>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is reached by keys */}
            <ul class="plan" aria-label={t.filePlanList} tabIndex={0}>
              {plan.map((change, at) => (
                <Change key={at} change={change} />
              ))}
            </ul>
            <div class="panel-actions">
              <Button
                onClick={() => {
                  chosen.value = null;
                }}
              >
                {t.cancel}
              </Button>
              <Button
                kind="primary"
                isBusy={submission.isBusy.value}
                onClick={() => chosen.value && void apply(chosen.value)}
              >
                {t.fileApply}
              </Button>
            </div>
          </>
        )}
      </div>
      <EqualCommand
        words={['helpdesk', 'site', 'import-settings', site.slug, chosen.value?.name ?? 'settings.yaml', '--apply']}
      />
    </>
  );
}

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

function Change({ change: { change, section, name, field, from, to } }: { change: Planned }) {
  return (
    <li>
      <p>
        <span class={`mailbox-state ${change === 'added' ? 'good' : 'soft'}`}>
          {change === 'added' ? t.fileAdded : t.fileChanged}
        </span>{' '}
        <code>{[section, name, field].filter((part) => part !== null).join(' · ')}</code>
      </p>
      <p class="plan-values">
        {change === 'changed' && (
          <>
            <del>{shown(from)}</del> <span aria-hidden="true">→</span>{' '}
          </>
        )}
        <ins>{shown(to)}</ins>
      </p>
    </li>
  );
}
