// What a rule did in the last 30 days: how often it ran and matched, and the tickets.

import { count, dateAndTime } from '../../../shared/format.ts';
import { Icon } from '../../../shared/icons.tsx';
import { subjectText } from '../../list/messages.ts';
import { Link } from '../../route.ts';
import type { Site } from '../../session.ts';
import { useLiveData } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import type { Rule } from './draft.ts';
import { t } from './messages.ts';

/** A rule that was asked and never matched is likely wrong. */
export function RuleCounts({ rule: { last_30_days: counts } }: { rule: Pick<Rule, 'last_30_days'> }) {
  if (counts.runs === 0) return <p class="soft">{t.ruleNotRun}</p>;
  return (
    <p class="soft rule-counts">
      {counts.matches === 0 && (
        <span class="badge rule-idle">
          <Icon name="warning" />
          {t.ruleNeverMatched}
        </span>
      )}
      {t.ruleMatchesOf(count(counts.matches), count(counts.runs))}
    </p>
  );
}

interface Matched {
  ulid: string;
  reference: string;
  subject: string;
  matched_at: string;
}

export function RuleMatches({ site, rule }: { site: Site; rule: Rule }) {
  const live = useLiveData<Matched[]>(`/sites/${site.id}/inbound-rules/${rule.id}/tickets`);
  const rows = live.shown.value?.data ?? null;
  return (
    <section class="panel rule-matches" aria-labelledby="rule-matches">
      <h2 id="rule-matches">{t.ruleMatches}</h2>
      <RuleCounts rule={rule} />
      <Loading of={live} />
      {rows?.length === 0 && rule.last_30_days.matches > 0 && <p class="soft">{t.noRuleTickets}</p>}
      {rows !== null && rows.length > 0 && (
        <>
          <p class="soft">{t.ruleTickets}</p>
          <ul>
            {rows.map(({ ulid, reference, subject, matched_at: at }) => (
              <li key={ulid}>
                <Link href={`/tickets/${ulid}`}>
                  {reference} <bdi>{subjectText(subject)}</bdi>
                </Link>
                <time class="soft" dateTime={at}>
                  {dateAndTime(at)}
                </time>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
