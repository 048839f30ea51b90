// What a rule did in the last 30 days: how often it ran and matched, and the tickets.

import type { ComponentChildren } from 'preact';
import type * as z from 'zod';
import type { runShape } from '../../../../http/wire/rules/automation.ts';
import { count, dateAndTime } from '../../../shared/format.ts';
import { Icon } from '../../../shared/icons.tsx';
import { subjectText } from '../../list/messages.ts';
import { Link } from '../../route.ts';
import type { Site } from '../../session.ts';
import { useLiveData } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import type { Rule } from './inbound-rule.ts';
import type { AnyRule, Counts } from './kind.ts';
import { t } from './messages.ts';
import type { Names } from './names.ts';
import type { Vocabulary } from './vocabulary.ts';
import { conditionWords } from './words.ts';

/** A rule that was asked and never matched is likely wrong. */
export function RuleCounts({ counts, isBroken = false }: { counts: Counts; isBroken?: boolean }) {
  const { ran, matched, skipped = 0, said } = counts;
  if (ran === 0 && !isBroken && said === undefined) return <p class="soft">{t.ruleNotRun}</p>;
  return (
    <p class="soft rule-counts">
      {isBroken && <Warning text={t.ruleBroken} />}
      {ran > 0 && matched === 0 && !isBroken && said === undefined && <Warning text={t.ruleNeverMatched} />}
      {said?.join(' · ') ?? (ran > 0 && t.ruleMatchesOf(count(matched), count(ran)))}
      {skipped > 0 && <Warning text={t.ruleCutShort(count(skipped))} />}
    </p>
  );
}

function Warning({ text }: { text: string }) {
  return (
    <span class="badge rule-idle">
      <Icon name="warning" />
      {text}
    </span>
  );
}

interface DidProps {
  counts: Counts;
  /** Null: not yet known. */
  tickets:
    | readonly { key: string | number; ulid: string; reference: string; subject: string; at: string; why?: string }[]
    | null;
  children: ComponentChildren;
}

function Did({ counts, tickets, children }: DidProps) {
  return (
    <section class="panel rule-matches" aria-labelledby="rule-matches">
      <h2 id="rule-matches">{counts.said === undefined ? t.ruleMatches : t.recurringDone}</h2>
      <RuleCounts counts={counts} />
      {children}
      {tickets?.length === 0 && counts.matched > 0 && <p class="soft">{t.noRuleTickets}</p>}
      {tickets !== null && tickets.length > 0 && (
        <>
          {counts.said === undefined && <p class="soft">{t.ruleTickets}</p>}
          <ul>
            {tickets.map(({ key, ulid, reference, subject, at, why = '' }) => (
              <li key={key}>
                <Link href={`/tickets/${ulid}`}>
                  {reference} <bdi>{subjectText(subject)}</bdi>
                </Link>
                <time class="soft" dateTime={at}>
                  {dateAndTime(at)}
                </time>
                {why !== '' && <p class="soft">{why}</p>}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
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
  const { runs, matches } = rule.last_30_days;
  const rows = live.shown.value?.data.map(({ matched_at: at, ...row }) => ({ ...row, at, key: row.ulid })) ?? null;
  return (
    <Did counts={{ ran: runs, matched: matches }} tickets={rows}>
      <Loading of={live} />
    </Did>
  );
}

type Run = z.output<typeof runShape>;

interface RunsProps<Row extends AnyRule> {
  kind: { path: string; countsOf: (row: Row) => Counts };
  site: Site;
  rule: Row;
  names: Names;
  /** Null: it has no conditions. */
  vocabulary: Vocabulary | null;
}

/** With what of its conditions held. */
export function RuleRuns<Row extends AnyRule>({ kind, site, rule, names, vocabulary }: RunsProps<Row>) {
  const live = useLiveData<Run[]>(`/sites/${site.id}/${kind.path}/${rule.id}/runs`);
  const whyOf = ({ because }: Run) =>
    vocabulary === null ? '' : because.map((one) => conditionWords(one, vocabulary, names)).join(' · ');
  const rows =
    live.shown.value?.data.map((run) => ({ ...run.ticket, key: run.seq, at: run.at, why: whyOf(run) })) ?? null;
  return (
    <Did counts={kind.countsOf(rule)} tickets={rows}>
      <Loading of={live} />
    </Did>
  );
}
