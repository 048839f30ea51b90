// The actions of rules: one row for each, with its words and what its value is made of.

import type { RuleAction } from '../../../../domain/rules/rule.ts';
import type { TriggerAction } from '../../../../domain/rules/trigger.ts';
import { isolated } from '../../../shared/bidi.ts';
import { t } from './messages.ts';
import { choicesOf, type Names } from './names.ts';
import {
  address,
  called,
  decided,
  fieldKey,
  fieldValue,
  hours,
  idOf,
  inTurn,
  json,
  line,
  lines,
  metadata,
  optional,
  type Part,
  people,
  perhaps,
  picked,
  status,
  type Typed,
  tags,
  turnChoice,
} from './value-parts.tsx';

export type ActionType = (RuleAction | TriggerAction)['type'];

export interface ActionRow {
  words: () => string;
  /** One without a name is the whole value. */
  parts: Readonly<Record<string, Part>>;
  /** Several parts fit side by side. */
  isShort?: true;
  /** Those of tickets. */
  hasVariables?: true;
  /** By default its first part. */
  told?: (value: Record<string, unknown>, names: Names) => string;
  /** What the command line takes, where it is not made of the value as for others. */
  flag?: (value: Record<string, unknown>) => string;
}

export interface ActionDraft {
  type: ActionType;
  typed: Typed;
}

export interface WireAction {
  type: string;
  value?: unknown;
}

const whole = (words: () => string, part: Part): ActionRow => ({ words, parts: { '': part } });

const toWhom = ({ email, name }: Record<string, unknown>) => (name === null ? String(email) : `${name} <${email}>`);

/** The agents, and the teams in both ways. */
const assignee = picked(
  ({ agent, team }) => [
    turnChoice(),
    { value: 'last_answered', text: t.ruleLastAnswered },
    ...choicesOf(agent),
    ...team.flatMap(({ id, name }) => [
      { value: `team ${id} ${inTurn}`, text: t.ruleTeamInTurn(name) },
      { value: `team ${id} least_open`, text: t.ruleTeamLeastOpen(name) },
    ]),
  ],
  (typed) => {
    const [, id, by] = /^team (\d+) (\w+)$/.exec(typed) ?? [];
    if (id !== undefined) return { team_id: Number(id), by };
    return /^\d+$/.test(typed) ? Number(typed) : typed;
  },
  (value) => {
    if (typeof value !== 'object' || value === null) return String(value ?? '');
    const { team_id: id, by } = value as { team_id: number; by: string };
    return `team ${id} ${by}`;
  },
);

/** Of mail: no one has answered yet, and teams have their own way. */
const agentOrTurn = picked(
  ({ agent }) => [turnChoice(), ...choicesOf(agent)],
  (typed) => (typed === inTurn ? typed : Number(typed)),
);

const speaker = {
  ...picked(() => [
    { value: 'desk', text: t.ruleAsDesk },
    { value: 'assignee', text: t.ruleAsAssignee },
  ]),
  first: 'desk',
};
const subject = called(() => t.rulePartSubject, line());
const text = called(() => t.rulePartText, lines());
const usual = (part: Part, label: () => string) => called(label, optional(part));

