// A notification in words. Nothing is escaped for any platform yet.

import { deadlineInWords } from '../domain/deadline.ts';
import { oneLine } from '../domain/plain-text.ts';
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
      return {
        ...titled(name ? 'Assigned' : 'Unassigned', notification.ticket),
        body: name ? `Assigned to ${name}.` : 'This ticket is no longer assigned to anyone.',
        color: colors.grey,
        facts: [...state(notification.ticket), site],
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
