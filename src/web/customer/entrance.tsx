// Opens a ticket: trades what stands after the # for a cookie. Browsers do not send that part to servers.
// A browser that has not opened the ticket gets the same page whether it exists or not.

import { call } from '../shared/api.ts';
import { Button } from '../shared/button.tsx';
import { SubmissionNotice } from '../shared/notices.tsx';
import { useSubmission } from '../shared/submission.ts';
import { t } from './messages.ts';
import { Note } from './note.tsx';
import { NeedsScript } from './parts.tsx';
import { replaceContent } from './state.ts';
import { onToken, takeToken, ticketInPath } from './token.ts';

export function Entrance() {
  return (
    <div id="entrance" class="card narrow">
      <p class="soft waiting">{t.opening}</p>
      <NeedsScript text={t.openNeedsScript} />
    </div>
  );
}

export function startEntrance(): void {
  const token = takeToken();
  const listedBy = new URLSearchParams(location.search).get('site');
  if (token !== null) void trade(token);
  else if (listedBy !== null) void openListed(listedBy);
  else refuse();
  onToken((newer) => void trade(newer));
}

async function trade(token: string): Promise<void> {
  const body = { ticket: ticketInPath(), token };
  const answer = await call<{ data: { path: string } }>('POST', '/customer/links', body);
  if (answer.isOk) location.replace(answer.data.data.path);
  else if (['not_found', 'unauthenticated', 'invalid'].includes(answer.refusal.code)) refuse();
  else unreachable(() => trade(token));
}

/** A ticket of "My tickets". */
async function openListed(site: string): Promise<void> {
  const answer = await call('POST', `/customer/tickets/${ticketInPath()}/open`, { site });
  if (answer.isOk) location.replace(location.pathname);
  else if ([401, 403, 404].includes(answer.refusal.status)) location.replace(`/s/${encodeURIComponent(site)}/tickets`);
  else unreachable(() => openListed(site));
}

function refuse(): void {
  document.title = t.refusedTitle;
  replaceContent(<Refused />);
}

function unreachable(again: () => Promise<void>): void {
  document.title = t.opening;
  replaceContent(
    <Note icon="warning" title={t.notOpenedTitle}>
      <p class="soft">{navigator.onLine ? t.busy : t.offline}</p>
      <Button kind="primary" onClick={() => void again()}>
        {t.tryAgain}
      </Button>
    </Note>,
  );
}

function Refused() {
  const submission = useSubmission();
  async function ask(): Promise<void> {
    const body = { ticket: ticketInPath() };
    if ((await submission.send(() => call('POST', '/customer/links/request', body))) !== null) replaceContent(<Sent />);
  }
  return (
    <Note icon="link" title={t.refusedTitle}>
      <p class="soft">{t.refusedLead}</p>
      <SubmissionNotice submission={submission} />
      <Button
        kind="primary"
        isBusy={submission.isBusy.value}
        isDisabled={submission.waitSeconds.value > 0}
        onClick={() => void ask()}
      >
        {t.mailNewLink}
      </Button>
    </Note>
  );
}

function Sent() {
  return (
    <Note icon="mail" title={t.newLinkSentTitle}>
      <p class="soft">{t.newLinkSent}</p>
    </Note>
  );
}
