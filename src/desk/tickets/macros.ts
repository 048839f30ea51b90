// Macros: making, changing and removing them (docs/spec/console.md#macros).

import { type Ability, can, isInScope, scopeOf } from '../../domain/actor.ts';
import { type FieldErrors, invalid, invalidFields } from '../../domain/errors.ts';
import type { MacroChangeInput, MacroInput } from '../../domain/input/macros.ts';
import { mostMacros } from '../../domain/sites/limits.ts';
import { unknownVariables } from '../../domain/tickets/macro.ts';
import { unknownInWords } from '../../domain/variables.ts';
import type { Tx } from '../../engine/database.ts';
import { agentById } from '../../store/people/agents.ts';
import { teamById } from '../../store/people/teams.ts';
import { categoryRows, customFieldKeys, customFieldRows, priorityRows } from '../../store/sites/catalogue.ts';
import { siteById } from '../../store/sites/sites.ts';
import { countMacros, lastMacroPosition, type Macro, macroRows, macrosFor } from '../../store/tickets/macros.ts';
import { authorise, listScope, requireWholeDesk } from '../access.ts';
import type { Context } from '../context.ts';
import { isAgentOfSite } from '../people/agents.ts';
import { isTeamOfSite } from '../people/teams.ts';
import { type SharedNoun, sharedNoun } from '../shared-nouns.ts';
import { columnsOf } from '../sites/catalogue/columns.ts';

const ownAgentId = ({ actor }: Context) => (actor.kind === 'agent' ? actor.agentId : null);

export const isOwnMacro = (ctx: Context, { agentId }: Macro) => agentId !== null && agentId === ownAgentId(ctx);

const isVisibleSite = (tx: Tx, ctx: Context, siteId: number | null) =>
  siteId === null || (isInScope(ctx.actor, siteId) && siteById(tx, siteId) !== undefined);

export const macros: SharedNoun<Macro, MacroInput, MacroChangeInput> = sharedNoun({
  noun: 'macro',
  ability: 'write',
  /** Of one site together with those for all sites, or of every site in scope. */
  list: (tx, ctx, site) => macrosFor(tx, ownAgentId(ctx), listScope(tx, ctx, site)),
  get: macroRows.get,
  /** Nothing of another agent's own. */
  seen: (tx, ctx, macro) =>
    (macro.isShared || isOwnMacro(ctx, macro)) && isVisibleSite(tx, ctx, macro.siteId) ? macro : null,
  requireChange(_tx, ctx, macro) {
    authorise(ctx, abilityFor(ctx, macro));
    if (isOfWholeDesk(macro)) requireWholeDesk(ctx);
  },
  insert(tx, ctx, input) {
    const agentId = ownAgentId(ctx);
    const row = {
      siteId: input.site_id ?? null,
      agentId,
      name: input.name,
      body: input.body ?? '',
      bodyFormat: input.body_format ?? 'text',
      changes: input.changes ?? {},
      isShared: input.is_shared ?? agentId === null,
      position: input.position ?? lastMacroPosition(tx) + 1,
      version: 1,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    } as const;
    check(tx, ctx, row);
    requireRoom(tx, row);
    return macroRows.insert(tx, row);
  },
  update(tx, ctx, macro, input) {
    const given = columnsOf(input, macro);
    const whole: Macro = { ...macro, ...given };
    check(tx, ctx, whole);
    if (whole.isShared !== macro.isShared) requireRoom(tx, whole);
    if (JSON.stringify(whole) === JSON.stringify(macro)) return macro;
    const change = { ...given, version: macro.version + 1, updatedAt: ctx.now };
    macroRows.update(tx, macro.id, change);
    return { ...macro, ...change };
  },
  delete: macroRows.remove,
  sitesOf: ({ siteId }) => (siteId === null ? [] : [siteId]),
  isShared: ({ isShared }) => isShared,
});
export const { add: addMacro, change: changeMacro, remove: removeMacro, find: findMacro, list: listMacros } = macros;

/** A shared one: the agent whose it is, and who manages. What belongs to no agent belongs to the team. */
const abilityFor = (ctx: Context, macro: Macro): Ability =>
  macro.agentId === null || isOwnMacro(ctx, macro) ? 'write' : 'manage';

const isOfWholeDesk = ({ isShared, siteId }: Pick<Macro, 'isShared' | 'siteId'>) => isShared && siteId === null;

/** As `requireChange` of `macros` decides. */
export const canChangeMacro = (ctx: Context, macro: Macro) =>
  can(ctx.actor, 'write') &&
  can(ctx.actor, abilityFor(ctx, macro)) &&
  (!isOfWholeDesk(macro) || scopeOf(ctx.actor) === 'all');

function requireRoom(tx: Tx, { isShared, agentId }: Pick<Macro, 'isShared' | 'agentId'>): void {
  const most = isShared ? mostMacros.shared : mostMacros.own;
  if (countMacros(tx, isShared ? null : agentId) >= most)
    throw invalid('is_shared', `has ${most} macros already, which is the limit.`);
}

/** Throws `invalid` naming every bad field. */
function check(tx: Tx, ctx: Context, macro: Omit<Macro, 'id'>): void {
  const { siteId, changes, body } = macro;
  if (!isVisibleSite(tx, ctx, siteId)) throw invalid('site_id', 'does not name a site.');
  if (isOfWholeDesk(macro)) requireWholeDesk(ctx);
  const errors: FieldErrors = {};
  if (!macro.isShared && macro.agentId === null)
    errors.is_shared = ['must be true: only an agent who signed in has macros of their own.'];
  if (body.trim() === '' && Object.keys(changes).length === 0) errors.body = ['is required where changes are empty.'];
  const keys =
    siteId === null ? customFieldKeys(tx, scopeOf(ctx.actor)) : customFieldRows.list(tx, siteId).map(({ key }) => key);
  const unknown = unknownVariables(body, new Set(keys));
  if (unknown.length > 0) errors.body = unknownInWords(unknown);
  const { priority_id: priorityId, category_id: categoryId, assigned_to: assigned, team_id: teamId } = changes;
  const needsSite = 'can be set only by a macro of one site.';
  if (priorityId !== undefined && siteId === null) errors['changes.priority_id'] = [needsSite];
  else if (priorityId !== undefined && !priorityRows.get(tx, siteId ?? 0, priorityId))
    errors['changes.priority_id'] = ['does not name a priority of this site.'];
  if (categoryId != null && siteId === null) errors['changes.category_id'] = [needsSite];
  else if (categoryId != null && !categoryRows.get(tx, siteId ?? 0, categoryId))
    errors['changes.category_id'] = ['does not name a category of this site.'];
  if (typeof assigned === 'number' && !isAgentFor(tx, siteId, assigned))
    errors['changes.assigned_to'] = ['does not name an agent of this site.'];
  if (teamId != null && !(siteId === null ? teamById(tx, teamId) : isTeamOfSite(tx, siteId, teamId)))
    errors['changes.team_id'] = ['does not name a team of this site.'];
  if (changes.snooze_hours !== undefined && (changes.status ?? 'pending') !== 'pending')
    errors['changes.snooze_hours'] = ['must not be sent with a status other than pending.'];
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
}

function isAgentFor(tx: Tx, siteId: number | null, agentId: number): boolean {
  return siteId === null ? agentById(tx, agentId)?.isActive === true : isAgentOfSite(tx, siteId, agentId);
}
