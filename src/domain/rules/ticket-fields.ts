// The fields of a ticket that triggers and timed rules can test, before and after a change.

import type { CustomFieldType, CustomFieldValues } from '../tickets/custom-field.ts';
import type { TicketStatus } from '../tickets/ticket.ts';
import type { Readable } from './condition.ts';
import { bounded, type FieldKind } from './fields.ts';
import type { TicketChange } from './trigger.ts';

/** The columns that conditions look at. */
type TicketState = {
  status: TicketStatus;
  subject: string;
  source: string;
  tags: readonly string[];
  customFields: CustomFieldValues;
  categoryId: number | null;
  priorityId: number;
  priorityLevel: number;
  assigneeId: number | null;
  teamId: number | null;
  messageCount: number;
  createdAt: number;
};

/** Looked up only if a condition asks. */
export type TicketLookups = {
  message(): { body: string; isVerified: boolean } | null;
  author(): { email: string; name: string | null };
  participants(): readonly { email: string; name: string | null }[];
  isWorkingTime(): boolean;
};

/** The words by which conditions name what a site has. */
export type SiteWords = {
  category(id: number): readonly string[];
  priority(id: number): readonly string[];
  agent(id: number): readonly string[];
  team(id: number): readonly string[];
  language: string;
};

const kinds: Readonly<Record<string, FieldKind>> = {
  status: 'text',
  priority: 'text',
  priority_level: 'number',
  category: 'text',
  tag: 'text',
  assignee: 'text',
  team: 'text',
  subject: 'text',
  body: 'text',
  source: 'text',
  language: 'text',
  author: 'text',
  author_domain: 'text',
  participant: 'text',
  is_verified: 'boolean',
  message_count: 'number',
  age_minutes: 'number',
  working_hours: 'boolean',
};
export const ticketFields: readonly string[] = [...Object.keys(kinds), 'field:{key}'];

const fieldPrefix = 'field:';
export const customFieldKey = (field: string): string | null =>
  field.startsWith(fieldPrefix) ? field.slice(fieldPrefix.length) : null;

const customKinds: Readonly<Partial<Record<CustomFieldType, FieldKind>>> = { number: 'number', boolean: 'boolean' };

/** @param types of the custom fields, by key; null accepts every key as text */
export function kindOfTicketField(field: string, types: ReadonlyMap<string, CustomFieldType> | null): FieldKind | null {
  const key = customFieldKey(field);
  if (key === null) return Object.hasOwn(kinds, field) ? kinds[field]! : null;
  if (types === null) return 'text';
  const type = types.get(key);
  return type === undefined ? null : (customKinds[type] ?? 'text');
}

/** How the history names the fields that can change. */
const changeNames: Readonly<Record<string, string>> = {
  status: 'status',
  priority: 'priority_id',
  priority_level: 'priority_id',
  category: 'category_id',
  tag: 'tags',
  assignee: 'assigned_to',
  team: 'team_id',
  subject: 'subject',
};
export const changingFields: readonly string[] = [...Object.keys(changeNames), 'field:{key}'];
export const canChange = (field: string): boolean =>
  Object.hasOwn(changeNames, field) || customFieldKey(field) !== null;

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function ownValue(values: unknown, key: string): unknown {
  if (typeof values !== 'object' || values === null || !Object.hasOwn(values, key)) return null;
  return (values as Record<string, unknown>)[key] ?? null;
}

export function hasChanged(field: string, { changes }: TicketChange): boolean {
  const key = customFieldKey(field);
  if (key === null) return Object.hasOwn(changeNames, field) && changes.has(changeNames[field]!);
  const custom = changes.get('custom_fields');
  return custom !== undefined && !isSame(ownValue(custom.from, key), ownValue(custom.to, key));
}

/** The ticket as it was before a change. Levels of priorities are not in the history. */
export function stateBefore(state: TicketState, { changes }: TicketChange): TicketState {
  const from = <Value>(name: string, now: Value): Value => {
    const change = changes.get(name);
    return change === undefined ? now : (change.from as Value);
  };
  return {
    ...state,
    status: from('status', state.status),
    priorityId: from('priority_id', state.priorityId),
    categoryId: from('category_id', state.categoryId),
    tags: from('tags', state.tags),
    assigneeId: from('assigned_to', state.assigneeId),
    teamId: from('team_id', state.teamId),
    subject: from('subject', state.subject),
    customFields: from('custom_fields', state.customFields) ?? {},
  };
}

export class TicketFields implements Readable {
  private readonly state: TicketState;
  private readonly lookups: TicketLookups;
  private readonly words: SiteWords;
  private readonly now: number;
  private readonly written = new Map<string, readonly string[]>();
  private readonly lowered = new Map<string, readonly string[]>();

  constructor(state: TicketState, lookups: TicketLookups, words: SiteWords, now: number) {
    this.state = state;
    this.lookups = lookups;
    this.words = words;
    this.now = now;
  }

  texts(field: string): readonly string[] {
    let values = this.lowered.get(field);
    if (values === undefined) {
      values = this.originals(field).map((value) => value.toLowerCase());
      this.lowered.set(field, values);
    }
    return values;
  }

  originals(field: string): readonly string[] {
    let values = this.written.get(field);
    if (values === undefined) {
      values = bounded(this.read(field).filter((value) => value !== ''));
      this.written.set(field, values);
    }
    return values;
  }

  number(field: string): number | null {
    const { state } = this;
    switch (field) {
      case 'priority_level':
        return state.priorityLevel;
      case 'message_count':
        return state.messageCount;
      case 'age_minutes':
        return Math.floor((this.now - state.createdAt) / 60_000);
      default: {
        const value = ownValue(state.customFields, customFieldKey(field) ?? '');
        return typeof value === 'number' ? value : null;
      }
    }
  }

  boolean(field: string): boolean {
    if (field === 'is_verified') return this.lookups.message()?.isVerified ?? false;
    if (field === 'working_hours') return this.lookups.isWorkingTime();
    return ownValue(this.state.customFields, customFieldKey(field) ?? '') === true;
  }

  private read(field: string): readonly string[] {
    const { state, lookups, words } = this;
    switch (field) {
      case 'status':
        return [state.status];
      case 'priority':
        return words.priority(state.priorityId);
      case 'category':
        return state.categoryId === null ? [] : words.category(state.categoryId);
      case 'assignee':
        return state.assigneeId === null ? [] : words.agent(state.assigneeId);
      case 'team':
        return state.teamId === null ? [] : words.team(state.teamId);
      case 'tag':
        return state.tags;
      case 'subject':
        return [state.subject];
      case 'source':
        return [state.source];
      case 'language':
        return [words.language];
      case 'body':
        return [lookups.message()?.body ?? ''];
      case 'author': {
        const { email, name } = lookups.author();
        return [email, name ?? ''];
      }
      case 'author_domain': {
        const { email } = lookups.author();
        return email.includes('@') ? [email.slice(email.lastIndexOf('@') + 1)] : [];
      }
      case 'participant':
        return lookups.participants().flatMap(({ email, name }) => [email, name ?? '']);
      default: {
        const value = ownValue(state.customFields, customFieldKey(field) ?? '');
        return value === null ? [] : [value].flat().map(String);
      }
    }
  }
}
