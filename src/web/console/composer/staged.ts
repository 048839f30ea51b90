// The changes of a macro, which wait next to the text until it is sent.

import type { MacroChanges } from '../../../domain/input/macros.ts';
import type { TicketChange } from '../tickets/effects.ts';

export type StagedChanges = MacroChanges;

/** One chip: what is changed, and which tag. */
export type StagedPart =
  | { field: Exclude<keyof StagedChanges, 'add_tags' | 'remove_tags'> }
  | { field: 'add_tags' | 'remove_tags'; tag: string };

export function partsOf(staged: StagedChanges | null): StagedPart[] {
  if (staged === null) return [];
  return (Object.keys(staged) as (keyof StagedChanges)[]).flatMap((field): StagedPart[] => {
    if (staged[field] === undefined) return [];
    if (field !== 'add_tags' && field !== 'remove_tags') return [{ field }];
    return (staged[field] ?? []).map((tag) => ({ field, tag }));
  });
}

/** Null when nothing is left. */
export function without(staged: StagedChanges, part: StagedPart): StagedChanges | null {
  const left = { ...staged };
  if ('tag' in part) left[part.field] = (staged[part.field] ?? []).filter((tag) => tag !== part.tag);
  else delete left[part.field];
  return partsOf(left).length === 0 ? null : left;
}

/** A second macro adds to the first; where both say something, the newer one counts. */
export function together(one: StagedChanges | null, other: StagedChanges): StagedChanges | null {
  const both = { ...one, ...other };
  const add = [...new Set([...(one?.add_tags ?? []), ...(other.add_tags ?? [])])];
  const remove = [...new Set([...(one?.remove_tags ?? []), ...(other.remove_tags ?? [])])];
  both.add_tags = add.filter((tag) => !other.remove_tags?.includes(tag));
  both.remove_tags = remove.filter((tag) => !other.add_tags?.includes(tag));
  return partsOf(both).length === 0 ? null : both;
}

const isTags = (value: unknown) =>
  value === undefined || (Array.isArray(value) && value.every((tag) => typeof tag === 'string'));

/** What a browser kept. Null for what another program wrote under its name. */
export function stagedIn(text: string | null): StagedChanges | null {
  try {
    const kept: unknown = JSON.parse(text ?? 'null');
    if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) return null;
    const staged = kept as StagedChanges;
    return isTags(staged.add_tags) && isTags(staged.remove_tags) && partsOf(staged).length > 0 ? staged : null;
  } catch {
    return null;
  }
}

const hourMs = 3_600_000;

/** What changes besides the status, which a reply brings along itself. Null for nothing. */
export function changeOf(staged: StagedChanges | null, ownId: number, nowMs: number): TicketChange | null {
  if (staged === null) return null;
  const { status: _, assigned_to: assignee, snooze_hours: hours, add_tags: add, remove_tags: remove, ...rest } = staged;
  const change: TicketChange = { ...rest };
  if (assignee !== undefined) change.assigned_to = assignee === 'me' ? ownId : assignee;
  if (hours !== undefined) change.snoozed_until = new Date(nowMs + hours * hourMs).toISOString();
  if (add !== undefined && add.length > 0) change.add_tags = add;
  if (remove !== undefined && remove.length > 0) change.remove_tags = remove;
  return Object.keys(change).length === 0 ? null : change;
}
