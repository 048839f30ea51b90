// The fields that rules can test, and their values in one message.

import type { Addressee } from '../tickets/participant.ts';
import type { RuleCategory, RuleCondition, RuleOperator } from './rule.ts';

export type RuleMessage = {
  from: { address: string; name: string } | null;
  to: readonly { address: string; name: string }[];
  cc: readonly { address: string; name: string }[];
  subject: string;
  body: string;
  headers: Readonly<Record<string, readonly string[] | undefined>>;
  attachmentNames: readonly string[];
  sizeBytes: number;
  spamScore: number | null;
  isReply: boolean;
  /** Beside the author, once the message is filed. */
  participants: readonly { address: string; name: string }[];
  /** Whom no rule adds: the author, and who was removed. */
  barred: readonly string[];
  category: RuleCategory | null;
};

export type FieldKind = 'text' | 'number' | 'boolean';

const kinds: Readonly<Record<string, FieldKind>> = {
  from: 'text',
  from_domain: 'text',
  to: 'text',
  cc: 'text',
  participant: 'text',
  subject: 'text',
  body: 'text',
  has_attachment: 'boolean',
  attachment_name: 'text',
  size: 'number',
  spam_score: 'number',
  is_reply: 'boolean',
  site_category: 'text',
};
export const ruleFields: readonly string[] = [...Object.keys(kinds), 'header:{name}'];

const operators: Readonly<Record<FieldKind, readonly RuleOperator[]>> = {
  text: ['equals', 'contains', 'starts_with', 'ends_with', 'matches', 'in', 'exists'],
  number: ['equals', 'in', 'gt', 'lt', 'exists'],
  boolean: ['equals', 'exists'],
};

export function kindOfField(field: string): FieldKind | null {
  if (/^header:[!-9;-~]{1,120}$/.test(field)) return 'text';
  return Object.hasOwn(kinds, field) ? kinds[field]! : null;
}

export function operatorsOf(kind: FieldKind): readonly RuleOperator[] {
  return operators[kind];
}

const longestText = 10_000;
// Over all values of one field, such as recipients or a repeated header.
const mostText = 50_000;
const mostValues = 1_000;

export class Fields {
  private readonly message: RuleMessage;
  private readonly written = new Map<string, readonly string[]>();
  private readonly prepared = new Map<string, readonly string[]>();
  private category: RuleCategory | null;
  private readonly added: Addressee[] = [];

  constructor(message: RuleMessage) {
    this.message = message;
    this.category = message.category;
  }

  setCategory(category: RuleCategory | null): void {
    this.category = category;
    this.prepared.delete('site_category');
    this.written.delete('site_category');
  }

  addParticipant(person: Addressee): void {
    if (this.message.barred.includes(person.email)) return;
    this.added.push(person);
    this.prepared.delete('participant');
    this.written.delete('participant');
  }

  texts(field: string): readonly string[] {
    let values = this.prepared.get(field);
    if (values === undefined) {
      values = this.originals(field).map((value) => value.toLowerCase());
      this.prepared.set(field, values);
    }
    return values;
  }

  originals(field: string): readonly string[] {
    let values = this.written.get(field);
    if (values === undefined) {
      values = bounded(this.read(field));
      this.written.set(field, values);
    }
    return values;
  }

  number(field: string): number | null {
    return field === 'size' ? this.message.sizeBytes : this.message.spamScore;
  }

  boolean(field: string): boolean {
    return field === 'has_attachment' ? this.message.attachmentNames.length > 0 : this.message.isReply;
  }

  private read(field: string): readonly string[] {
    const { message } = this;
    const people = (list: readonly { address: string; name: string }[]) =>
      list.flatMap((each) => [each.address, each.name]).filter((each) => each !== '');
    if (field.startsWith('header:')) return headerOf(message, field.slice('header:'.length).toLowerCase());
    switch (field) {
      case 'from':
        return message.from === null ? [] : people([message.from]);
      case 'from_domain':
        return message.from?.address.includes('@')
          ? [message.from.address.slice(message.from.address.lastIndexOf('@') + 1)]
          : [];
      case 'to':
        return people(message.to);
      case 'cc':
        return people(message.cc);
      case 'participant':
        return people([
          ...message.participants,
          ...this.added.map(({ email, name }) => ({ address: email, name: name ?? '' })),
        ]);
      case 'subject':
        return message.subject === '' ? [] : [message.subject];
      case 'body':
        return message.body === '' ? [] : [message.body];
      case 'attachment_name':
        return message.attachmentNames;
      case 'site_category':
        return this.category === null ? [] : [this.category.slug, this.category.name, String(this.category.id)];
      default:
        return [];
    }
  }
}

// Object.hasOwn: header names come from outside, and must not find properties that every object has.
function headerOf({ headers }: RuleMessage, name: string): readonly string[] {
  return Object.hasOwn(headers, name) ? (headers[name] ?? []) : [];
}

/** What of them is looked at. */
export function bounded(values: readonly string[]): readonly string[] {
  let left = mostText;
  const kept: string[] = [];
  for (const value of values.slice(0, mostValues)) {
    const text = value.slice(0, Math.min(longestText, left));
    kept.push(text);
    left -= text.length;
    if (left <= 0) break;
  }
  return kept;
}

export function messageForRules(
  message: RuleMessage,
  rules: readonly { conditions: readonly RuleCondition[] }[],
): RuleMessage {
  const people = (list: RuleMessage['to']) =>
    list
      .slice(0, mostValues)
      .map(({ address, name }) => ({ address: address.slice(0, longestText), name: name.slice(0, longestText) }));
  const headers: Record<string, readonly string[]> = Object.create(null);
  for (const { conditions } of rules)
    for (const { field } of conditions) {
      const name = field.startsWith('header:') ? field.slice('header:'.length).toLowerCase() : null;
      if (name !== null && !(name in headers)) headers[name] = bounded(headerOf(message, name));
    }
  return {
    ...message,
    to: people(message.to),
    cc: people(message.cc),
    body: message.body.slice(0, longestText),
    headers,
    attachmentNames: bounded(message.attachmentNames),
  };
}
