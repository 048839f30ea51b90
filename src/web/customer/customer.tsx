// The customers' pages: the script draws again what the desk has written, and from then on it works.

import { effect } from '@preact/signals';
import { hydrate } from 'preact';
import { call } from '../shared/api.ts';
import { isLanguage, loadMessages } from '../shared/messages.ts';
import { refuseStrayFiles } from '../shared/stray-files.ts';
import { startEntrance } from './entrance.tsx';
import { typedInto } from './form-values.ts';
import { refresh } from './fresh.ts';
import { follow } from './live.ts';
import { CustomerPage, titleOf } from './page.tsx';
import type { PageContent } from './page-content.ts';
import { run, shown } from './state.ts';
import { onToken, takeToken, ticketInPath } from './token.ts';

function Page() {
  return <CustomerPage shown={shown.value} />;
}

async function start(root: HTMLElement): Promise<void> {
  const { lang } = document.documentElement;
  await loadMessages(isLanguage(lang) ? lang : 'en');
  refuseStrayFiles();
  const data = document.getElementById('data')?.textContent ?? '';
  shown.value = typedInto(JSON.parse(data) as PageContent);
  hydrate(<Page />, root);
  run();
  const { page } = shown.peek();
  if (page === 'entrance') startEntrance();
  if (page === 'ticket') startTicket();
}

function startTicket(): void {
  const token = takeToken();
  if (location.search.includes('site=')) history.replaceState(null, '', location.pathname);
  effect(() => {
    document.title = titleOf(shown.value);
  });
  follow();
  if (token !== null) void tradeAgain(token);
  onToken((newer) => void tradeAgain(newer));
}

/** A newer link in a browser that has opened the ticket: it may be of another address. An older one changes nothing. */
async function tradeAgain(token: string): Promise<void> {
  const answer = await call<{ data: { path: string } }>('POST', '/customer/links', { ticket: ticketInPath(), token });
  if (!answer.isOk) return;
  const { path } = answer.data.data;
  if (path === location.pathname) await refresh();
  else location.replace(path);
}

const root = document.getElementById('page');
if (root !== null) await start(root);
