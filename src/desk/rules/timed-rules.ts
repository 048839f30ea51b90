// A site's timed rules, in order.

import { invalid } from '../../domain/errors.ts';
import type { TimedRuleChangeInput, TimedRuleInput } from '../../domain/input/automation.ts';
import { longEnough } from '../../domain/rules/timed-rule.ts';
import { changeOperators, plainConditions, type TriggerPart } from '../../domain/rules/trigger.ts';
import { isOneOf } from '../../domain/rules/wire-reading.ts';
import type { Tx } from '../../engine/database.ts';
import { gatherMoments, progressOf, putProgress } from '../../store/rules/timed-rules.ts';
import { type TimedRuleRow, timedRuleRows } from '../../store/sites/catalogue.ts';
import { type Site, siteById } from '../../store/sites/sites.ts';
import { columnsOf } from '../sites/catalogue/columns.ts';
import { catalogue } from '../sites/catalogue/verbs.ts';
import { termsOf } from '../sla/clocks.ts';
import { nextPosition, partsOfChange, partsOfNew } from './triggers.ts';

export const longEnoughFor = (site: Site, { minutes, time }: Pick<TimedRuleRow, 'minutes' | 'time'>, now: number) =>
  longEnough(now, minutes, time, termsOf(site.slaPolicy).calendar);

function requireNoChanges(parts: readonly TriggerPart[]): void {
  if (plainConditions(parts).some(({ operator }) => isOneOf(changeOperators, operator)))
    throw invalid('conditions', `must not use ${changeOperators.join(', ')}: time is no change.`);
}

export const timedRules = catalogue<TimedRuleRow, TimedRuleInput, TimedRuleChangeInput>({
  noun: 'timed rule',
  rows: timedRuleRows,
  compose(tx, ctx, site, input) {
    const rows = timedRuleRows.list(tx, site.id);
    const { conditions, actions } = partsOfNew(tx, ctx, site, { ...input, conditions: input.conditions ?? [] }, rows);
    requireNoChanges(conditions);
    return {
      name: input.name,
      position: input.position ?? nextPosition(rows),
      isActive: input.is_active ?? true,
      since: input.since,
      minutes: input.minutes,
      time: input.time ?? 'calendar',
      match: input.match ?? 'all',
      conditions: [...conditions],
      actions: [...actions],
      createdAt: ctx.now,
    };
  },
  revise(tx, ctx, site, row, input) {
    const others = timedRuleRows.list(tx, site.id).filter(({ id }) => id !== row.id);
    const parts = partsOfChange(tx, ctx, site, input, row, others);
    if (parts.conditions !== undefined) requireNoChanges(parts.conditions);
    return {
      ...columnsOf(input, row),
      ...parts,
    };
  },
  settle(tx, site, row, before, _input, ctx) {
    const isSame =
      before !== null &&
      before.isActive === row.isActive &&
      before.since === row.since &&
      before.minutes === row.minutes &&
      before.time === row.time;
    if (isSame || !row.isActive) return;
    begin(tx, site, row, before?.since === row.since, ctx.now);
  },
});

/** Of one that was imported: it begins now. */
export function beginTimed(tx: Tx, siteId: number, id: number, now: number): void {
  const site = siteById(tx, siteId);
  const rule = site && timedRuleRows.get(tx, siteId, id);
  if (site && rule?.isActive) begin(tx, site, rule, false, now);
}

/** What has been long enough by now stays as it is, and what the rule has passed is never looked at again. */
function begin(tx: Tx, site: Site, rule: TimedRuleRow, isSameState: boolean, now: number): void {
  const passed = isSameState ? progressOf(tx, rule.id)?.passedAt : undefined;
  putProgress(tx, rule.id, Math.max(passed ?? 0, longEnoughFor(site, rule, now)), Number.MAX_SAFE_INTEGER);
  gatherMoments(tx, site.id, rule.since);
}
