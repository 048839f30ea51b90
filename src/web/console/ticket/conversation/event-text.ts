// What an event says, in one line.

import { type SkippedReason, skippedReasons } from '../../../../domain/people/turns.ts';
import { type SlaClock, slaClocks } from '../../../../domain/sla/clock.ts';
import { type TicketStatus, ticketStatuses } from '../../../../domain/tickets/ticket.ts';
import { isolated } from '../../../shared/bidi.ts';
import { subjectText } from '../../list/messages.ts';
import type { WireEvent } from '../../wire.ts';
import { t } from '../messages.ts';

/** Undefined for what this page does not know. */
export interface EventNames {
  agent(id: number): string | undefined;
  team(id: number): string | undefined;
  category(id: number): string | undefined;
  priority(id: number): string | undefined;
  status(status: TicketStatus): string;
  when(iso: string): string;
  list(words: readonly string[]): string;
  /** Undefined for one that is gone. */
  file(ulid: unknown): string | undefined;
}

export function actorName({ type, name, by_mail: isByMail }: WireEvent['actor']): string {
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
      if (name === null) return t.actorUnknown;
      return isByMail ? t.actorByMail(isolated(name)) : isolated(name);
  }
}

/** What happened, why if a rule did it, and the ticket that it leads to. */
export function eventText(
  event: WireEvent,
  ticket: { ulid: string },
  names: EventNames,
): { text: string; href: string | null } {
  const said = plainText(event, ticket, names);
  const held = ((event.data.rule as Because | undefined)?.because ?? []).map((one) => conditionText(one, names));
  return held.length === 0 ? said : { ...said, text: t.didWhy(said.text, names.list(held)) };
}

interface Because {
  because?: { field: string; operator: string; value: unknown; negate: boolean }[];
}

function conditionText(
  { field, operator, value, negate }: NonNullable<Because['because']>[number],
  names: EventNames,
): string {
  const isWord = value === null || operator === 'exists' || operator === 'changed' || typeof value === 'boolean';
  const isAbsent = value === false;
  const words = [
    isolated(t.whyField(field.replace(/^field:/, ''))),
    t.whyOperator(isWord && operator === 'equals' ? 'exists' : operator, negate !== isAbsent),
  ];
  const values = isWord ? [] : [value].flat().map((one) => t.whyValue(isolated(String(one))));
  return [...words, ...(values.length === 0 ? [] : [names.list(values)])].join(' ');
}

function plainText(
  event: WireEvent,
  ticket: { ulid: string },
  names: EventNames,
): { text: string; href: string | null } {
  const who = actorName(event.actor);
  const { data } = event;
  const alone = (text: string) => ({ text, href: null });
  switch (event.event as string) {
    case 'ticket.created':
      return alone(opened(data.source)(who));
    case 'ticket.status_changed':
      return alone(t.didStatus(who, statusName(data.new_status, names)));
    case 'ticket.assigned':
      return alone(assigned(event, who, names));
    case 'ticket.updated':
      return didByRule(event, who, names) ?? alone(updated(event, who, names));
    case 'ticket.attachment_added':
      return alone(t.didAttach(who));
    case 'ticket.attachment_checked':
      return alone(scanned(data, names));
    case 'ticket.participants_changed':
      return alone(peopleChanged(event, who, names));
    case 'ticket.reply_resent':
      return alone(t.didResend(who));
    case 'ticket.note_deleted':
      return alone(t.didDeleteNote(who));
    case 'ticket.links_revoked':
      return alone(t.didRevokeLinks(who));
    case 'ticket.access_token_replaced':
      return alone(t.didReplaceToken(who));
    case 'ticket.merged':
      return merged(event, ticket, who, [t.didMergeHere, t.didMergeAway]);
    case 'ticket.unmerged':
      return merged(event, ticket, who, [t.didUnmergeHere, t.didUnmergeAway]);
    case 'ticket.split':
      return splitOff(event, who);
    case 'ticket.rated':
      return alone((changeOf(event, 'satisfaction')?.to === 'bad' ? t.didRateBad : t.didRateGood)(who));
    case 'ticket.sla_warning':
      return alone(clockText(warnedText, data.sla_type));
    case 'ticket.sla_breached':
      return alone(clockText(breachedText, data.sla_type));
    default:
      return alone(t.didOther(who));
  }
}

/** What a rule did beside changing the ticket. */
function didByRule({ data }: WireEvent, who: string, names: EventNames): { text: string; href: string | null } | null {
  const did = data.did as { type?: string; to?: string[]; ticket?: { id: number; ulid: string } } | undefined;
  const people = () => names.list((did?.to ?? []).map((one) => isolated(one)));
  switch (did?.type) {
    case 'mail':
      return { text: t.didMail(who, people()), href: null };
    case 'forward':
      return { text: t.didForward(who, people()), href: null };
    case 'webhook':
      return { text: t.didWebhook(who), href: null };
    case 'follow':
      return { text: t.didFollow(who), href: null };
    case 'create_ticket':
      return {
        text: t.didOpenAnother(who, `#${did.ticket?.id ?? '?'}`),
        href: did.ticket === undefined ? null : `/tickets/${did.ticket.ulid}`,
      };
    default:
      return null;
  }
}

