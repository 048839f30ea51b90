// A mail in each direction: one to the desk, which becomes a ticket, and one from the desk.

import { useSignal } from '@preact/signals';
import type * as z from 'zod';
import { isReachableAddress } from '../../../../domain/mail/mailbox.ts';
import type { inboundMailShape } from '../../../../http/wire/mail/inbound-mail.ts';
import { Button } from '../../../shared/button.tsx';
import { now } from '../../../shared/clock.ts';
import { ago } from '../../../shared/format.ts';
import { Icon } from '../../../shared/icons.tsx';
import { language } from '../../../shared/messages.ts';
import { Notice, SubmissionNotice } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useSubmission } from '../../../shared/submission.ts';
import { Link } from '../../route.ts';
import type { Site } from '../../session.ts';
import { t as ofDesk } from '../desk/messages.ts';
import { useLiveData } from '../live-data.ts';
import { Skeleton } from '../loading.tsx';
import type { Mailbox } from '../mailboxes/wire.ts';
import { settingsPath } from '../settings-route.ts';
import { t } from './messages.ts';

type InboundMail = z.output<typeof inboundMailShape>;
interface Traced {
  direction: 'in' | 'out';
  at: string;
  steps: { kind: string; detail: string | null }[];
}

interface Tested {
  recipient: string;
  has_server: boolean;
}

export function TestStep({ site }: { site: Site }) {
  return (
    <>
      <Arriving site={site} />
      <Leaving site={site} />
    </>
  );
}

function Arriving({ site }: { site: Site }) {
  const boxes = useLiveData<Mailbox[]>(`/sites/${site.id}/mailboxes`).shown.value?.data;
  const whole = useLiveData<{ inbound_address: string }>(`/sites/${site.id}`).shown.value?.data;
  const mails = useLiveData<InboundMail[]>(`/sites/${site.id}/inbound-mail?per_page=1`).shown.value?.data;
  // Shown only when complete: late content would move the button away from the pointer.
  if (boxes === undefined || whole === undefined || mails === undefined) return <Skeleton />;
  const [newest] = mails;
  const address = boxes.find(({ incoming }) => incoming !== null)?.address ?? whole.inbound_address;
  return (
    <section class="test-way">
      <h3>{t.testIn}</h3>
      {isReachableAddress(address) ? (
        <p>
          {t.writeTo} <a href={`mailto:${address}`}>{address}</a>
        </p>
      ) : (
        // Mail has come by an address that only the provider knows.
        newest === undefined && <p>{t.noAddressYet}</p>
      )}
      {newest === undefined ? (
        <p class="soft waits" role="status">
          <span class="spinner" aria-hidden="true" />
          {t.waitingForMail}
        </p>
      ) : (
        <p role="status" class="is-done">
          <Icon name="check" />
          {t.mailArrived(newest.sender ?? '', ago(newest.received_at, now()))}{' '}
          {newest.ticket === null ? null : <Link href={`/tickets/${newest.ticket}`}>{t.toTheTicket}</Link>}
        </p>
      )}
    </section>
  );
}

function Leaving({ site }: { site: Site }) {
  const submission = useSubmission();
  const sentTo = useSignal<Tested | null>(null);
  const sentAt = useSignal('');
  async function send(): Promise<void> {
    const path = `/sites/${site.id}/mail-templates/acknowledgement/${language()}/test`;
    sentAt.value = new Date(now() - 5000).toISOString();
    const sent = await submission.send(() => ask<{ data: Tested }>('POST', path));
    sentTo.value = sent?.data ?? null;
  }
  return (
    <section class="test-way">
      <h3>{t.testOut}</h3>
      <p>{t.testOutLead}</p>
      <SubmissionNotice submission={submission} />
      <div>
        <Button isBusy={submission.isBusy.value} onClick={() => void send()}>
          {t.sendTestMail}
        </Button>
      </div>
      {sentTo.value?.has_server === true && <Sent site={site} to={sentTo.value.recipient} since={sentAt.value} />}
      {sentTo.value?.has_server === false && (
        <div role="status">
          <Notice kind="problem">
            {t.onlyWritten} <Link href={settingsPath('mail-server')}>{ofDesk.mailServer}</Link>
          </Notice>
        </div>
      )}
    </section>
  );
}

function Sent({ site, to, since }: { site: Site; to: string; since: string }) {
  const query = new URLSearchParams({ q: to, site: site.slug });
  const traced = useLiveData<Traced[]>(`/mail/trace?${query}`).shown.value?.data ?? [];
  const mail = traced.find(({ direction, at }) => direction === 'out' && at >= since);
  const last = mail?.steps.at(-1);
  if (last?.kind === 'accepted')
    return (
      <p role="status" class="is-done">
        <Icon name="check" />
        {t.mailLeft(to)}
      </p>
    );
  if (last !== undefined && ['failed', 'refused', 'bounced'].includes(last.kind))
    return (
      <div role="status">
        <Notice kind="problem">{t.mailDidNotLeave(last.detail ?? '')}</Notice>
      </div>
    );
  return (
    <p class="soft waits" role="status">
      <span class="spinner" aria-hidden="true" />
      {t.mailLeaves(to)}
    </p>
  );
}
