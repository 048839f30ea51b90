// Who changed something last, from the audit log, for those who may read it.

import type { AuditEntry } from '../../../http/wire/audit.ts';
import { now } from '../../shared/clock.ts';
import { ago, dateAndTime } from '../../shared/format.ts';
import { can } from '../session.ts';
import { useFetched } from '../shell/fetched.ts';
import { t } from './messages.ts';

interface LastChangeProps {
  /** Null: it belongs to no single site. */
  siteId: number | null;
  actions: readonly AuditEntry['action'][];
  /** Of what the first action is named after. Null: any of these actions counts. */
  targetId: number | null;
  /** Only changes of one of these fields count. */
  fields?: readonly string[];
  /** With another one the log is asked again. */
  version: string;
}

/** What concerns no single site is for owners. */
export function LastChange(props: LastChangeProps) {
  return can(props.siteId === null ? 'own' : 'manage') ? <Asked {...props} /> : null;
}

function Asked({ siteId, actions, targetId, fields = [], version }: LastChangeProps) {
  const [noun] = actions[0]?.split('.') ?? [];
  const query = new URLSearchParams({
    ...{ per_page: '1', action: actions.join() },
    ...(siteId === null ? {} : { site_id: String(siteId) }),
    // The audit log files a site's SLA policy under the site.
    ...(targetId === null ? {} : { target: `${noun === 'sla_policy' ? 'site' : noun}:${targetId}` }),
  });
  for (const field of fields) query.append('field', field);
  const { data } = useFetched<{ data: AuditEntry[] }>(`/audit?${query}#${version}`);
  const [last] = data.value?.data ?? [];
  if (last === undefined) return null;
  const who = last.actor.name ?? (last.actor.type === 'command_line' ? t.atCommandLine : t.byTheDesk);
  return (
    <p class="last-change soft">
      <time dateTime={last.created_at} title={dateAndTime(last.created_at)}>
        {t.lastChangeBy(who, ago(last.created_at, now()))}
      </time>
    </p>
  );
}
