// How mail reaches the site other than through a mailbox: its address, the URL for a provider, and the last mail that came.

import { useSignal } from '@preact/signals';
import type * as z from 'zod';
import type { ProviderName } from '../../../../domain/mail/inbound.ts';
import { isReachableAddress } from '../../../../domain/mail/mailbox.ts';
import type { inboundMailShape } from '../../../../http/wire/mail/inbound-mail.ts';
import type { siteShape } from '../../../../http/wire/sites/site.ts';
import { bound } from '../../../shared/bound.ts';
import { Button } from '../../../shared/button.tsx';
import { now } from '../../../shared/clock.ts';
import { ChoiceField } from '../../../shared/field.tsx';
import { ago, dateAndTime } from '../../../shared/format.ts';
import { announceRefusal, Notice } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useSubmission } from '../../../shared/submission.ts';
import { Link } from '../../route.ts';
import { can, type Site } from '../../session.ts';
import { tensOfSeconds } from '../../ticking.ts';
import { t as ofDesk } from '../desk/messages.ts';
import { copyLine, EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { t } from '../messages.ts';
import { RotateDialog } from '../rotate-dialog.tsx';
import { SectionHead } from '../section-head.tsx';
import { type SectionProps, settingsPath } from '../settings-route.ts';
import { ScrolledCode } from '../webhooks/scrolled-code.tsx';
import { TrustedServers } from './trusted-servers.tsx';
import { worker } from './worker.ts';

type InboundMail = z.output<typeof inboundMailShape>;

export function InboundSection({ site }: SectionProps) {
  const { shown, refusal, reload } = useLiveData<z.output<typeof siteShape>>(`/sites/${site.id}`);
  const address = shown.value?.data.inbound_address ?? null;
  return (
    <>
      <SectionHead title={t.inboundMail} lead={t.inboundMailLead} />
      <Loading of={{ shown, refusal, reload }} />
      {address !== null && (
        <>
          <Ways site={site} />
          <LastMail site={site} address={address} />
          <ByProvider site={site} address={address} />
          <section class="inbound-way">
            <h2>{t.byPipe}</h2>
            <EqualCommand
              lead={t.pipeLead}
              words={[
                ...[
                  'helpdesk',
                  'mail',
                  'ingest',
                  '--site',
                  site.slug,
                  '--sender',
                  '$SENDER',
                  '--recipient',
                  '$RECIPIENT',
                ],
                ...['<', 'message.eml'],
              ]}
            />
          </section>
          {shown.value !== null && <TrustedServers found={shown.value} reload={reload} />}
        </>
      )}
    </>
  );
}

function Ways({ site }: { site: Site }) {
  return (
    <div class="panel ways">
      <table>
        <caption class="hidden">{t.waysOfMail}</caption>
        <thead>
          <tr>
            <th scope="col">{t.youHave}</th>
            <th scope="col">{t.useThis}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>{t.haveMailbox}</td>
            <td>
              <Link href={settingsPath('mailboxes', undefined, site)}>{t.mailboxes}</Link>
            </td>
          </tr>
          <tr>
            <td>{t.haveDomain}</td>
            <td>{t.fromProvider}</td>
          </tr>
          <tr>
            <td>{t.haveServer}</td>
            <td>{t.byPipe}</td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}

function outcomeText({ outcome }: InboundMail): string {
  if (outcome === null) return t.outcomeWaits;
  return {
    ...{ ticket_created: t.outcomeTicket, reply_added: t.outcomeReply, held: t.outcomeHeld, failed: t.outcomeFailed },
    ...{ duplicate: t.outcomeOther, discarded: t.outcomeOther, forwarded: t.outcomeOther },
    ...{ ignored_auto_reply: t.outcomeOther, bounce_recorded: t.outcomeOther },
  }[outcome];
}

/** The check: one sends a mail to the address, and sees it come. */
function LastMail({ site, address }: { site: Site; address: string }) {
  const { shown, refusal } = useLiveData<InboundMail[]>(`/sites/${site.id}/inbound-mail?per_page=1`);
  const last = shown.value?.data[0];
  // Read, so that the times stay true.
  tensOfSeconds.value;
  return (
    <section class="panel inbound-now" aria-label={t.siteAddress}>
      <h2>{t.siteAddress}</h2>
      <p class="copy-line">
        <code>{address}</code>
        <Button kind="quiet" label={t.copySiteAddress} onClick={() => void copyLine(address, t.siteAddressCopied)}>
          {t.copyShort}
        </Button>
      </p>
      {isReachableAddress(address) ? (
        <p class="soft">{t.mailToTest}</p>
      ) : (
        <p class="soft">
          {t.addressUnreachable} {can('own') && <Link href={settingsPath('addresses')}>{ofDesk.addresses}</Link>}
        </p>
      )}
      <div role="status">
        {shown.value !== null && last === undefined && <p>{t.noMailArrived}</p>}
        {last !== undefined && (
          <p>
            <strong>
              <time dateTime={last.received_at} title={dateAndTime(last.received_at)}>
                {t.lastMailCame(ago(last.received_at, now()))}
              </time>
            </strong>{' '}
            {outcomeText(last)} {last.sender !== null && <bdi class="soft">{last.sender}</bdi>}
            {last.subject !== null && <bdi class="soft inbound-subject">{last.subject}</bdi>}
          </p>
        )}
        {shown.value === null && refusal.value !== null && <p>{t.failed}</p>}
      </div>
    </section>
  );
}

const providers: Readonly<Record<ProviderName, string>> = {
  ...{ postmark: 'Postmark', mailgun: 'Mailgun', sendgrid: 'SendGrid', ses: 'Amazon SES' },
  ...{ cloudflare: 'Cloudflare Email Routing', raw: 'HTTP' },
};
const names = Object.keys(providers) as ProviderName[];

/** The desk gives the URL of raw mail; each provider has its own name in it. */
function urlFor(provider: ProviderName, raw: string): string {
  const url = raw.replace('/webhooks/raw/inbound/', `/webhooks/${provider}/inbound/`);
  return provider === 'mailgun' ? `${url}?mime` : url;
}

function ByProvider({ site, address }: { site: Site; address: string }) {
  const provider = useSignal<ProviderName>('postmark');
  const url = useSignal<string | null>(null);
  const isAsked = useSignal(false);
  const changes = useSignal(0);
  const revealing = useSubmission();
  const path = `/sites/${site.id}`;
  const steps = {
    ...{ postmark: [t.postmarkStep1, t.postmarkStep2, t.postmarkStep3] },
    ...{ mailgun: [t.mailgunStep1, t.mailgunStep2, t.mailgunStep3] },
    ...{ sendgrid: [t.sendgridStep1, t.sendgridStep2, t.sendgridStep3] },
    ...{ ses: [t.sesStep1, t.sesStep2(`helpdesk site update ${site.slug} --ses-topic-arns`), t.sesStep3] },
    ...{ cloudflare: [t.cloudflareStep1, t.cloudflareStep2, t.cloudflareStep3] },
    ...{ raw: [t.rawStep1, t.rawStep2] },
  }[provider.value];

  async function reveal(): Promise<void> {
    const found = await revealing.send(() =>
      ask<{ data: { inbound_webhook_url: string } }>('POST', `${path}/inbound-url`),
    );
    if (found !== null) url.value = found.data.inbound_webhook_url;
    else if (revealing.refusal.value !== null) announceRefusal(revealing.refusal.value);
    changes.value += 1;
  }

  return (
    <section class="inbound-way" aria-labelledby="by-provider">
      <h2 id="by-provider">{t.fromProvider}</h2>
      <p class="soft">{t.fromProviderLead}</p>
      <div class="panel guide">
        <ChoiceField
          label={t.provider}
          options={names.map((value) => ({ value, text: value === 'raw' ? t.anyServer : providers[value] }))}
          {...bound(provider)}
        />
        <ol>
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        {provider.value === 'cloudflare' && <ScrolledCode label={providers.cloudflare} text={worker} />}
        {isReachableAddress(address) && <p class="soft">{t.forwardHere(address)}</p>}
        {!can('manage') && <Notice kind="hint">{t.onlyManagersChange}</Notice>}
        {can('manage') && url.value === null && (
          <>
            <p class="soft">{t.urlIsSecret}</p>
            <div class="section-actions">
              <Button kind="primary" isBusy={revealing.isBusy.value} onClick={() => void reveal()}>
                {t.showUrl}
              </Button>
              <Button
                onClick={() => {
                  isAsked.value = true;
                }}
              >
                {t.rotateUrl}
              </Button>
            </div>
          </>
        )}
        {url.value !== null && (
          <>
            <p class="copy-line inbound-url">
              <code>{urlFor(provider.value, url.value)}</code>
              <Button
                label={t.copyUrl}
                onClick={() => void copyLine(urlFor(provider.value, url.value ?? ''), t.urlCopied)}
              >
                {t.copyShort}
              </Button>
            </p>
            <div class="section-actions">
              <Button
                onClick={() => {
                  url.value = null;
                }}
              >
                {t.hideUrl}
              </Button>
              <Button
                onClick={() => {
                  isAsked.value = true;
                }}
              >
                {t.rotateUrl}
              </Button>
            </div>
          </>
        )}
      </div>
      <LastChange
        siteId={site.id}
        actions={['site.updated', 'site.inbound_secret_rotated', 'site.inbound_url_revealed']}
        targetId={site.id}
        version={String(changes.value)}
      />
      <EqualCommand words={['helpdesk', 'site', 'rotate-inbound', site.slug, '--grace', '60']} />
      {isAsked.value && (
        <RotateDialog<{ inbound_webhook_url: string }>
          title={t.rotateUrlTitle}
          text={t.rotateUrlText}
          graceLabel={t.oldUrlWorks}
          action={t.rotateUrl}
          send={(body) => ask('POST', `${path}/inbound-secret`, body)}
          onClose={() => {
            isAsked.value = false;
          }}
          onDone={({ inbound_webhook_url }) => {
            url.value = inbound_webhook_url;
            isAsked.value = false;
            changes.value += 1;
          }}
        />
      )}
    </section>
  );
}
