// The issuer at which people can sign in: set here, or where the desk is started, which counts first.

import { useSignal } from '@preact/signals';
import type { EnvironmentSetting, IssuerTrial } from '../../../../http/wire/system.ts';
import type { Refusal } from '../../../shared/api.ts';
import { Button } from '../../../shared/button.tsx';
import { PasswordField, TextField } from '../../../shared/field.tsx';
import { announce, Notice, SubmissionNotice } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useSubmission } from '../../../shared/submission.ts';
import { useFetched } from '../../shell/fetched.ts';
import { Refused } from '../../shell/refused.tsx';
import { copyLine, EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import type { Versioned } from '../live-data.ts';
import { RemoveButton } from '../remove-button.tsx';
import { SectionForm } from '../section-form.tsx';
import { Environment } from './environment.tsx';
import { t } from './messages.ts';

export interface WithIssuer {
  issuer: {
    issuer: string;
    client_id: string;
    has_client_secret: boolean;
    label: string | null;
    domains: string[];
    role_claim: string | null;
  } | null;
}

interface PartProps {
  found: Versioned<WithIssuer>;
  reload: () => Promise<void>;
}

export function IssuerPart({ found, reload }: PartProps) {
  const { data, refusal, reload: again } = useFetched<{ data: EnvironmentSetting[] }>('/system/settings');
  const settings = data.value?.data.filter(({ name }) => /^HELPDESK_(?:OIDC_|PASSWORD_SIGN_IN)/.test(name));
  const isFixed = settings?.some(({ name, value }) => name === 'HELPDESK_OIDC_ISSUER' && value !== '') ?? false;
  if (settings === undefined)
    return refusal.value === null ? null : <Refused refusal={refusal.value} onRetry={again} />;
  return (
    <section class="part" aria-labelledby="issuer">
      <header class="section-head">
        <div>
          <h2 id="issuer">{t.issuerSignIn}</h2>
          <p class="soft">{isFixed ? t.issuerOn : t.issuerLead}</p>
        </div>
        <div class="section-actions">
          {!isFixed && found.data.issuer !== null && (
            <RemoveButton
              action={t.remove}
              title={t.removeIssuerTitle}
              text={t.removeIssuerText}
              send={() => ask('PATCH', '/desk', { issuer: null }, { 'If-Match': found.etag })}
              onDone={() => {
                announce(t.issuerGone);
                void reload();
              }}
            />
          )}
        </div>
      </header>
      {(isFixed || found.data.issuer !== null) && <TestIssuer />}
      {isFixed ? (
        <>
          <Environment settings={settings} />
          <EqualCommand words={['helpdesk', 'config']} />
        </>
      ) : (
        <IssuerForm {...{ found, reload }} />
      )}
    </section>
  );
}

function TestIssuer() {
  const testing = useSubmission();
  const trial = useSignal<IssuerTrial | null>(null);
  async function test(): Promise<void> {
    const tried = await testing.send(() => ask<{ data: IssuerTrial }>('POST', '/desk/issuer/test'));
    trial.value = tried?.data ?? null;
  }
  return (
    <>
      <div>
        <Button isBusy={testing.isBusy.value} onClick={() => void test()}>
          {t.testIssuer}
        </Button>
      </div>
      <SubmissionNotice submission={testing} />
      <div role="status">
        {trial.value !== null && (
          <Notice kind={trial.value.is_working ? 'done' : 'problem'}>
            <p>{trial.value.is_working ? t.issuerWorks : t.issuerFails}</p>
            {trial.value.message !== null && (
              <p>
                <bdi lang="en">{trial.value.message}</bdi>
              </p>
            )}
          </Notice>
        )}
      </div>
    </>
  );
}

interface Values {
  issuer: string;
  client_id: string;
  client_secret: string;
  label: string;
  domains: string;
  role_claim: string;
}

function valuesOf({ issuer }: WithIssuer): Values {
  return {
    issuer: issuer?.issuer ?? '',
    client_id: issuer?.client_id ?? '',
    client_secret: '',
    label: issuer?.label ?? '',
    domains: issuer?.domains.join(', ') ?? '',
    role_claim: issuer?.role_claim ?? '',
  };
}

const bodyOf = ({ issuer, client_id, client_secret, label, domains, role_claim }: Values) => ({
  ...{ issuer: issuer.trim(), client_id: client_id.trim() },
  ...(client_secret === '' ? {} : { client_secret }),
  ...{ label: label.trim() || null, role_claim: role_claim.trim() || null },
  domains: domains.split(/[\s,;]+/).filter(Boolean),
});

/** The command that sets the same. */
function commandOf(values: Values): string[] {
  const { issuer, client_id: client, label, domains, role_claim: claim } = bodyOf(values);
  return [
    ...['helpdesk', 'desk', 'issuer', '--issuer', issuer || 'https://login.example.org'],
    ...['--client-id', client || 'helpdesk'],
    ...(label === null ? [] : ['--label', label]),
    ...(domains.length === 0 ? [] : ['--domains', domains.join()]),
    ...(claim === null ? [] : ['--role-claim', claim]),
    ...(values.client_secret === '' ? [] : ['<', 'secret']),
  ];
}

const missingIn = (values: Values) =>
  Object.fromEntries(
    (['issuer', 'client_id'] as const)
      .filter((name) => values[name].trim() === '')
      .map((name) => [name, t.required] as [string, string]),
  );

function problemsIn({ fields }: Refusal): Record<string, string> {
  const entries = Object.entries(fields).map(([path, [said = '']]) => {
    const [, name = ''] = path.split('.');
    if (name === 'client_secret') return [name, t.secretAgain];
    if (name !== 'issuer') return [name, said];
    const tried = said.split(' field is refused: ')[1];
    return [name, tried === undefined ? t.issuerRefused : `${t.issuerFails} ${tried}`];
  });
  return Object.fromEntries(entries);
}

// The console is always at the address of the desk.
const redirectUri = () => `${location.origin}/api/v1/auth/oidc/callback`;

function IssuerForm({ found, reload }: PartProps) {
  const stored = found.data.issuer;
  return (
    <>
      <p>{t.issuerRedirect}</p>
      <div class="copy-line">
        <code>{redirectUri()}</code>
        <Button kind="quiet" label={t.copyAddress} onClick={() => void copyLine(redirectUri(), t.addressCopied)}>
          {t.copyShort}
        </Button>
      </div>
      <SectionForm<Values, WithIssuer>
        label={t.issuerSignIn}
        name="issuer"
        {...{ found, reload, valuesOf, problemsIn }}
        names={{
          ...{ issuer: t.issuer, client_id: t.clientId, label: t.issuerLabel, domains: t.issuerDomains },
          role_claim: t.issuerRole,
        }}
        secrets={['client_secret']}
        fields="all"
        check={missingIn}
        put={(values, etag) => ask('PATCH', '/desk', { issuer: bodyOf(values) }, { 'If-Match': etag })}
        said={() => t.changesSaved}
        isUndoable={(before, sent) =>
          stored !== null &&
          sent.client_secret === '' &&
          before.issuer === sent.issuer &&
          before.client_id === sent.client_id
        }
        readOnly={null}
      >
        {(form) => (
          <>
            <div class="choices two">
              <TextField label={t.issuer} type="url" isRequired hint={t.issuerHint} {...form.field('issuer')} />
              <TextField label={t.clientId} isRequired maxLength={500} {...form.field('client_id')} />
              <PasswordField
                label={t.clientSecret}
                autocomplete="off"
                maxLength={1000}
                hint={stored?.has_client_secret ? t.keepSecretHint : undefined}
                {...form.field('client_secret')}
              />
              <TextField label={t.issuerLabel} hint={t.issuerLabelHint} maxLength={60} {...form.field('label')} />
              <TextField label={t.issuerDomains} hint={t.issuerDomainsHint} isCode {...form.field('domains')} />
              <TextField label={t.issuerRole} hint={t.issuerRoleHint} isCode {...form.field('role_claim')} />
            </div>
            <p class="soft">{t.issuerTried}</p>
            <EqualCommand words={commandOf(form.values)} />
          </>
        )}
      </SectionForm>
      <LastChange siteId={null} actions={['desk.updated']} targetId={null} fields={['issuer']} version={found.etag} />
    </>
  );
}
