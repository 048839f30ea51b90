// The server that takes the desk's own mail: set here, or where the desk is started, which counts first.

import { useSignal } from '@preact/signals';
import { tlsModes } from '../../../../domain/mail/mailbox.ts';
import type { EnvironmentSetting } from '../../../../http/wire/system.ts';
import { Button } from '../../../shared/button.tsx';
import { ChoiceField, PasswordField, TextField } from '../../../shared/field.tsx';
import { announce, Notice, SubmissionNotice } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useSubmission } from '../../../shared/submission.ts';
import { me } from '../../session.ts';
import { useFetched } from '../../shell/fetched.ts';
import { Refused } from '../../shell/refused.tsx';
import type { Edited } from '../edited.ts';
import { EqualCommand } from '../equal-command.tsx';
import { t as ofSteps } from '../first-steps/messages.ts';
import { LastChange } from '../last-change.tsx';
import { useLiveData } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { Trial } from '../mailboxes/trial.tsx';
import type { MailboxTrial } from '../mailboxes/wire.ts';
import { RemoveButton } from '../remove-button.tsx';
import { SectionForm } from '../section-form.tsx';
import { SectionHead } from '../section-head.tsx';
import { Environment } from './environment.tsx';
import {
  bodyOf,
  commandOf,
  type Desk,
  missingIn,
  needsPassword,
  problemsIn,
  type Values,
  valuesOf,
} from './mail-server-values.ts';
import { t } from './messages.ts';

export function MailServerSection() {
  const live = useLiveData<Desk>('/desk');
  const { data, refusal, reload } = useFetched<{ data: EnvironmentSetting[] }>('/system/settings');
  const found = live.shown.value;
  const fixed = data.value?.data.filter(({ name, value }) => name === 'HELPDESK_SMTP_URL' && value !== '') ?? null;
  const isFixed = fixed !== null && fixed.length > 0;
  return (
    <>
      <SectionHead title={t.mailServer} lead={t.mailServerLead}>
        {found !== null && found.data.mail_server !== null && (
          <RemoveButton
            action={t.remove}
            title={t.removeMailServerTitle}
            text={t.removeMailServerText}
            send={() => ask('PATCH', '/desk', { mail_server: null }, { 'If-Match': found.etag })}
            onDone={() => {
              announce(t.mailServerGone);
              void live.reload();
            }}
          />
        )}
      </SectionHead>
      <Loading of={live} />
      {fixed === null && refusal.value !== null && <Refused refusal={refusal.value} onRetry={reload} />}
      {(isFixed || (found !== null && found.data.mail_server !== null)) && <TestMailServer />}
      {isFixed && (
        <>
          <Notice kind="hint">{t.mailServerOfEnvironment}</Notice>
          <Environment settings={fixed} />
          <EqualCommand words={['HELPDESK_SMTP_URL=smtp://user:password@mail.example.org:587', 'helpdesk', 'serve']} />
        </>
      )}
      {found !== null && fixed !== null && !isFixed && (
        <>
          {found.data.mail_server === null && <p class="soft">{t.mailServerNone}</p>}
          <SectionForm<Values, Desk>
            label={t.mailServer}
            name="mail-server"
            {...{ found, valuesOf, problemsIn }}
            reload={live.reload}
            names={{
              ...{ address: t.mailServerAddress, host: t.serverHost, port: t.serverPort, tls: t.serverTls },
              ...{ user: t.serverUser, sha256: t.fingerprint },
            }}
            secrets={['password']}
            fields="all"
            check={missingIn}
            put={(values, etag) => ask('PATCH', '/desk', { mail_server: bodyOf(values) }, { 'If-Match': etag })}
            said={() => t.mailServerSaved}
            isUndoable={(before, sent) => sent.password === '' && !needsPassword(before, sent)}
            readOnly={null}
          >
            {(form) => (
              <>
                <Fields form={form} isStored={(found.data.mail_server?.user ?? null) !== null} />
                <EqualCommand words={commandOf(form.values)} />
              </>
            )}
          </SectionForm>
        </>
      )}
      {found !== null && (
        <LastChange
          siteId={null}
          actions={['desk.updated']}
          targetId={null}
          fields={['mail_server']}
          version={found.etag}
        />
      )}
    </>
  );
}

function TestMailServer() {
  const testing = useSubmission();
  const trial = useSignal<MailboxTrial | null>(null);
  async function test(): Promise<void> {
    const tried = await testing.send(() => ask<{ data: MailboxTrial }>('POST', '/desk/mail-server/test'));
    trial.value = tried?.data ?? null;
  }
  const sending = trial.value?.sending ?? null;
  return (
    <>
      <div>
        <Button isBusy={testing.isBusy.value} onClick={() => void test()}>
          {ofSteps.sendTestMail}
        </Button>
      </div>
      <SubmissionNotice submission={testing} />
      {sending?.is_ok ? (
        <div role="status">
          <Notice kind="done">{ofSteps.mailLeft(me.value?.email ?? '')}</Notice>
        </div>
      ) : (
        <Trial trial={trial.value} onTrust={null} />
      )}
    </>
  );
}

function Fields({ form, isStored }: { form: Edited<Values>; isStored: boolean }) {
  const tls = { implicit: 'TLS', starttls: 'STARTTLS', none: t.tlsNone };
  return (
    <>
      <TextField
        label={t.mailServerAddress}
        hint={t.mailServerAddressHint}
        type="email"
        isRequired
        maxLength={320}
        {...form.field('address')}
      />
      <div class="choices two">
        <TextField label={t.serverHost} isRequired maxLength={253} {...form.field('host')} />
        <TextField label={t.serverPort} type="number" isRequired {...form.field('port')} />
        <ChoiceField
          label={t.serverTls}
          options={tlsModes.map((value) => ({ value, text: tls[value] }))}
          {...form.field('tls')}
        />
        <TextField label={t.serverUser} hint={t.serverUserHint} maxLength={320} {...form.field('user')} />
        <PasswordField
          label={t.password}
          autocomplete="off"
          maxLength={1000}
          hint={isStored ? t.keepPasswordHint : undefined}
          {...form.field('password')}
        />
      </div>
      {(form.values.sha256 !== '' || form.problems.value.host !== undefined) && (
        <TextField label={t.fingerprint} hint={t.fingerprintHint} isCode {...form.field('sha256')} />
      )}
      <p class="soft">{t.mailServerTried}</p>
    </>
  );
}
