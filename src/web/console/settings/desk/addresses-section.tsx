// Where the desk is, and where customers' mail for it goes: set here, or where the desk is started, which counts first.

import type { ComponentChildren } from 'preact';
import type { DomainFault } from '../../../../domain/own-services.ts';
import type { EnvironmentSetting } from '../../../../http/wire/system.ts';
import type { Refusal } from '../../../shared/api.ts';
import { Button } from '../../../shared/button.tsx';
import { TextField } from '../../../shared/field.tsx';
import { announce, Notice, SubmissionNotice } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useSubmission } from '../../../shared/submission.ts';
import { useFetched } from '../../shell/fetched.ts';
import { Refused } from '../../shell/refused.tsx';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData, type Versioned } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { SectionForm } from '../section-form.tsx';
import { SectionHead } from '../section-head.tsx';
import { Environment } from './environment.tsx';
import { t } from './messages.ts';

interface Addresses {
  base_url: string | null;
  inbound_domain: string | null;
}

export function AddressesSection() {
  const live = useLiveData<Addresses>('/desk');
  const { data, refusal, reload } = useFetched<{ data: EnvironmentSetting[] }>('/system/settings');
  const found = live.shown.value;
  const running = (name: string) => data.value?.data.find((one) => one.name === name);
  const [address, domain] = [running('HELPDESK_BASE_URL'), running('HELPDESK_INBOUND_DOMAIN')];
  return (
    <>
      <SectionHead title={t.addresses} lead={t.addressesLead} />
      <Loading of={live} />
      {data.value === null && refusal.value !== null && <Refused refusal={refusal.value} onRetry={reload} />}
      {found !== null && address !== undefined && domain !== undefined && (
        <>
          <Part id="base-url" title={t.baseUrl} lead={t.baseUrlLead} setting={address}>
            <BaseUrl found={found} reload={live.reload} />
          </Part>
          <Part id="inbound-domain" title={t.inboundDomain} lead={t.inboundDomainLead} setting={domain}>
            <InboundDomain found={found} reload={live.reload} />
          </Part>
          <LastChange
            siteId={null}
            actions={['desk.updated']}
            targetId={null}
            fields={['base_url', 'inbound_domain']}
            version={found.etag}
          />
        </>
      )}
    </>
  );
}

interface PartProps {
  id: string;
  title: string;
  lead: string;
  setting: EnvironmentSetting;
  children: ComponentChildren;
}

/** What the environment, a file or the command line sets is only shown. */
function Part({ id, title, lead, setting, children }: PartProps) {
  const isFixed = !['default', 'console'].includes(setting.source);
  return (
    <section class="part" aria-labelledby={id}>
      <header class="section-head">
        <div>
          <h2 id={id}>{title}</h2>
          <p class="soft">{lead}</p>
        </div>
      </header>
      {isFixed && <Notice kind="hint">{t.addressOfEnvironment}</Notice>}
      {isFixed ? <Environment settings={[setting]} /> : children}
    </section>
  );
}

interface OfDeskProps {
  found: Versioned<Addresses>;
  reload: () => Promise<void>;
}

/** Only the address that this browser has reached the desk at: no one can lock themselves out with it. */
function BaseUrl({ found, reload }: OfDeskProps) {
  const saving = useSubmission();
  const { base_url: stored } = found.data;
  const here = location.origin;
  async function set(address: string | null): Promise<void> {
    const body = { base_url: address };
    if ((await saving.send(() => ask('PATCH', '/desk', body, { 'If-Match': found.etag }))) === null) return;
    announce(t.changesSaved);
    await reload();
  }
  return (
    <>
      <p>{stored === null ? t.baseUrlNone : <bdi>{stored}</bdi>}</p>
      {stored !== null && stored !== here && <p class="soft">{t.baseUrlOther(here)}</p>}
      {stored !== here && here.startsWith('https:') && <p class="soft">{t.baseUrlSecure}</p>}
      <SubmissionNotice submission={saving} />
      <div class="section-actions">
        {stored !== here && (
          <Button isBusy={saving.isBusy.value} onClick={() => void set(here)}>
            {t.useThisAddress(here)}
          </Button>
        )}
        {stored !== null && (
          <Button isBusy={saving.isBusy.value} onClick={() => void set(null)}>
            {t.remove}
          </Button>
        )}
      </div>
      <EqualCommand words={['helpdesk', 'desk', 'update', '--base-url', here]} />
    </>
  );
}

interface Values {
  inbound_domain: string;
}

const valuesOf = ({ inbound_domain: domain }: Addresses): Values => ({ inbound_domain: domain ?? '' });

const dnsTexts: Readonly<Record<`domain_${DomainFault}`, () => string>> = {
  domain_takes_no_mail: () => t.domainTakesNone,
  domain_dns_silent: () => t.domainSilent,
  domain_no_mail_server: () => t.domainWithoutServer,
};

function problemsIn({ code, fields }: Refusal): Record<string, string> {
  if (fields.inbound_domain === undefined) return {};
  const said = Object.hasOwn(dnsTexts, code) ? dnsTexts[code as keyof typeof dnsTexts]() : null;
  return { inbound_domain: said === null ? t.domainRefused : `${t.domainFails} ${said}` };
}

function InboundDomain({ found, reload }: OfDeskProps) {
  return (
    <SectionForm<Values, Addresses>
      label={t.inboundDomain}
      name="inbound-domain"
      {...{ found, reload, valuesOf, problemsIn }}
      names={{ inbound_domain: t.inboundDomain }}
      put={({ inbound_domain: domain }, etag) =>
        ask('PATCH', '/desk', { inbound_domain: domain.trim() || null }, { 'If-Match': etag })
      }
      said={() => t.changesSaved}
      readOnly={null}
    >
      {(form) => (
        <>
          <TextField
            label={t.inboundDomain}
            hint={t.inboundDomainHint}
            isCode
            maxLength={253}
            {...form.field('inbound_domain')}
          />
          {form.isChanged && (
            <EqualCommand
              words={[
                ...['helpdesk', 'desk', 'update', '--inbound-domain'],
                form.values.inbound_domain.trim().toLowerCase() || 'none',
              ]}
            />
          )}
        </>
      )}
    </SectionForm>
  );
}
