// Where the desk is registered for OAuth: Google, Microsoft and one other provider. Owners register it, once for the desk.

import { type MailProvider, mailProviders } from '../../../../domain/mail/mailbox.ts';
import type { Answer, Refusal } from '../../../shared/api.ts';
import { Button, Submit } from '../../../shared/button.tsx';
import { now } from '../../../shared/clock.ts';
import { PasswordField, TextField } from '../../../shared/field.tsx';
import { Form } from '../../../shared/form.tsx';
import { day } from '../../../shared/format.ts';
import { Icon } from '../../../shared/icons.tsx';
import { announce, Notice, SubmissionNotice } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { go, Link } from '../../route.ts';
import { can } from '../../session.ts';
import { NotFoundNote } from '../../shell/not-found.tsx';
import { useEdited } from '../edited.ts';
import { copyLine, EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { providerTexts } from '../mailboxes/mailbox-fields.tsx';
import type { MailApp } from '../mailboxes/wire.ts';
import { t } from '../messages.ts';
import { RemoveButton } from '../remove-button.tsx';
import { SectionHead } from '../section-head.tsx';
import { type DeskSectionProps, settingsPath } from '../settings-route.ts';
import { Unsaved } from '../unsaved.tsx';

export function MailAppsSection({ id }: DeskSectionProps) {
  const { shown, refusal, reload } = useLiveData<MailApp[]>('/mail-apps');
  const apps = shown.value?.data ?? null;
  const provider = mailProviders.find((one) => one === id);
  if (id !== null && provider === undefined)
    return (
      <>
        <SectionHead title={t.notFound} />
        <NotFoundNote />
      </>
    );
  return (
    <>
      <SectionHead
        title={provider === undefined ? t.mailApps : providerTexts[provider]()}
        lead={provider === undefined ? t.mailAppsLead : t.mailAppLead}
      />
      <Loading of={{ shown, refusal, reload }} />
      {apps !== null && !can('own') && <Notice kind="hint">{t.onlyOwnersChange}</Notice>}
      {apps !== null && provider === undefined && <Apps apps={apps} />}
      {apps !== null && provider !== undefined && (
        <EditApp
          key={provider}
          provider={provider}
          app={apps.find((one) => one.provider === provider) ?? null}
          onDone={() => {
            void reload();
            go(settingsPath('mail-apps'));
          }}
        />
      )}
    </>
  );
}

const dayMs = 86_400_000;
const warnedDays = 30;

/** The days that are left of the app's secret, from a month before its end. */
function SecretEnd({ app }: { app: MailApp }) {
  if (app.secret_expires_at === null) return null;
  const days = Math.ceil((Date.parse(app.secret_expires_at) - now()) / dayMs);
  const text = days <= 0 ? t.secretEnded : days === 1 ? t.secretEndsTomorrow : t.secretEnds(String(days));
  const isSoon = days <= warnedDays;
  return (
    <span class={isSoon ? `mailbox-state ${days <= 7 ? 'bad' : 'warning'}` : 'soft'}>
      {isSoon && <Icon name="warning" />}
      {isSoon ? text : t.secretEndsOn(day(app.secret_expires_at))}
    </span>
  );
}

function Apps({ apps }: { apps: readonly MailApp[] }) {
  return (
    <>
      <ul class="panel mailboxes" aria-label={t.mailApps}>
        {mailProviders.map((provider) => {
          const app = apps.find((one) => one.provider === provider);
          return (
            <li key={provider}>
              <Icon name="key" />
              <div class="mailbox-name">
                <Link href={settingsPath('mail-apps', provider)} class="row-link">
                  {providerTexts[provider]()}
                </Link>
                {app !== undefined && (
                  <p class="soft" title={app.client_id}>
                    <bdi>{app.client_id}</bdi>
                  </p>
                )}
              </div>
              <div class="mailbox-health">
                {app === undefined ? (
                  <span class="mailbox-state soft">{t.notRegistered}</span>
                ) : (
                  <span class="mailbox-state good">
                    <Icon name="done" />
                    {t.registered}
                  </span>
                )}
                {app !== undefined && <SecretEnd app={app} />}
              </div>
            </li>
          );
        })}
      </ul>
      <LastChange
        siteId={null}
        actions={['mail_app.updated', 'mail_app.deleted']}
        targetId={null}
        version={JSON.stringify(apps).length.toString()}
      />
      <EqualCommand words={['helpdesk', 'mailbox', 'apps']} />
    </>
  );
}

const microsoftBefore = 'https://login.microsoftonline.com/';

interface AppValues {
  client_id: string;
  client_secret: string;
  /** Of Microsoft only the tenant. */
  issuer: string;
  scope: string;
  secret_expires_at: string;
}

function valuesOf(provider: MailProvider, app: MailApp | null): AppValues {
  const issuer = app?.issuer ?? '';
  return {
    client_id: app?.client_id ?? '',
    client_secret: '',
    issuer: provider === 'microsoft' ? issuer.replace(microsoftBefore, '').replace('/v2.0', '') : issuer,
    scope: app?.scope ?? '',
    secret_expires_at: app?.secret_expires_at?.slice(0, 10) ?? '',
  };
}

/** What is asked for at the provider; a left out secret stays as it is. */
function bodyOf(provider: MailProvider, values: AppValues): Record<string, string | null> {
  const issuer = values.issuer.trim();
  return {
    client_id: values.client_id.trim(),
    ...(values.client_secret === '' ? {} : { client_secret: values.client_secret }),
    ...(provider === 'microsoft' ? { issuer: `${microsoftBefore}${issuer}/v2.0` } : {}),
    ...(provider === 'other' ? { issuer, scope: values.scope.trim() } : {}),
    secret_expires_at: values.secret_expires_at === '' ? null : `${values.secret_expires_at}T00:00:00Z`,
  };
}

function problemsIn({ fields }: Refusal): Record<string, string> {
  const own: Record<string, string> = { client_secret: t.secretAgain, issuer: t.issuerRefused };
  return Object.fromEntries(Object.entries(fields).map(([name, said]) => [name, own[name] ?? said.join(' ')]));
}

interface EditProps {
  provider: MailProvider;
  app: MailApp | null;
  onDone: () => void;
}

function EditApp({ provider, app, onDone }: EditProps) {
  const newest = { etag: JSON.stringify(app), data: valuesOf(provider, app) };
  const form = useEdited(`mail-app.${provider}`, newest, ['client_secret'], problemsIn);
  const { values } = form;
  const isOwner = can('own');

  async function save(): Promise<void> {
    const needed = [
      'client_id',
      ...(provider === 'google' ? [] : ['issuer']),
      ...(provider === 'other' ? ['scope'] : []),
    ];
    const missing = needed.filter((name) => values[name as keyof AppValues].trim() === '');
    if (missing.length > 0) return form.refuse(Object.fromEntries(missing.map((name) => [name, t.required])));
    const saved = await form.send(() => ask('PUT', `/mail-apps/${provider}`, bodyOf(provider, values)));
    if (saved === null) return;
    announce(t.changesSaved);
    onDone();
  }
  /** Refused while mailboxes use it: in words, where it was asked. */
  async function remove(): Promise<Answer<unknown>> {
    const answer = await ask('DELETE', `/mail-apps/${provider}`);
    if (answer.isOk || answer.refusal.code !== 'in_use') return answer;
    return {
      isOk: false,
      refusal: { ...answer.refusal, code: 'validation_failed', fields: { provider: [t.mailAppInUse] } },
    };
  }

  return (
    <>
      <Guide provider={provider} />
      <div class="panel">
        <Form submission={form} label={providerTexts[provider]()} onSubmit={() => void save()}>
          <fieldset class="bare" disabled={!isOwner}>
            <SubmissionNotice
              submission={form}
              fields={['client_id', 'client_secret', 'issuer', 'scope', 'secret_expires_at']}
            />
            <Unsaved
              form={form}
              names={{
                ...{ client_id: t.clientId, issuer: provider === 'microsoft' ? t.tenant : t.issuer, scope: t.scope },
                secret_expires_at: t.secretExpiresAt,
              }}
            />
            <div class="choices two">
              {provider === 'microsoft' && <TextField label={t.tenant} isRequired isCode {...form.field('issuer')} />}
              {provider === 'other' && (
                <TextField label={t.issuer} type="url" isRequired hint={t.issuerHint} {...form.field('issuer')} />
              )}
              <TextField label={t.clientId} isRequired maxLength={500} {...form.field('client_id')} />
              <PasswordField
                label={t.clientSecret}
                maxLength={1000}
                hint={app?.has_client_secret ? t.keepSecretHint : undefined}
                {...form.field('client_secret')}
              />
              {provider === 'other' && (
                <TextField label={t.scope} isRequired hint={t.scopeHint} {...form.field('scope')} />
              )}
              <TextField
                label={t.secretExpiresAt}
                type="date"
                hint={t.secretExpiresHint}
                {...form.field('secret_expires_at')}
              />
            </div>
          </fieldset>
          {isOwner && (
            <div class="panel-actions">
              {form.isChanged && (
                <>
                  <span class="unsaved soft" role="status">
                    {t.unsavedChanges}
                  </span>
                  <Button onClick={() => form.discard()}>{t.discardChanges}</Button>
                </>
              )}
              {app !== null && (
                <RemoveButton
                  title={t.removeMailAppTitle(providerTexts[provider]())}
                  text={t.removeMailAppText}
                  action={t.removeMailApp}
                  send={remove}
                  onDone={() => {
                    announce(t.mailAppRemoved(providerTexts[provider]()));
                    onDone();
                  }}
                />
              )}
              <Submit submission={form}>{t.save}</Submit>
            </div>
          )}
        </Form>
      </div>
      <EqualCommand
        words={[
          ...['helpdesk', 'mailbox', 'app', provider, '--client-id', values.client_id.trim() || 'ID'],
          ...(provider === 'google' ? [] : ['--issuer', String(bodyOf(provider, values).issuer)]),
          ...(provider === 'other' ? ['--scope', values.scope.trim()] : []),
          ...(values.secret_expires_at === '' ? [] : ['--secret-expires-at', `${values.secret_expires_at}T00:00:00Z`]),
          ...['<', 'secret'],
        ]}
      />
    </>
  );
}

// The console is always at the address of the desk.
const redirectUri = () => `${location.origin}/api/v1/mailbox-consents/return`;

interface Step {
  /** As the provider names it in English. */
  place?: string;
  scopes?: readonly string[];
  text?: () => string;
}

const guides: Readonly<Record<MailProvider, { open: { href: string; name: string } | null; steps: readonly Step[] }>> =
  {
    google: {
      open: { href: 'https://console.cloud.google.com', name: 'Google Cloud console' },
      steps: [
        { place: 'APIs & Services → Library → Gmail API → Enable' },
        { place: 'OAuth consent screen → Internal', scopes: ['https://mail.google.com/'] },
        {
          place: 'Credentials → Create credentials → OAuth client ID → Web application',
          text: () => t.guideRedirect,
        },
      ],
    },
    microsoft: {
      open: { href: 'https://entra.microsoft.com', name: 'Microsoft Entra admin center' },
      steps: [
        { place: 'Applications → App registrations → New registration', text: () => t.guideRedirect },
        {
          place: 'API permissions → Grant admin consent',
          scopes: ['IMAP.AccessAsUser.All', 'SMTP.Send', 'offline_access'],
        },
        { place: 'Certificates & secrets → New client secret', text: () => t.guideSecret },
      ],
    },
    other: { open: null, steps: [{ text: () => t.guideOther }, { text: () => t.guideRedirect }] },
  };

/** What to do at the provider. */
function Guide({ provider }: { provider: MailProvider }) {
  const { open, steps } = guides[provider];
  return (
    <div class="panel guide">
      {open !== null && (
        <p>
          {t.guideOpen}{' '}
          <a href={open.href} target="_blank" rel="noopener noreferrer">
            {open.name}
          </a>
        </p>
      )}
      <ol>
        {steps.map(({ place, scopes = [], text }, at) => (
          <li key={at}>
            {place !== undefined && <em lang="en">{place}</em>}
            {scopes.map((scope) => (
              <>
                {' '}
                <code>{scope}</code>
              </>
            ))}
            {text !== undefined && (place === undefined ? text() : `. ${text()}`)}
          </li>
        ))}
      </ol>
      <div class="copy-line">
        <code>{redirectUri()}</code>
        <Button kind="quiet" label={t.copyAddress} onClick={() => void copyLine(redirectUri(), t.addressCopied)}>
          {t.copyShort}
        </Button>
      </div>
    </div>
  );
}