export const actionRows: Readonly<Record<ActionType, ActionRow>> = {
  set_category: whole(() => t.doCategory, idOf('category')),
  set_priority: whole(() => t.doPriority, idOf('priority')),
  set_sender: whole(() => t.doSender, idOf('sender')),
  set_team: whole(
    () => t.doTeam,
    perhaps(
      () => t.ruleNoTeam,
      ({ team }) => choicesOf(team),
    ),
  ),
  assign: whole(() => t.doAssign, assignee),
  unassign: { words: () => t.doUnassign, parts: {} },
  add_tags: whole(() => t.doTags, tags),
  remove_tags: whole(() => t.doRemoveTags, tags),
  add_participant: {
    words: () => t.doParticipant,
    parts: {
      email: address,
      name: usual(
        line(() => t.participantNameHint),
        () => t.rulePartName,
      ),
    },
    isShort: true,
    told: (value) => isolated(toWhom(value)),
    flag: toWhom,
  },
  set_metadata: whole(() => t.doMetadata, metadata),
  set_status: whole(() => t.doStatus, status),
  set_subject: { ...whole(() => t.doSubject, line()), hasVariables: true },
  set_field: {
    words: () => t.doField,
    parts: { key: called(() => t.rulePartField, fieldKey), value: fieldValue },
    isShort: true,
    told: ({ key, value }, names) => [fieldKey.told(key, names), fieldValue.told(value, names)].join(' ').trim(),
  },
  snooze: whole(() => t.doSnooze, hours),
  note: {
    ...whole(
      () => t.doNote,
      lines(() => t.noteTextHint),
    ),
    hasVariables: true,
  },
  forward: whole(() => t.doForward, address),
  reply: {
    words: () => t.doReply,
    hasVariables: true,
    parts: {
      body: text,
      as: called(() => t.rulePartAs, speaker),
      is_repeated: called(
        () => t.rulePartHowOften,
        decided(
          () => t.ruleOnce,
          () => t.ruleEachTime,
        ),
      ),
    },
  },
  mail: {
    words: () => t.doMail,
    hasVariables: true,
    parts: { to: called(() => t.rulePartTo, people(true)), subject, body: text },
  },
  webhook: {
    words: () => t.doWebhook,
    hasVariables: true,
    parts: { channel_id: called(() => t.rulePartChannel, idOf('channel')), body: called(() => t.rulePartJson, json) },
  },
  follow: whole(() => t.doFollow, people(false)),
  create_ticket: {
    words: () => t.doCreateTicket,
    hasVariables: true,
    parts: {
      subject,
      body: text,
      category_id: usual(idOf('category'), () => t.ruleCategory),
      priority_id: usual(idOf('priority'), () => t.ruleFieldPriority),
      assigned_to: usual(idOf('agent'), () => t.ruleFieldAssignee),
      tags: usual(tags, () => t.rulePartTags),
    },
  },
  discard: whole(() => t.doDiscard, optional(line(() => t.discardReason))),
};

/** Mail can be assigned to fewer. */
export const mailActionRows: typeof actionRows = { ...actionRows, assign: whole(() => t.doAssign, agentOrTurn) };

type Rows = typeof actionRows;

export const emptyAction = (type: ActionType): ActionDraft => ({
  type,
  typed: Object.fromEntries(Object.entries(actionRows[type].parts).map(([name, { first = '' }]) => [name, first])),
});

export function actionDraft({ type, value = null }: WireAction, rows: Rows): ActionDraft {
  const { parts } = rows[type as ActionType];
  const of = (name: string) => (name === '' ? value : ((value as Record<string, unknown> | null)?.[name] ?? null));
  const typed = Object.fromEntries(Object.entries(parts).map(([name, { write }]) => [name, write(of(name))]));
  return { type: type as ActionType, typed };
}

const isLeft = ({ isOptional }: Part, typed: string) => isOptional === true && typed.trim() === '';

export function actionOf({ type, typed }: ActionDraft, rows: Rows): { type: ActionType; value: unknown } {
  const read = Object.entries(rows[type].parts).map(([name, part]) => {
    const text = typed[name] ?? '';
    return [name, isLeft(part, text) ? null : part.read(text)] as const;
  });
  const [first] = read;
  return { type, value: first?.[0] === '' ? first[1] : read.length === 0 ? null : Object.fromEntries(read) };
}

/** What is wrong with it, by the paths of its parts. */
export function actionProblems({ type, typed }: ActionDraft, path: string, rows: Rows): Record<string, string> {
  const found = Object.entries(rows[type].parts).flatMap(([name, part]) => {
    const text = typed[name] ?? '';
    if (isLeft(part, text)) return [];
    const problem = text.trim() === '' ? t.required : part.problem === undefined ? null : part.problem(text);
    return problem === null ? [] : [[partPath(path, name), problem] as const];
  });
  return Object.fromEntries(found);
}

/** As the desk calls it in a refusal. */
export const partPath = (path: string, name: string) => `${path}.value${name === '' ? '' : `.${name}`}`;

export function actionSentence({ type, value = null }: WireAction, names: Names, rows: Rows): string {
  // One that this page does not know yet.
  const row = rows[type as ActionType] as ActionRow | undefined;
  if (row === undefined) return type;
  const [first] = Object.entries(row.parts);
  const of = (name: string) => (name === '' ? value : (value as Record<string, unknown>)[name]);
  const hasValue = first !== undefined && (value !== null || first[1].isOptional !== true);
  const said = !hasValue
    ? ''
    : (row.told?.(value as Record<string, unknown>, names) ?? first[1].told(of(first[0]), names));
  return said === '' ? row.words() : t.ruleDoes(row.words(), said);
}
