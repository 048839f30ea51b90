// The call with which a program opens tickets, and the first ticket that it opens.

import { useSignal } from '@preact/signals';
import { Button } from '../../../shared/button.tsx';
import { Icon } from '../../../shared/icons.tsx';
import { SubmissionNotice } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useSubmission } from '../../../shared/submission.ts';
import { TabPanel, Tabs } from '../../../shared/tabs.tsx';
import { subjectText } from '../../list/messages.ts';
import { Link } from '../../route.ts';
import type { Site } from '../../session.ts';
import type { Ticket } from '../../wire.ts';
import { t as danger } from '../danger/messages.ts';
import { NewSiteToken } from '../danger/new-site-token.tsx';
import { copyLine } from '../equal-command.tsx';
import { useLiveData } from '../live-data.ts';
import { type CallLanguage, callIn, callLanguages, exampleTicket } from './ingest-call.ts';
import { t } from './messages.ts';
import { isFirst, newestTickets, newSite } from './progress.ts';

const names: Record<CallLanguage, string> = { curl: 'curl', typescript: 'TypeScript', php: 'PHP', python: 'Python' };

export function ConnectStep({ site }: { site: Site }) {
  const token = newSite.value?.slug === site.slug ? newSite.value.token : null;
  const language = useSignal<CallLanguage>('curl');
  const tickets = useLiveData<Ticket[]>(newestTickets(site));
  const first = tickets.shown.value?.data.find(isFirst);
  const opening = useSubmission();
  const isAsking = useSignal(false);
  const close = () => {
    isAsking.value = false;
  };
  const text = callIn(language.value, location.origin, token ?? 'hds_…');
  async function openOne(): Promise<void> {
    await opening.send(() => ask('POST', '/tickets', { site_id: site.id, ...exampleTicket }));
    await tickets.reload();
  }
  return (
    <>
      <p>{t.stepConnectLead}</p>
      <p class="soft">{token === null ? t.tokenIsGone : t.tokenShownOnce}</p>
      <div>
        <Button
          onClick={() => {
            isAsking.value = true;
          }}
        >
          {danger.makeToken}
        </Button>
      </div>
      {isAsking.value && <NewSiteToken site={site} onDone={close} onClose={close} />}
      <Tabs
        name="call"
        label={t.stepConnect}
        tabs={callLanguages.map((id) => ({ id, text: names[id] }))}
        selected={language.value}
        onSelect={(id) => (language.value = id)}
      />
      <TabPanel name="call" id={language.value}>
        <pre class="call">
          <code>{text}</code>
        </pre>
        <Button onClick={() => void copyLine(text, t.callCopied)}>
          <Icon name="copy" />
          {t.copyShort}
        </Button>
      </TabPanel>
      {first === undefined ? (
        <>
          <p class="soft waits" role="status">
            <span class="spinner" aria-hidden="true" />
            {t.waitingForTicket}
          </p>
          <SubmissionNotice submission={opening} />
          <div>
            <Button isBusy={opening.isBusy.value} onClick={() => void openOne()}>
              {t.openTestTicket}
            </Button>
          </div>
        </>
      ) : (
        <p role="status" class="is-done">
          <Icon name="check" />
          {t.ticketArrived(subjectText(first.subject))} <Link href={`/tickets/${first.ulid}`}>{t.toTheTicket}</Link>
        </p>
      )}
    </>
  );
}
