// Brings the page up to date: asks for what it shows, and draws what differs.

import { signal } from '@preact/signals';
import { t } from './messages.ts';
import type { PageContent } from './page-content.ts';
import { say, shown, ticketPage } from './state.ts';

/** The ulids of the messages that came while the page was open. */
export const arrived = signal<ReadonlySet<string>>(new Set());

let underWay: Promise<void> | null = null;

/** Those who ask during a request share its answer, or wait for the next one. */
export function refresh(): Promise<void> {
  underWay ??= load().finally(() => {
    underWay = null;
  });
  return underWay;
}

async function load(): Promise<void> {
  const fresh = await freshPage();
  if (fresh === null) return;
  // The visit has ended, or the link was withdrawn.
  if (fresh.page !== 'ticket') return location.reload();
  const known = new Set(ticketPage().thread.messages.map(({ ulid }) => ulid));
  const news = fresh.thread.messages.filter(({ ulid }) => !known.has(ulid));
  arrived.value = new Set([...arrived.peek(), ...news.map(({ ulid }) => ulid)]);
  shown.value = fresh;
  const answer = news.findLast(({ is_agent: isAgent, is_automated: isAutomated }) => isAgent && !isAutomated);
  if (answer !== undefined) say(t.newAnswer(answer.author_name));
}

/** The same address answers with what the page is made of. */
async function freshPage(): Promise<PageContent | null> {
  try {
    const answer = await fetch(location.pathname + location.search, {
      headers: { Accept: 'application/json' },
      credentials: 'same-origin',
      cache: 'no-store',
    });
    return answer.ok ? ((await answer.json()) as PageContent) : null;
  } catch {
    // Without a network, the page stays as it is.
    return null;
  }
}
