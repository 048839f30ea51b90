// A notification in words. Nothing is escaped for any platform yet.

import { alarmTitles } from '../domain/mail/mailbox-alarms.ts';
import { oneLine } from '../domain/plain-text.ts';
import { deadlineInWords } from '../domain/sla/deadline.ts';
import { type ParticipantChange, participantChanges } from '../domain/tickets/participant.ts';
import type { Notification, NotifiedTicket } from './notification.ts';

interface Summary {
  label: string;
  subject: string;
  body: string;
  color: string;
  facts: { label: string; value: string }[];
}

const colors = { blue: '#2563eb', green: '#16a34a', grey: '#64748b', amber: '#d97706', red: '#dc2626' };

export function summarise(notification: Notification): Summary {
  const summary = describe(notification);
  return { ...summary, facts: summary.facts.filter(({ value }) => value !== '') };
}

function describe(notification: Notification): Summary {
  const { ticket } = notification;
  const site = { label: 'Site', value: oneLine(notification.site.name) };
  switch (notification.event) {
    case 'ticket.created':
      return {
        ...titled('New ticket', notification.ticket),
        body: notification.message.body,
        color: colors.blue,
        facts: [...from(notification.message.authorName), ...state(notification.ticket), site],
      };
    case 'ticket.replied': {
      const { isAgent, agentName, authorName, body } = notification.message;
      return {
        ...titled(isAgent ? 'Agent reply' : 'Customer reply', notification.ticket),
        body,
        color: isAgent ? colors.green : colors.blue,
        facts: [...from(isAgent ? agentName : authorName), ...state(notification.ticket), site],
      };
    }
    case 'ticket.status_changed':
      return {
        ...titled(`Now ${notification.newStatus}`, notification.ticket),
        body: `Status changed from ${notification.oldStatus} to ${notification.newStatus}.`,
        color: notification.newStatus === 'open' ? colors.blue : colors.grey,
        facts: [...state(notification.ticket), site],
      };
    case 'ticket.assigned': {
      const name = notification.assignee && oneLine(notification.assignee.name);
      const team = notification.team && oneLine(notification.team.name);
      const ofTeam = team ? ` The team ${team} has it.` : '';
      return {
        ...titled(name ? 'Assigned' : 'Unassigned', notification.ticket),
        body: `${name ? `Assigned to ${name}.` : 'This ticket is assigned to no one.'}${ofTeam}`,
        color: colors.grey,
        facts: [...state(notification.ticket), site],
      };
    }
    case 'ticket.participants_changed':
      return {
        ...titled('Participants', notification.ticket),
        body: peopleChanged(notification),
        color: colors.grey,
        facts: [...state(notification.ticket), site],
      };
    case 'ticket.rated': {
      const { rating, comment } = notification;
      return {
        ...titled(rating === 'good' ? 'Rated good' : 'Rated bad', notification.ticket),
        body: comment ?? `The customer says that the help was ${rating}.`,
        color: rating === 'good' ? colors.green : colors.red,
        facts: [...from(notification.ticket.authorName), ...state(notification.ticket), site],
      };
    }
    case 'ticket.sla_warning':
    case 'ticket.sla_breached': {
      const isBreached = notification.event === 'ticket.sla_breached';
      return {
        ...titled(isBreached ? 'SLA breached' : 'SLA warning', notification.ticket),
        body: deadlineInWords(notification.deadline),
        color: isBreached ? colors.red : colors.amber,
        facts: [...from(ticket?.authorName ?? null), ...state(notification.ticket), site],
      };
    }
    case 'mailbox.alarm':
      return {
        label: `${alarmTitles[notification.alarm]} –`,
        subject: oneLine(notification.address),
        body: notification.reason,
        color: colors.red,
        facts: [site],
      };
    case 'inbound.held':
    case 'backup.failed':
    case 'disk.low': {
      const { label, body } = alarmWords[notification.event];
      const isOfSite = notification.event === 'inbound.held';
      const color = isOfSite ? colors.amber : colors.red;
      return { label: `${label} –`, subject: site.value, body, color, facts: [] };
    }
    case 'channel.disabled':
      return {
        label: 'Channel disabled –',
        subject: oneLine(notification.channelName),
        body: notification.reason,
        color: colors.red,
        facts: [site],
      };
    case 'channel.test':
      return {
        label: 'Test message for',
        subject: oneLine(notification.channelName),
        body: 'This channel works. The events that you chose will arrive here.',
        color: colors.grey,
        facts: [site],
      };
  }
}

const alarmWords = {
  'inbound.held': { label: 'Mail is held', body: 'It waits until someone releases or discards it.' },
  'backup.failed': { label: 'The backup failed', body: 'The log of the desk says why.' },
  'disk.low': { label: 'The disk is nearly full', body: 'When it is full, nothing more can be stored.' },
} as const;

const changeWords: Readonly<Record<ParticipantChange, string>> = {
  added: 'Added',
  back: 'Back',
  removed: 'Removed',
  paused: 'Paused, mail came back',
};

function peopleChanged({ changes, leftOut }: Extract<Notification, { event: 'ticket.participants_changed' }>): string {
  const said = participantChanges
    .filter((change) => changes[change].length > 0)
    .map(
      (change) =>
        `${changeWords[change]}: ${changes[change].map(({ name, email }) => oneLine(name || email)).join(', ')}.`,
    );
  return [...said, ...(leftOut > 0 ? [`Left out: ${leftOut}.`] : [])].join('\n');
}

function titled(what: string, ticket: NotifiedTicket) {
  return { label: `${what}: ${ticket.reference}`, subject: oneLine(ticket.subject) };
}

function from(name: string | null) {
  return [{ label: 'From', value: oneLine(name ?? '') }];
}

function state(ticket: NotifiedTicket) {
  return [
    { label: 'Status', value: ticket.status },
    { label: 'Priority', value: oneLine(ticket.priority ?? '') },
  ];
}