function opened(source: unknown): (who: string) => string {
  if (source === 'phone') return t.didOpenByPhone;
  return source === 'email' ? t.didOpenByMail : t.didOpen;
}

const warnedText: Record<SlaClock, () => string> = {
  first_response: () => t.warnedFirst,
  resolution: () => t.warnedResolution,
};
const breachedText: Record<SlaClock, () => string> = {
  first_response: () => t.breachedFirst,
  resolution: () => t.breachedResolution,
};

function clockText(texts: Record<SlaClock, () => string>, clock: unknown): string {
  return texts[slaClocks.find((one) => one === clock) ?? 'first_response']();
}

function statusName(value: unknown, names: EventNames): string {
  const status = ticketStatuses.find((one) => one === value);
  return status === undefined ? String(value) : names.status(status);
}

function changeOf({ data }: WireEvent, field: string): { from: unknown; to: unknown } | undefined {
  return (data.changes as Record<string, { from: unknown; to: unknown }> | undefined)?.[field];
}

function scanned({ scan, attachment_ulid: ulid }: WireEvent['data'], names: EventNames): string {
  const { status, found } = scan as { status: string; found: string | null };
  const name = names.file(ulid);
  const file = name === undefined ? t.someFile : isolated(name);
  switch (status) {
    case 'infected':
      return t.didFindVirus(file, isolated(found ?? '?'));
    case 'clean':
      return t.didFindNoVirus(file);
    case 'waiting':
      return t.fileWaitsForCheck(file);
    default:
      return t.didNotCheckFile(file);
  }
}

const notAssigned: Record<SkippedReason, () => string> = {
  no_members: () => t.noOneInTeam,
  all_away: () => t.teamIsAway,
  all_busy: () => t.teamIsBusy,
  away_or_busy: () => t.teamIsAwayOrBusy,
};

/** Why no one of a team got the ticket. */
function whyNot({ data }: WireEvent): string[] {
  const reason = skippedReasons.find((one) => one === data.not_assigned);
  return reason === undefined ? [] : [notAssigned[reason]()];
}

function assigned(event: WireEvent, who: string, names: EventNames): string {
  const from = changeOf(event, 'assigned_to')?.from;
  if (event.data.is_away === true)
    return t.didReturnToTeam(isolated((typeof from === 'number' && names.agent(from)) || t.agentFallback));
  const team = changeOf(event, 'team_id');
  if (team === undefined) return assignedTo(event, who, names);
  const to = changeOf(event, 'assigned_to')?.to;
  const isGiven = typeof team.to === 'number';
  const name = isGiven ? isolated(names.team(team.to as number) ?? t.teamFallback) : '';
  if (isGiven && typeof to === 'number')
    return t.didGiveTeamAgent(who, name, isolated(names.agent(to) ?? t.agentFallback));
  const others = changeOf(event, 'assigned_to') === undefined ? [] : [assignedTo(event, who, names)];
  return [isGiven ? t.didGiveTeam(who, name) : t.didTakeTeam(who), ...others, ...whyNot(event)].join(' · ');
}

function assignedTo(event: WireEvent, who: string, names: EventNames): string {
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
  said.push(...whyNot(event));
  // Several changes of one kind, such as deadlines, are one sentence.
  const sentences = [...new Set(said)];
  return sentences.length === 0 ? t.didOther(who) : sentences.join(' · ');
}

function changed(event: WireEvent, field: string, who: string, names: EventNames): string[] {
  const { from, to } = changeOf(event, field) ?? { from: null, to: null };
  switch (field) {
    case 'subject':
      return [t.didSubject(who, isolated(subjectText(String(to))))];
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

function peopleChanged({ data }: WireEvent, who: string, names: EventNames): string {
  const said = (
    [
      [data.added, t.didAddPeople],
      [data.back, t.didBringBack],
      [data.removed, t.didRemovePeople],
      [data.paused, t.didPausePeople],
    ] as const
  ).flatMap(([people, say]) => {
    const called = (Array.isArray(people) ? people : []).map(({ name, email }) => isolated(name || email));
    return called.length === 0 ? [] : [say(who, names.list(called))];
  });
  if (typeof data.left_out === 'number') said.push(t.didLeaveOut(data.left_out));
  return said.length === 0 ? t.didOther(who) : said.join(' · ');
}

type Say = (who: string, reference: string) => string;

function merged({ data }: WireEvent, { ulid: own }: { ulid: string }, who: string, [sayHere, sayAway]: [Say, Say]) {
  const isHere = data.into_ulid === own;
  const [ulid, reference] = isHere ? [data.source_ulid, data.source_reference] : [data.into_ulid, data.into_reference];
  return { text: (isHere ? sayHere : sayAway)(who, String(reference)), href: `/tickets/${String(ulid)}` };
}

function splitOff({ data }: WireEvent, who: string): { text: string; href: string | null } {
  const other = (data.into ?? data.from) as { id?: number; ulid?: string } | undefined;
  const reference = `#${other?.id ?? '?'}`;
  const text = data.from === undefined ? t.didSplitAway(who, reference) : t.didSplitHere(who, reference);
  return { text, href: other?.ulid === undefined ? null : `/tickets/${other.ulid}` };
}
