// What the values of actions are made of: how each part is typed, read, checked and told.

import type { ComponentChildren } from 'preact';
import type { NamedKind } from '../../../../domain/rules/action-values.ts';
import { tagPattern } from '../../../../domain/tickets/ticket.ts';
import { isolated } from '../../../shared/bidi.ts';
import { count } from '../../../shared/format.ts';
import { type InputProps, Line, Lines, Pick, Several } from './inputs.tsx';
import { t } from './messages.ts';
import { type Choice, choicesOf, chosenText, inQuotes, listed, type Names, short, statusChoices } from './names.ts';

/** What is typed, by the name of the part. A value without parts has one without a name. */
export type Typed = Readonly<Record<string, string>>;

interface PartProps extends InputProps {
  names: Names;
  typed: Typed;
  change: (typed: Typed) => void;
}

export interface Part {
  input: (props: PartProps) => ComponentChildren;
  /** What is typed for a value. */
  write: (value: unknown) => string;
  read: (typed: string) => unknown;
  told: (value: unknown, names: Names) => string;
  /** Beside that it is missing. */
  problem?: (typed: string) => string | null;
  /** Without it the value has null. */
  isOptional?: true;
  /** What it is called beside other parts. */
  label?: () => string;
  /** Its initial value. */
  first?: string;
}

const plain = (value: unknown) => (value == null ? '' : String(value));

/** The part with another label, beginning or need. */
export const called = (label: () => string, part: Part): Part => ({ ...part, label });
export const optional = (part: Part): Part => ({ ...part, isOptional: true });

export const line = (placeholder?: () => string): Part => ({
  input: (props) => <Line {...props} placeholder={placeholder?.()} />,
  write: plain,
  read: (typed) => typed.trim(),
  told: (value) => inQuotes(String(value)),
});

export const lines = (placeholder?: () => string): Part => ({
  ...line(),
  input: (props) => <Lines {...props} placeholder={placeholder?.()} />,
  read: (typed) => typed,
});

const addressExample = 'mia@example.org';
const addressPattern = /^[^\s@]+@[^\s@]+$/;

export const address: Part = {
  ...line(() => addressExample),
  read: (typed) => typed.trim(),
  told: (value) => isolated(String(value)),
  problem: (typed) => (addressPattern.test(typed.trim()) ? null : t.ruleAddressRefused),
};

const tagsIn = (text: string) => text.split(/[\s,]+/).filter(Boolean);

export const tags: Part = {
  input: (props) => <Line {...props} placeholder={t.tagsExample} />,
  write: (value) => (Array.isArray(value) ? value.join(', ') : ''),
  read: tagsIn,
  told: (value) => (value as string[]).join(', '),
  problem: (typed) => (tagsIn(typed).every((tag) => tagPattern.test(tag)) ? null : t.ruleTagsRefused),
};

/** @param read what a choice means; the same in words otherwise */
export const picked = (
  choices: (names: Names) => readonly Choice[],
  read: Part['read'] = (typed) => typed,
  write: Part['write'] = plain,
): Part => ({
  input: (props) => <Pick {...props} options={choices(props.names)} />,
  write,
  read,
  told: (value, names) => chosenText(choices(names), write(value), names),
});

export const idOf = (kind: NamedKind): Part => picked((names) => choicesOf(names[kind]), Number);

/** Nothing is chosen at the beginning, and that has a meaning. */
export const perhaps = (words: () => string, part: (names: Names) => readonly Choice[]): Part =>
  picked(
    (names) => [{ value: none, text: words() }, ...part(names)],
    (typed) => (typed === none ? null : Number(typed)),
    (value) => (value === null ? none : plain(value)),
  );
const none = 'none';

export const status: Part = picked(statusChoices);

export const inTurn = 'round_robin';
export const turnChoice = (): Choice => ({ value: inTurn, text: t.ruleInTurn });

export const decided = (no: () => string, yes: () => string): Part => ({
  ...picked(
    () => [
      { value: 'false', text: no() },
      { value: 'true', text: yes() },
    ],
    (typed) => typed === 'true',
  ),
  first: 'false',
});

export function numberIn(text: string): number | null {
  const number = text.trim().replace(',', '.');
  return /^-?\d{1,12}(?:\.\d+)?$/.test(number) ? Number(number) : null;
}

export const hours: Part = {
  input: (props) => (
    <span class="rule-unit">
      <Line {...props} /> <span class="soft">{t.ruleHours}</span>
    </span>
  ),
  write: plain,
  read: (typed) => numberIn(typed) ?? Number.NaN,
  told: (value) => `${count(Number(value))} ${t.ruleHours}`,
  problem: (typed) => (numberIn(typed) === null ? t.ruleNumberRefused : null),
};

