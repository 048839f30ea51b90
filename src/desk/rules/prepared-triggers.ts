// The triggers of a site, ready to be asked: the same objects until something of the site's catalogue changes.

import type { Instant } from '../../base/clock.ts';
import { type PreparedTrigger, prepareTrigger } from '../../domain/rules/judge-trigger.ts';
import { brokenBy, type TriggerSurroundings } from '../../domain/rules/read-trigger.ts';
import { kindOfTicketField, type SiteWords } from '../../domain/rules/ticket-fields.ts';
import type { TriggerEvent } from '../../domain/rules/trigger.ts';
import { localeOf } from '../../domain/sites/site.ts';
import type { Tx } from '../../engine/database.ts';
import { agentsOfSite } from '../../store/people/agents.ts';
import { allTeams, isOfSite } from '../../store/people/teams.ts';
import { countAutomation } from '../../store/rules/automation.ts';
import {
  channelRows,
  customFieldRows,
  priorityRows,
  type TriggerRow,
  triggerRows,
} from '../../store/sites/catalogue.ts';
import { type Site, siteById } from '../../store/sites/sites.ts';
import { surroundingsOf } from './rules.ts';

export interface ReadyTrigger {
  rule: TriggerRow;
  test: PreparedTrigger;
  /** What it names that is no longer there: then it does not run. */
  broken: string | null;
  /** How often it was asked since that was last stored. */
  ran: number;
}

interface ReadyTriggers {
  siteUlid: string;
  all: readonly ReadyTrigger[];
  words: SiteWords;
  /** Those for any of these events, in order. */
  asked(events: readonly TriggerEvent[]): readonly ReadyTrigger[];
}

const byRows = new WeakMap<readonly TriggerRow[], ReadyTriggers>();
/** The least recently used first. A round of assignments changes the site, and with that the rows, but not what they say. */
const byContent = new Map<string, ReadyTriggers>();
const mostKept = 20_000;
let keptTotal = 0;

export function readyTriggers(tx: Tx, site: Site): ReadyTriggers {
  const rows = triggerRows.list(tx, site.id);
  const known = byRows.get(rows);
  if (known !== undefined) return known;
  const surroundings = triggerSurroundings(tx, site, 'active');
  const content = JSON.stringify([
    site.ulid,
    localeOf(site),
    rows.map(({ id, version }) => [id, version]),
    surroundings,
  ]);
  let ready = byContent.get(content);
  if (ready === undefined) {
    ready = prepare(rows, site, surroundings);
    keptTotal += rows.length;
  } else byContent.delete(content);
  byContent.set(content, ready);
  for (const [oldest, { all }] of byContent) {
    if (keptTotal <= mostKept || oldest === content) break;
    byContent.delete(oldest);
    keptTotal -= all.length;
  }
  byRows.set(rows, ready);
  return ready;
}

/** What triggers and timed rules of a site can name. */
export function triggerSurroundings(tx: Tx, site: Site, only: 'all' | 'active'): TriggerSurroundings {
  const isNamed = (row: { isActive: boolean }) => only === 'all' || row.isActive;
  return {
    ...surroundingsOf(tx, site, only),
    priorities: priorityRows
      .list(tx, site.id)
      .filter(isNamed)
      .map(({ id, name, slug }) => ({ id, name, slug })),
    agents: agentsOfSite(tx, site.id).map(({ id, name, email }) => ({ id, name, slug: email })),
    teams: allTeams(tx)
      .filter((team) => isOfSite(team, site.id))
      .map(({ id, name }) => ({ id, name })),
    fields: customFieldRows.list(tx, site.id).filter(isNamed),
    channels: channelRows.list(tx, site.id).map(({ id, name, type }) => ({ id, name, type })),
  };
}

export function kindsOfFields({ fields }: TriggerSurroundings): Parameters<typeof prepareTrigger>[1] {
  const types = new Map(fields.map(({ key, type }) => [key, type]));
  return (field) => kindOfTicketField(field, types);
}

export function wordsOf(site: Site, { categories, priorities, agents, teams }: TriggerSurroundings): SiteWords {
  const words = (list: readonly { id: number; name: string; slug?: string }[]) => {
    const byId = new Map(list.map(({ id, name, slug }) => [id, [String(id), name, ...(slug ? [slug] : [])]]));
    return (id: number) => byId.get(id) ?? [String(id)];
  };
  return {
    category: words(categories),
    priority: words(priorities),
    agent: words(agents),
    team: words(teams),
    language: localeOf(site),
  };
}

function prepare(rows: readonly TriggerRow[], site: Site, surroundings: TriggerSurroundings): ReadyTriggers {
  const kindOf = kindsOfFields(surroundings);
  const all = rows
    .filter(({ isActive }) => isActive)
    .map((rule) => ({ rule, test: prepareTrigger(rule, kindOf), broken: brokenBy(rule, surroundings), ran: 0 }));
  const lists = new Map<string, readonly ReadyTrigger[]>();
  return {
    siteUlid: site.ulid,
    all,
    words: wordsOf(site, surroundings),
    asked(events) {
      const key = events.join(' ');
      let list = lists.get(key);
      if (list === undefined) {
        list = all.filter(({ rule, broken }) => broken === null && rule.events.some((event) => events.includes(event)));
        lists.set(key, list);
      }
      return list;
    },
  };
}

/** Sites whose triggers were asked since their numbers were last stored. */
const uncounted = new Map<string, { siteId: number; sets: Set<ReadyTriggers> }>();

export function noteAsked(site: Site, ready: ReadyTriggers): void {
  const known = uncounted.get(site.ulid);
  if (known === undefined) uncounted.set(site.ulid, { siteId: site.id, sets: new Set([ready]) });
  else known.sets.add(ready);
}

export const hasAsked = (): boolean => uncounted.size > 0;

/** Stores how often each trigger of this desk was asked since the last call: a row for each event would be too much. */
export function countAsked(tx: Tx, now: Instant): null {
  const asked = new Map<number, number>();
  for (const [ulid, { siteId, sets }] of uncounted) {
    if (siteById(tx, siteId)?.ulid !== ulid) continue;
    for (const { all } of sets)
      for (const one of all) {
        if (one.ran > 0) asked.set(one.rule.id, (asked.get(one.rule.id) ?? 0) + one.ran);
        one.ran = 0;
      }
    uncounted.delete(ulid);
  }
  for (const [ruleId, ran] of asked) countAutomation(tx, now, 'trigger', ruleId, { ran });
  return null;
}

export function askedSoFar(site: Site, ruleId: number): number {
  const sets = [...(uncounted.get(site.ulid)?.sets ?? [])];
  return sets.reduce((sum, { all }) => sum + (all.find(({ rule }) => rule.id === ruleId)?.ran ?? 0), 0);
}
