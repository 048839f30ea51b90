// What the screens of rules must know of a kind of them: inbound rules, triggers, timed rules, recurring tickets.

import type { ComponentChildren } from 'preact';
import type { FormState } from '../../../shared/submission.ts';
import type { Site } from '../../session.ts';
import type { Names } from './names.ts';

export interface AnyRule {
  id: number;
  name: string;
  position: number;
  is_active: boolean;
}

/** Of 30 days. */
export interface Counts {
  ran: number;
  matched: number;
  /** How often a limit or a refusal left something out. */
  skipped?: number;
  /** In the place of how often it matched: of what has no conditions. */
  said?: readonly string[];
}

export interface RuleKind<Row extends AnyRule, Values extends { name: string }> {
  /** In the address of its screens. */
  section: string;
  /** In the API, below the site. */
  path: string;
  /** In the audit log. */
  noun: 'inbound_rule' | 'trigger' | 'timed_rule' | 'recurring_ticket';
  words: Readonly<Record<'title' | 'lead' | 'add' | 'none' | 'noneText', () => string>>;
  empty: Values;
  valuesOf: (row: Row) => Values;
  bodyOf: (values: Values, names: Names) => Record<string, unknown>;
  /** What is wrong before the desk is asked, by the paths that it would name. */
  problemsIn: (values: Values, names: Names) => Record<string, string>;
  sentenceOf: (row: Row, names: Names) => string;
  /** What its parts are called, for a conflict. */
  labels: () => Readonly<Partial<Record<keyof Values, string>>>;
  /** A part in words. Null: as it is. */
  shown: (part: keyof Values & string, values: Values, names: Names) => string | null;
  fields: (form: FormState<Values>, names: Names, isNew: boolean) => ComponentChildren;
  countsOf: (row: Row) => Counts;
  /** What it names that is gone, in English. Null: nothing. */
  brokenOf?: (row: Row) => string | null;
  /** What it did. */
  did: (site: Site, row: Row, names: Names) => ComponentChildren;
  /** Tries all of them, or one. */
  tester?: (site: Site, names: Names, only?: number) => ComponentChildren;
  /** Words after `helpdesk rule`. Null: the command line cannot say it. */
  commands: {
    list: readonly string[];
    /** @param first the id of the first one */
    move?: (first: number) => readonly string[];
    add: (values: Values, names: Names) => readonly string[] | null;
    /** Null also when nothing has changed. */
    change: (id: number, before: Values, now: Values, names: Names) => readonly string[] | null;
  };
}
