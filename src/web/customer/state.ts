// What the script of the page knows. The desk never changes any of it.

import { type ReadonlySignal, signal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import type { PageContent, TicketPage } from './page-content.ts';

export const shown = signal<PageContent>({ page: 'missing', site: null });

const running = signal(false);
/** Whether the script draws the page, or the desk writes it. */
export const isRunning: ReadonlySignal<boolean> = running;

/** Draws as if the page's script were running: for a preview on the desk. */
export function drawRunning<Drawn>(draw: () => Drawn): Drawn {
  running.value = true;
  try {
    return draw();
  } finally {
    running.value = false;
  }
}

export function run(): void {
  running.value = true;
}

/** The ticket of this page. */
export function ticketPage(): TicketPage {
  const { value } = shown;
  if (value.page !== 'ticket') throw new Error('This page shows no ticket.');
  return value;
}

/** Shown instead of the whole content; null shows the content. */
export const instead = signal<ComponentChild>(null);

export function replaceContent(content: ComponentChild): void {
  instead.value = content;
  document.getElementById('content')?.focus();
  scrollTo(0, 0);
}

export const said = signal('');

/** For screen readers, which do not see what appears. */
export function say(sentence: string): void {
  said.value = sentence;
}
