// The mails to agents about their tickets. Only agents see what they quote.

import { invalid } from '../../domain/errors.ts';
import type { Locale } from '../../domain/people/preferences.ts';
import { fit, oneLine } from '../../domain/plain-text.ts';
import { subjectOr } from '../../domain/tickets/subject.ts';
import { type AgentWords, agentWords } from './agent-words.ts';
import { customerWords } from './customer-words.ts';
import type { AgentMail, DigestItem, MailContent, MailFrame, TicketAtAGlance } from './mail-content.ts';
import { type Letter, named, type Part } from './text-and-html.ts';
import { threadSubject } from './thread-subject.ts';

type Together = Extract<MailContent, { kind: 'assigned_together' }>;
type Digest = Extract<MailContent, { kind: 'digest' }>;
type ToAgent = AgentMail | Together | Digest;

/** What stands before the subject of the ticket. */
const marksIn = (words: AgentWords): Record<AgentMail['kind'], string> => ({
  assigned: words.assignedSubject,
  team_assigned: words.teamSubject,
  team_waiting: words.teamWaitsSubject,
  mentioned: words.mentionedSubject,
  customer_replied: words.repliedSubject,
  sla_warning: words.warnedSubject,
  sla_breached: words.breachedSubject,
  answer_noted: words.notedSubject,
  side_answered: words.asideSubject,
});

const kinds: readonly string[] = [...Object.keys(marksIn(agentWords.en)), 'digest', 'assigned_together'];

export const isToAgent = (content: MailContent): content is ToAgent => kinds.includes(content.kind);

export function subjectToAgent({ ticket, site, locale }: MailFrame, content: ToAgent): string {
  const words = agentWords[locale];
  if (content.kind === 'assigned_together')
    return fit(words.togetherSubject(content.tickets.length, oneLine(site.name)), 300);
  if (content.kind === 'digest') return fit(words.digestSubject(content.items.length, oneLine(site.name)), 300);
  if (!ticket) throw invalid('ticket', 'is missing');
  return threadSubject(ticket.reference, ticket.subject, marksIn(words)[content.kind], customerWords[locale].noSubject);
}

const mostListed = 50;
const longestQuote = 2_000;

const sentence = (text: string): Part => ({ kind: 'sentence', text });

export function letterToAgent(frame: MailFrame, content: ToAgent): Letter {
  const words = agentWords[frame.locale];
  const site = named(frame.site.name, 'Helpdesk');
  const letter = { language: frame.locale };
  if (content.kind === 'assigned_together')
    return {
      ...letter,
      parts: [
        sentence(words.assignedTogether(named(content.by, 'Helpdesk'), content.tickets.length)),
        ...listedBySite(frame.locale, content.tickets.slice(0, mostListed)),
        ...(content.tickets.length > mostListed ? [sentence(words.more(content.tickets.length - mostListed))] : []),
        { kind: 'link', label: words.openTickets, url: content.url },
      ],
      footer: `${site} · ${words.becauseOfTickets}`,
    };
  if (content.kind === 'digest')
    return {
      ...letter,
      ...digestIn(words, frame.locale, content),
      footer: `${site} · ${words.becauseOfNotifications}`,
    };
  const { ticket } = content;
  const reference = frame.ticket?.reference ?? '';
  const canAnswer = frame.answerAddress !== null && (frame.replyTo ?? frame.inboundDomain) !== null;
  return {
    ...letter,
    parts: [
      ...(canAnswer ? [{ kind: 'faint', text: `##- ${words.answerAbove} -##` } as const] : []),
      ...happened(words, content),
      ...(content.more ? [sentence(words.more(content.more))] : []),
      sentence(frame.ticket ? `${reference} ${subjectIn(frame.locale, frame.ticket.subject)}` : ''),
      { kind: 'facts', facts: factsOf(words, frame, ticket) },
      { kind: 'link', label: words.open(reference), url: ticket.url },
      ...ticket.messages.map(
        ({ name, body, at }): Part => ({
          kind: 'quote',
          introduction: customerWords[frame.locale].wrote(
            momentIn(frame.locale, ticket.timeZone, at),
            named(name, words.theCustomer),
          ),
          text: fit(body, longestQuote),
        }),
      ),
      ...(canAnswer
        ? [
            sentence(words.answersAre[ticket.answersAre]),
            sentence(words.commands),
            sentence('/reply, /note, /resolve, /pending, /take, /assign Ada, /priority high, /tag billing'),
          ]
        : []),
      ...(content.choicesUrl === undefined
        ? []
        : [{ kind: 'link', label: words.choose, url: content.choicesUrl } as const]),
    ],
    footer: `${site} · ${words.becauseOfTicket}`,
  };
}

