// The ticket page: an answer, "This is solved", and what comes while it is open.

import { call } from '../shared/api.ts';
import { Actions } from './actions.tsx';
import { Composer } from './composer.tsx';
import { refresh, rememberWritten } from './fresh.ts';
import { follow } from './live.ts';
import { fill } from './place.tsx';
import { readState } from './ticket-state.ts';
import { onToken, takeToken, ticketInPath } from './token.ts';

export function startTicket(): void {
  if (!readState(document)) return;
  rememberWritten();
  const token = takeToken();
  if (location.search.includes('site=')) history.replaceState(null, '', location.pathname);
  fill('composer', <Composer />);
  if (document.getElementById('composer') !== null) fill('actions', <Actions />);
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
