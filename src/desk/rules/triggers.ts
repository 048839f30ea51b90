// A site's triggers, in order.

import { invalid, invalidFields } from '../../domain/errors.ts';
import type { TriggerChangeInput, TriggerInput } from '../../domain/input/automation.ts';
import { brokenBy, readTrigger, type TriggerSurroundings } from '../../domain/rules/read-trigger.ts';
import { excessOfCharacters } from '../../domain/rules/size.ts';
import { plainConditions, type TriggerAction, type TriggerPart } from '../../domain/rules/trigger.ts';
import type { Tx } from '../../engine/database.ts';
import { type TriggerRow, triggerRows } from '../../store/sites/catalogue.ts';
import type { Site } from '../../store/sites/sites.ts';
import type { Context } from '../context.ts';
import { columnsOf } from '../sites/catalogue/columns.ts';
import { catalogue } from '../sites/catalogue/verbs.ts';
import { triggerSurroundings } from './prepared-triggers.ts';
import { requirePeople } from './rules.ts';

type Parts = { conditions: readonly TriggerPart[]; actions: readonly TriggerAction[] };
type GivenParts = { conditions: readonly unknown[]; actions: readonly unknown[] };

const harmless: TriggerAction[] = [{ type: 'unassign', value: null }];

function read(given: GivenParts, surroundings: TriggerSurroundings) {
  const { rule, errors } = readTrigger(given, surroundings);
  if (errors !== null) throw invalidFields(errors);
  return rule;
}

/** Throws `invalid` for what is not right, or too much beside the others. */
export function partsOfNew(
  tx: Tx,
  ctx: Context,
  site: Site,
  given: GivenParts,
  others: readonly Parts[],
): Required<Parts> {
  const parts = read(given, triggerSurroundings(tx, site, 'all'));
  requirePeople(tx, ctx, site, parts.actions);
  requireRoom([...others, parts]);
  return parts;
}

/** What was removed must not prevent renaming a rule that names it: only what is given is checked against the site. */
export function partsOfChange(
  tx: Tx,
  ctx: Context,
  site: Site,
  given: Partial<GivenParts>,
  row: Parts,
  others: readonly Parts[],
): { conditions?: TriggerPart[]; actions?: TriggerAction[] } {
  const surroundings = triggerSurroundings(tx, site, 'all');
  const parts: ReturnType<typeof partsOfChange> = {};
  if (given.conditions !== undefined)
    parts.conditions = read({ conditions: given.conditions, actions: harmless }, surroundings).conditions;
  if (given.actions !== undefined) {
    parts.actions = read({ conditions: [], actions: given.actions }, surroundings).actions;
    requirePeople(tx, ctx, site, parts.actions);
  }
  if (given.conditions !== undefined || given.actions !== undefined) requireRoom([...others, { ...row, ...parts }]);
  return parts;
}

function requireRoom(rules: readonly Parts[]): void {
  const sized = rules.map(({ conditions, actions }) => ({ conditions: plainConditions(conditions), actions }));
  const excess = excessOfCharacters(sized);
  if (excess !== null) throw invalid('actions', excess);
}

export const nextPosition = (rows: readonly { position: number }[]): number =>
  rows.reduce((highest, { position }) => Math.max(highest, position), 0) + 1;

export const triggers = catalogue<TriggerRow, TriggerInput, TriggerChangeInput>({
  noun: 'trigger',
  rows: triggerRows,
  compose(tx, ctx, site, input) {
    const rows = triggerRows.list(tx, site.id);
    const { conditions, actions } = partsOfNew(tx, ctx, site, { ...input, conditions: input.conditions ?? [] }, rows);
    return {
      name: input.name,
      position: input.position ?? nextPosition(rows),
      isActive: input.is_active ?? true,
      events: input.on,
      match: input.match ?? 'all',
      conditions: [...conditions],
      actions: [...actions],
      stopProcessing: input.stop_processing ?? false,
      createdAt: ctx.now,
    };
  },
  revise(tx, ctx, site, row, input) {
    const others = triggerRows.list(tx, site.id).filter(({ id }) => id !== row.id);
    return {
      ...columnsOf(input, row),
      ...(input.on === undefined ? {} : { events: input.on }),
      ...partsOfChange(tx, ctx, site, input, row, others),
    };
  },
});

/** What a rule names that was removed or switched off; null if nothing. */
export const brokenNow = (tx: Tx, site: Site, rule: Parts): string | null =>
  brokenBy(rule, triggerSurroundings(tx, site, 'active'));