function happened(words: AgentWords, content: AgentMail): Part[] {
  switch (content.kind) {
    case 'assigned':
      return [sentence(words.assigned(named(content.by, 'Helpdesk')))];
    case 'team_assigned':
      return [sentence(words.teamAssigned(named(content.by, 'Helpdesk')))];
    case 'team_waiting':
      return [sentence(words.teamWaiting)];
    case 'mentioned':
      return [
        {
          kind: 'quote',
          introduction: words.mentioned(named(content.by, 'Helpdesk')),
          text: fit(content.body, longestQuote),
        },
      ];
    case 'customer_replied':
      return [sentence(words.replied(named(content.authorName, words.theCustomer)))];
    case 'sla_warning':
      return [sentence(words.warned[content.deadline.type])];
    case 'sla_breached':
      return [sentence(words.breached[content.deadline.type])];
    case 'side_answered':
      return [
        { kind: 'quote', introduction: words.aside(oneLine(content.from)), text: fit(content.body, longestQuote) },
      ];
    case 'answer_noted': {
      const told = sentence(words.problems[content.problem](oneLine(content.line)));
      // These two say what became of the mail themselves.
      return content.problem === 'not_proven' || content.problem === 'expired' ? [told] : [told, sentence(words.noted)];
    }
  }
}

function digestIn(words: AgentWords, locale: Locale, { items, url, choicesUrl }: Digest): Pick<Letter, 'parts'> {
  const marks: Partial<Record<DigestItem['kind'], string>> = { ...marksIn(words), ...words.alarms };
  const shown = items.slice(0, mostListed).map(({ kind, ticket, url: at }) => ({
    text: `${marks[kind] ?? ''}${ticket === null ? '' : `${ticket.reference} ${subjectIn(locale, ticket.subject)}`}`,
    url: at,
  }));
  return {
    parts: [
      { kind: 'list', items: shown },
      ...(items.length > mostListed ? [sentence(words.more(items.length - mostListed))] : []),
      { kind: 'link', label: words.openNotifications, url },
      { kind: 'link', label: words.choose, url: choicesUrl },
    ],
  };
}

function factsOf(words: AgentWords, { locale, at }: MailFrame, ticket: TicketAtAGlance) {
  const { customer, others, clocks, timeZone } = ticket;
  const moment = (instant: number) => momentIn(locale, timeZone, instant);
  const address = customer && oneLine(customer.address);
  const name = customer && oneLine(customer.name ?? '');
  return [
    ...(customer ? [{ label: words.customer, value: name ? `${name} (${address})` : `${address}` }] : []),
    ...(others.length === 0 ? [] : [{ label: 'Cc', value: oneLine(others.join(', ')) }]),
    ...clocks.map(({ clock, dueAt, doneAt, isPaused }) => ({
      label: words.clock[clock],
      value: isPaused
        ? words.paused
        : dueAt !== null
          ? words.due(moment(dueAt), spanIn(locale, dueAt - at))
          : doneAt === null
            ? '–'
            : words.done(moment(doneAt)),
    })),
  ];
}

function momentIn(locale: Locale, timeZone: string, at: number): string {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone } as const;
  return new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, format).format(at);
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

function spanIn(locale: Locale, ms: number): string {
  const [unit, length] = units.find(([, length]) => Math.abs(ms) >= length) ?? units[2];
  return new Intl.RelativeTimeFormat(locale).format(Math.trunc(ms / length), unit);
}

const subjectIn = (locale: Locale, subject: string) => oneLine(subjectOr(customerWords[locale].noSubject, subject));

function listedBySite(locale: Locale, tickets: Together['tickets']): Part[] {
  const bySite = Map.groupBy(tickets, ({ site }) => site);
  return [...bySite].flatMap(([site, own]): Part[] => [
    ...(bySite.size > 1 ? [sentence(`${named(site, agentWords[locale].anotherSite)}:`)] : []),
    {
      kind: 'list',
      items: own.map(({ reference, subject, url }) => ({ text: `${reference} ${subjectIn(locale, subject)}`, url })),
    },
  ]);
}