/** Agents, and with `isOpen` any address. */
export const people = (isOpen: boolean): Part => ({
  input: (props) => (
    <Several
      {...props}
      options={choicesOf(props.names.agent)}
      separator=","
      isOpen={isOpen}
      placeholder={isOpen ? t.rulePeopleHint : undefined}
    />
  ),
  write: (value) => (Array.isArray(value) ? value.join(',') : ''),
  read: (typed) =>
    typed
      .split(',')
      .filter(Boolean)
      .map((one) => (/^\d+$/.test(one) ? Number(one) : one)),
  told: (value, names) =>
    listed(
      (value as (number | string)[]).map((one) =>
        typeof one === 'number' ? chosenText(choicesOf(names.agent), String(one), names) : isolated(one),
      ),
      'conjunction',
    ),
  problem: (typed) =>
    typed.split(',').every((one) => /^\d+$/.test(one) || addressPattern.test(one)) ? null : t.ruleAddressRefused,
});

/** Undefined: it is no JSON. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An object or a list. */
export const json: Part = {
  input: (props) => <Lines {...props} isCode />,
  write: (value) => JSON.stringify(value ?? {}, null, 2),
  read: jsonIn,
  told: (value) => isolated(short(JSON.stringify(value))),
  problem: (typed) => (typeof (jsonIn(typed) ?? undefined) === 'object' ? null : t.ruleJsonRefused),
  first: '{}',
};

/** One a line: `order=4711` is text, and `seats:=3` is JSON. */
const metadataText = (value: object) =>
  Object.entries(value)
    .map(([key, one]) => {
      const isText = typeof one === 'string' && one === one.trim() && !one.includes('\n');
      const name = /^[\s"]|[=\n]|[\s:]$|^$/.test(key) ? JSON.stringify(key) : key;
      return `${name}${isText ? `=${one}` : `:=${JSON.stringify(one)}`}`;
    })
    .join('\n');

export const linesIn = (text: string) =>
  text
    .split('\n')
    .map((one) => one.trim())
    .filter(Boolean);

/** Null: a line of it cannot be read. */
function metadataIn(text: string): Record<string, unknown> | null {
  try {
    return Object.fromEntries(
      linesIn(text).map((one) => {
        const [, key = '', mark, value = ''] = /^("(?:[^"\\]|\\.)*"|[^=]+?)(:?=)(.*)$/.exec(one) ?? [];
        if (key.trim() === '') throw new SyntaxError('a line without a key');
        const name = key.startsWith('"') ? (JSON.parse(key) as string) : key.trim();
        return [name, mark === ':=' ? JSON.parse(value) : value.trim()];
      }),
    );
  } catch {
    return null;
  }
}

export const metadata: Part = {
  input: (props) => <Lines {...props} placeholder={t.metadataHint} />,
  write: (value) => metadataText((value ?? {}) as object),
  read: metadataIn,
  told: (value) => isolated(short(Object.keys(value as object).join(', '))),
  problem: (typed) => (metadataIn(typed) === null ? t.ruleMetadataRefused : null),
};

/** Of a site's own fields. With another one, the value is another. */
export const fieldKey: Part = {
  ...line(),
  input: ({ change, typed, ...props }) => (
    <Pick
      {...props}
      put={(key) => change({ ...typed, key, value: '' })}
      options={props.names.fields.map(({ key, label }) => ({ value: key, text: label }))}
    />
  ),
  told: (value, { fields }) => isolated(fields.find(({ key }) => key === value)?.label ?? String(value)),
};

/** JSON of what the type of the field takes. */
export const fieldValue: Part = {
  input(props) {
    const { names, typed } = props;
    const field = names.fields.find(({ key }) => key === typed.key);
    const value = jsonIn(props.value) ?? null;
    const text = Array.isArray(value) ? value.join('\n') : plain(value);
    const put = (wanted: unknown) => props.put(wanted === '' ? '' : JSON.stringify(wanted));
    const options = (field?.options ?? []).map((one) => ({ value: one, text: one }));
    switch (field?.type) {
      case 'boolean':
        return <Pick {...props} value={text} put={(one) => put(one === 'true')} options={yesOrNo()} />;
      case 'select':
        return <Pick {...props} value={text} put={put} options={options} />;
      case 'multiselect':
        return <Several {...props} value={text} put={(all) => put(linesIn(all))} options={options} separator={'\n'} />;
      case 'number':
        return <Line {...props} value={text} put={(one) => put(numberIn(one) ?? one)} />;
      case 'textarea':
        return <Lines {...props} value={text} put={put} placeholder={t.ruleEmptyClears} />;
      default:
        return <Line {...props} value={text} put={put} placeholder={t.ruleEmptyClears} />;
    }
  },
  write: (value) => (value == null ? '' : JSON.stringify(value)),
  read: jsonIn,
  told: (value) => (value === null ? '' : typeof value === 'boolean' ? yesOrNoText(value) : inQuotes(String(value))),
  isOptional: true,
};

export const yesOrNoText = (value: boolean) => (value ? t.valueYes : t.valueNo);
export const yesOrNo = (): Choice[] => [true, false].map((one) => ({ value: String(one), text: yesOrNoText(one) }));
