// The spam filter: whether it answers, and from which scores on a site holds or marks mail.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../../shared/button.tsx';
import { TextField } from '../../../shared/field.tsx';
import { count } from '../../../shared/format.ts';
import { announceRefusal, Notice } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useSubmission } from '../../../shared/submission.ts';
import { can } from '../../session.ts';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { SectionForm } from '../section-form.tsx';
import { SectionHead } from '../section-head.tsx';
import type { SectionProps } from '../settings-route.ts';
import { t } from './messages.ts';

interface Settings {
  settings: { spam_hold_score: number | null; spam_mark_score: number | null };
}

interface Values {
  /** Empty for none. */
  hold: string;
  mark: string;
}

const shownScore = (score: number | null) => (score === null ? '' : String(score));
const scoreOf = (text: string) => (text.trim() === '' ? null : Number(text));
const isScore = (text: string) => text.trim() === '' || (Number(text) >= 0 && Number(text) <= 1000);

const valuesOf = ({ settings }: Settings): Values => ({
  hold: shownScore(settings.spam_hold_score),
  mark: shownScore(settings.spam_mark_score),
});

export function SpamSection({ site }: SectionProps) {
  const path = `/sites/${site.id}`;
  const live = useLiveData<Settings>(path);
  const { reload } = live;
  const found = live.shown.value;
  const names = { hold: t.holdFrom, mark: t.markFrom };
  return (
    <>
      <SectionHead title={t.spamFilter} lead={t.spamFilterLead} />
      {can('manage') && <FilterPanel />}
      <Loading of={live} />
      {found !== null && (
        <>
          <SectionForm
            label={t.spamThresholds}
            name={`spam.${site.id}`}
            {...{ found, valuesOf, names, reload }}
            put={({ hold, mark }, etag) =>
              ask(
                'PATCH',
                path,
                { settings: { spam_hold_score: scoreOf(hold), spam_mark_score: scoreOf(mark) } },
                { 'If-Match': etag },
              )
            }
            said={() => t.spamSaved}
            readOnly={can('manage') ? null : t.onlyManagersChange}
            check={(values) =>
              Object.fromEntries(
                (['hold', 'mark'] as const).flatMap((name) => (isScore(values[name]) ? [] : [[name, t.scoreRefused]])),
              )
            }
          >
            {(form) => (
              <>
                <div class="choices two">
                  <TextField label={t.holdFrom} type="number" hint={t.holdHint} {...form.field('hold')} />
                  <TextField label={t.markFrom} type="number" hint={t.markHint} {...form.field('mark')} />
                </div>
                <p class="soft">{consequence(form.values)}</p>
              </>
            )}
          </SectionForm>
          <LastChange siteId={site.id} actions={['site.updated']} targetId={site.id} version={found.etag} />
          <Command slug={site.slug} values={valuesOf(found.data)} />
        </>
      )}
    </>
  );
}

function Command({ slug, values }: { slug: string; values: Values }) {
  return (
    <EqualCommand
      words={[
        ...['helpdesk', 'site', 'update', slug, '--spam-hold-score', values.hold || 'none'],
        ...['--spam-mark-score', values.mark || 'none'],
      ]}
    />
  );
}

/** What follows from these scores, in words, before they are saved. */
function consequence(values: Values): string {
  if (!isScore(values.hold) || !isScore(values.mark)) return t.scoreRefused;
  const [hold, mark] = [scoreOf(values.hold), scoreOf(values.mark)];
  if (hold === null && mark === null) return t.nothingIsHeld;
  if (mark === null) return t.heldFrom(count(hold ?? 0));
  return hold === null ? t.markedFrom(count(mark)) : t.heldAndMarkedFrom(count(hold), count(mark));
}

interface Filter {
  is_set: boolean;
  is_up: boolean | null;
  score: number | null;
  milliseconds: number | null;
  message: string | null;
}

function FilterPanel() {
  const filter = useSignal<Filter | null>(null);
  const trying = useSubmission();
  async function test(): Promise<void> {
    const answer = await trying.send(() => ask<{ data: Filter }>('GET', '/mail/spam-filter'));
    if (answer !== null) filter.value = answer.data;
    else if (trying.refusal.value !== null) announceRefusal(trying.refusal.value);
  }
  useEffect(() => void test(), []);
  const found = filter.value;
  return (
    <div class="panel filter-now">
      <div role="status">
        {found === null && <p class="soft">{t.filterAsking}</p>}
        {found !== null && !found.is_set && (
          <Notice kind="hint">
            <p>{t.filterUnset}</p>
            <p>
              <code>HELPDESK_RSPAMD_URL=http://127.0.0.1:11333</code>
            </p>
          </Notice>
        )}
        {found?.is_up === true && (
          <Notice kind="done">{t.filterAnswers(count(found.milliseconds ?? 0), count(found.score ?? 0))}</Notice>
        )}
        {found?.is_up === false && (
          <Notice kind="problem">
            <p>{t.filterDown}</p>
            <p class="soft">
              <bdi lang="en">{found.message}</bdi>
            </p>
          </Notice>
        )}
      </div>
      <Button isBusy={trying.isBusy.value} onClick={() => void test()}>
        {t.testFilter}
      </Button>
    </div>
  );
}
