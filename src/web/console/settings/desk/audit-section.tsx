// The audit log: who changed what and who signed in, newest first, as far back as one scrolls.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { auditActions } from '../../../../domain/audit.ts';
import type { AuditEntry } from '../../../../http/wire/audit.ts';
import { Button, ButtonLink } from '../../../shared/button.tsx';
import { ChoiceField, TextField } from '../../../shared/field.tsx';
import { dateAndTime } from '../../../shared/format.ts';
import { ask } from '../../../shared/signed-in.ts';
import { useSubmission } from '../../../shared/submission.ts';
import { can, me, visibleSites } from '../../session.ts';
import { Empty } from '../../shell/empty.tsx';
import { useFetched } from '../../shell/fetched.ts';
import { Refused } from '../../shell/refused.tsx';
import { dayBegins, nextDate } from '../../zone.ts';
import { EqualCommand } from '../equal-command.tsx';
import { Skeleton } from '../loading.tsx';
import { SectionHead } from '../section-head.tsx';
import { actionText, actorText, changesOf } from './audit-words.ts';
import { t } from './messages.ts';
import type { Person } from './wire.ts';

interface AuditPage {
  data: AuditEntry[];
  meta: { next_cursor: string | null };
}

const noFilter = { actor: '', action: '', site_id: '', from: '', to: '' };
type Filter = typeof noFilter;

/** Days begin and end where the times of the entries are shown. */
function given({ from, to, ...filter }: Filter): [string, string][] {
  const zone = me.value?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const at = (date: string, ms = 0) => new Date(dayBegins(date, zone) + ms).toISOString();
  const all = { ...filter, from: from && at(from), to: to && at(nextDate(to), -1) };
  return Object.entries(all).filter(([, value]) => value !== '');
}

export function AuditSection() {
  const filter = useSignal(noFilter);
  const query = new URLSearchParams(given(filter.value));
  return (
    <>
      <SectionHead title={t.audit} lead={can('own') ? t.auditLead : t.auditLeadOfAdmins}>
        <ButtonLink href={`/api/v1/audit?${new URLSearchParams([...query, ['format', 'csv']])}`}>{t.asCsv}</ButtonLink>
      </SectionHead>
      <Filters
        filter={filter.value}
        onChange={(changed) => {
          filter.value = { ...filter.value, ...changed };
        }}
      />
      <Entries key={String(query)} query={String(query)} />
      <EqualCommand
        words={[
          ...['helpdesk', 'audit', 'list'],
          ...given(filter.value).flatMap(([name, value]) => [`--${name === 'site_id' ? 'site' : name}`, value]),
        ]}
      />
    </>
  );
}

function Filters({ filter, onChange }: { filter: Filter; onChange: (changed: Partial<Filter>) => void }) {
  const people = useFetched<{ data: Person[] }>('/agents').data.value?.data ?? [];
  const named = people.toSorted((a, b) => a.name.localeCompare(b.name));
  const actions = auditActions
    .map((action) => ({ value: action as string, text: actionText(action) }))
    .sort((a, b) => a.text.localeCompare(b.text));
  return (
    <div class="panel">
      <div class="choices audit-filter">
        <ChoiceField<string>
          label={t.auditActor}
          value={filter.actor}
          options={[
            { value: '', text: t.auditAnyone },
            ...named.map(({ id, name }) => ({ value: `agent:${id}`, text: name })),
            { value: 'command_line', text: t.atCommandLine },
            { value: 'desk', text: t.byTheDesk },
            { value: 'unknown', text: t.auditUnknown },
          ]}
          onValue={(actor) => onChange({ actor })}
        />
        <ChoiceField<string>
          label={t.auditAction}
          value={filter.action}
          options={[{ value: '', text: t.auditAnything }, ...actions]}
          onValue={(action) => onChange({ action })}
        />
        <ChoiceField<string>
          label={t.auditSite}
          value={filter.site_id}
          options={[
            { value: '', text: t.allSites },
            ...visibleSites.value.map(({ id, name }) => ({ value: String(id), text: name })),
          ]}
          onValue={(site_id) => onChange({ site_id })}
        />
        <TextField
          label={t.auditFrom}
          name="from"
          type="date"
          value={filter.from}
          onValue={(from) => onChange({ from })}
        />
        <TextField label={t.auditTo} name="to" type="date" value={filter.to} onValue={(to) => onChange({ to })} />
      </div>
    </div>
  );
}

function Entries({ query }: { query: string }) {
  const rows = useSignal<readonly AuditEntry[] | null>(null);
  /** Null if there are no older entries. */
  const cursor = useSignal<string | null>('');
  const loading = useSubmission();
  const end = useRef<HTMLDivElement>(null);

  async function more(): Promise<void> {
    if (cursor.peek() === null) return;
    const after: [string, string][] = cursor.peek() === '' ? [] : [['cursor', cursor.peek() ?? '']];
    const search = new URLSearchParams([...new URLSearchParams(query), ...after, ['per_page', '50']]);
    const page = await loading.send(() => ask<AuditPage>('GET', `/audit?${search}`));
    if (page === null) return;
    rows.value = [...(rows.peek() ?? []), ...page.data];
    cursor.value = page.meta.next_cursor;
  }
  useEffect(() => void more(), []);
  const isThere = rows.value !== null;
  useEffect(() => {
    if (end.current === null) return;
    const seen = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting && loading.refusal.peek() === null) void more();
    });
    seen.observe(end.current);
    return () => seen.disconnect();
  }, [isThere, rows.value?.length]);

  const refusal = loading.refusal.value;
  if (rows.value === null)
    return refusal === null ? <Skeleton /> : <Refused refusal={refusal} onRetry={() => void more()} />;
  if (rows.value.length === 0)
    return (
      <Empty icon="search" title={t.noneFound}>
        {t.auditEmpty}
      </Empty>
    );
  return (
    <>
      <ul class="panel audit" aria-label={t.audit}>
        {rows.value.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
      {refusal !== null && <Refused refusal={refusal} onRetry={() => void more()} />}
      {cursor.value !== null && refusal === null && (
        <div ref={end}>
          <Button isBusy={loading.isBusy.value} onClick={() => void more()}>
            {t.auditOlder}
          </Button>
        </div>
      )}
    </>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { action, actor, target, address, site_id: siteId, created_at: at } = entry;
  const site = visibleSites.value.find(({ id }) => id === siteId)?.name;
  const changes = changesOf(entry);
  return (
    <li>
      <p>
        <span>
          <strong>
            <bdi>{actorText(actor)}</bdi>
          </strong>{' '}
          · {actionText(action)}
          {target.name !== null && !(target.type === actor.type && target.id === actor.id) && (
            <>
              {' '}
              · <bdi>{target.name}</bdi>
            </>
          )}
        </span>
        <time class="soft" dateTime={at}>
          {dateAndTime(at)}
        </time>
      </p>
      {(address !== null || site !== undefined) && (
        <p class="soft">{[site, address].filter((one) => one !== undefined && one !== null).join(' · ')}</p>
      )}
      {changes.length > 0 && (
        <dl>
          {changes.map(({ field, before, after }) => (
            <>
              <dt>{field}</dt>
              <dd>
                {before !== null && <del>{before}</del>}
                {before !== null && after !== null && ' → '}
                {after !== null && <ins>{after}</ins>}
              </dd>
            </>
          ))}
        </dl>
      )}
    </li>
  );
}
