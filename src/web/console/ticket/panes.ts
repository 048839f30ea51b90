// Which panes stand beside the conversation, and which one a narrow screen shows.

import { type Signal, signal } from '@preact/signals';
import { remembered } from '../remembered.ts';

export const isListOpen: Signal<boolean> = remembered('ticket.list', true);
export const areDetailsOpen: Signal<boolean> = remembered('ticket.details', true);

/** Where there is room for only one. Not remembered: a ticket opens with its conversation. */
export const narrowPane: Signal<'conversation' | 'details'> = signal('conversation');
