// The inbound rules of a site in their order, kept between mails.

import { query, type Tx } from '../../engine/database.ts';
import { selectFrom } from '../../engine/statements.ts';
import { inboundRules } from '../schema/sites.ts';
import type { InboundRule } from '../sites/catalogue.ts';

type InboundRuleRow = Pick<
  InboundRule,
  'id' | 'name' | 'position' | 'isActive' | 'match' | 'conditions' | 'actions' | 'stopProcessing'
>;

const rulesOf = selectFrom(inboundRules, 'WHERE site_id = ? ORDER BY position, id');

/** By the mark that changes with every change of a site's rules, the least recently used first. */
const knownRules = new Map<string, readonly InboundRuleRow[]>();

const mostKnownRules = 20_000;

let knownTotal = 0;

export function ruleMark(tx: Tx, siteId: number): string | null {
  const mark = 'SELECT mark FROM inbound_rule_marks WHERE site_id = ?';
  return query<{ mark: string }>(tx, mark).get(siteId)?.mark ?? null;
}

/** A site's rules in order: the same objects for every message until one of them changes. */
export function rulesInOrder(tx: Tx, siteId: number): readonly InboundRuleRow[] {
  const mark = ruleMark(tx, siteId);
  if (mark === null) return rulesOf.all(tx, siteId);
  let rules = knownRules.get(mark);
  if (rules === undefined) {
    rules = rulesOf.all(tx, siteId);
    knownTotal += rules.length;
  } else knownRules.delete(mark);
  knownRules.set(mark, rules);
  for (const [oldest, { length }] of knownRules) {
    if (knownTotal <= mostKnownRules) break;
    knownRules.delete(oldest);
    knownTotal -= length;
  }
  return rules;
}
