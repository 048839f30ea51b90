// What an event says, in one line.

import { isolated } from '../../shared/bidi.ts';
import { type Status, statuses } from '../tickets/effects.ts';
import type { WireEvent } from '../wire.ts';
import { t } from './messages.ts';

/** Undefined for what this page does not know. */
export interface EventNames {
  agent(id: number): string | undefined;
  category(id: number): string | undefined;
  priority(id: number): string | undefined;
  status(status: Status): string;
  when(iso: string): string;
  list(words: readonly string[]): string;
}

export function actorName({ type, name }: WireEvent['actor']): string {
  switch (type) {
    case 'rule':
      return t.actorRule(isolated(name ?? ''));
    case 'desk':
    case 'scan':
      return t.actorDesk;
    case 'mail':
      return t.actorMail;
    case 'command_line':
      return t.actorCommandLine;
    case 'application':
      return t.actorApplication;
    case 'author':
      return name === null ? t.actorCustomer : isolated(name);
    default:
      return name === null ? t.actorUnknown : isolated(name);
  }
}

/** What happened, and the ticket that it leads to. */
export function eventText(
  event: WireEvent,
  ticket: { ulid: string },
  names: EventNames,
): { text: string; href: string | null } {
  const who = actorName(event.actor);
  const { data } = event;
  const alone = (text: string) => ({ text, href: null });
  switch (event.event as string) {
    case 'ticket.status_changed':
      return alone(t.didStatus(who, statusName(data.new_status, names)));
    case 'ticket.assigned':
      return alone(assigned(event, who, names));
    case 'ticket.updated':
      return alone(updated(event, who, names));
    case 'ticket.attachment_added':
      return alone(t.didAttach(who));
    case 'ticket.reply_resent':
      return alone(t.didResend(who));
    case 'ticket.note_deleted':
      return alone(t.didDeleteNote(who));
    case 'ticket.links_revoked':
      return alone(t.didRevokeLinks(who));
    case 'ticket.access_token_replaced':
      return alone(t.didReplaceToken(who));
    case 'ticket.merged': {
      const isHere = data.into_ulid === ticket.ulid;
      const [ulid, reference] = isHere
        ? [data.source_ulid, data.source_reference]
        : [data.into_ulid, data.into_reference];
      const text = isHere ? t.didMergeHere(who, String(reference)) : t.didMergeAway(who, String(reference));
      return { text, href: `/tickets/${String(ulid)}` };
    }
    case 'ticket.split':
      return splitOff(event, who);
    case 'ticket.sla_warning':
      return alone(data.sla_type === 'resolution' ? t.warnedResolution : t.warnedFirst);
    case 'ticket.sla_breached':
      return alone(data.sla_type === 'resolution' ? t.breachedResolution : t.breachedFirst);
    default:
      return alone(t.didOther(who));
  }
}

function statusName(value: unknown, names: EventNames): string {
  const status = statuses.find((one) => one === value);
  return status === undefined ? String(value) : names.status(status);
}

function changeOf({ data }: WireEvent, field: string): { from: unknown; to: unknown } | undefined {
  return (data.changes as Record<string, { from: unknown; to: unknown }> | undefined)?.[field];
}

function assigned(event: WireEvent, who: string, names: EventNames): string {
  const to = changeOf(event, 'assigned_to')?.to;
  if (typeof to !== 'number') return t.didUnassign(who);
  if (event.actor.type === 'agent' && event.actor.id === to) return t.didTake(who);
  return t.didAssign(who, isolated(names.agent(to) ?? t.agentFallback));
}

function updated(event: WireEvent, who: string, names: EventNames): string {
  const said = Object.keys((event.data.changes as object | undefined) ?? {}).flatMap((field) =>
    changed(event, field, who, names),
  );
  if (event.data.rule_skipped !== undefined || event.data.rules_skipped !== undefined) said.push(t.didSkipRules(who));
  // Several changes of one kind, such as deadlines, are one sentence.
  const sentences = [...new Set(said)];
  return sentences.length === 0 ? t.didOther(who) : sentences.join(' · ');
}

function changed(event: WireEvent, field: string, who: string, names: EventNames): string[] {
  const { from, to } = changeOf(event, field) ?? { from: null, to: null };
  switch (field) {
    case 'subject':
      return [t.didSubject(who, isolated(String(to)))];
    case 'priority_id':
      return [named(to, names.priority, (name) => t.didPriority(who, name)) ?? t.didOther(who)];
    case 'category_id':
      if (to === null) return [t.didNoCategory(who)];
      return [named(to, names.category, (name) => t.didCategory(who, name)) ?? t.didOther(who)];
    case 'tags':
      return tagged(listOf(from), listOf(to), who, names);
    case 'custom_fields':
      return [t.didFields(who)];
    case 'snoozed_until':
      return [typeof to === 'string' ? t.didSnooze(who, names.when(to)) : t.didWake(who)];
    case 'is_spam':
      return [to === true ? t.didSpam(who) : t.didNoSpam(who)];
    default:
      return [field.endsWith('_at') ? t.didDeadlines(who) : t.didOther(who)];
  }
}

function named(id: unknown, find: (id: number) => string | undefined, say: (name: string) => string): string | null {
  const name = typeof id === 'number' ? find(id) : undefined;
  return name === undefined ? null : say(isolated(name));
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function tagged(from: string[], to: string[], who: string, names: EventNames): string[] {
  const added = to.filter((tag) => !from.includes(tag));
  const removed = from.filter((tag) => !to.includes(tag));
  const said: string[] = [];
  if (added.length > 0) said.push(t.didTag(who, names.list(added), added.length));
  if (removed.length > 0) said.push(t.didUntag(who, names.list(removed), removed.length));
  return said;
}

function splitOff({ data }: WireEvent, who: string): { text: string; href: string | null } {
  const other = (data.into ?? data.from) as { id?: number; ulid?: string } | undefined;
  const reference = `#${other?.id ?? '?'}`;
  const text = data.from === undefined ? t.didSplitAway(who, reference) : t.didSplitHere(who, reference);
  return { text, href: other?.ulid === undefined ? null : `/tickets/${other.ulid}` };
}
