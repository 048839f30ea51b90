// The fields of a mailbox: whose it is, where it is, and what the desk does there.

import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { afterFilings, type MailProvider, mailProviders, tlsModes } from '../../../../domain/mail/mailbox.ts';
import { ChoiceField, PasswordField, SwitchField, TextField } from '../../../shared/field.tsx';
import type { FormState } from '../../../shared/submission.ts';
import { t } from '../messages.ts';
import { type MailboxValues, moved, readdressed } from './values.ts';

export const providerTexts: Readonly<Record<MailProvider, () => string>> = {
  google: () => 'Google',
  microsoft: () => 'Microsoft 365',
  other: () => t.otherProvider,
};

interface MailboxFieldsProps {
  form: FormState<MailboxValues>;
  isNew: boolean;
  /** What OAuth lacks, if it was chosen. */
  obstacle: ComponentChildren;
}

export function MailboxFields({ form, isNew, obstacle }: MailboxFieldsProps) {
  return (
    <>
      <div class="choices">
        <TextField
          label={t.mailboxAddress}
          type="email"
          isRequired
          isFirst={isNew}
          maxLength={320}
          {...form.field('address')}
          onValue={(address) => {
            form.forget('address');
            form.change(isNew ? readdressed(form.values, address) : { address });
          }}
        />
        <TextField label={t.name} hint={t.mailboxNameHint} maxLength={255} {...form.field('name')} />
      </div>
      <ProviderChoice form={form} />
      <Authentication form={form} isNew={isNew} />
      {obstacle}
      <Reading form={form} isNew={isNew} />
      <Sending form={form} />
    </>
  );
}

function ProviderChoice({ form }: { form: FormState<MailboxValues> }) {
  const name = useId();
  const hints = { google: t.googleHint, microsoft: t.microsoftHint, other: t.otherProviderHint };
  return (
    <fieldset class="cards">
      <legend>{t.mailboxProvider}</legend>
      {mailProviders.map((provider) => (
        <label key={provider}>
          <input
            type="radio"
            name={name}
            checked={form.values.provider === provider}
            onChange={() => form.change(moved(form.values, provider))}
          />
          <span>
            <strong>{providerTexts[provider]()}</strong>
            <span class="soft">{hints[provider]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function Authentication({ form, isNew }: { form: FormState<MailboxValues>; isNew: boolean }) {
  const { provider, authentication, sends } = form.values;
  const isPassword = authentication === 'password';
  const hint = !isPassword
    ? t.oauthHint
    : provider === 'google'
      ? t.appPasswordHint
      : provider === 'microsoft'
        ? t.microsoftPasswordHint
        : undefined;
  return (
    <div class="choices">
      <ChoiceField
        label={t.mailboxSignIn}
        hint={hint}
        options={[
          { value: 'password', text: t.byPassword },
          { value: 'oauth', text: t.byConsent },
        ]}
        {...form.field('authentication')}
      />
      {isPassword && (
        <PasswordField
          label={t.password}
          autocomplete="off"
          isRequired={isNew}
          maxLength={1000}
          hint={isNew ? undefined : t.keepPasswordHint}
          {...form.field('password')}
        />
      )}
      {isPassword && sends && (
        <PasswordField
          label={t.sendingPassword}
          autocomplete="off"
          maxLength={1000}
          hint={t.sendingPasswordHint}
          {...form.field('outgoing_password')}
        />
      )}
    </div>
  );
}

interface PartProps {
  form: FormState<MailboxValues>;
}

function Reading({ form, isNew }: PartProps & { isNew: boolean }) {
  const { values } = form;
  const after = { leave: t.afterLeave, mark_read: t.afterMarkRead, move: t.afterMove };
  return (
    <fieldset class="form-part">
      <legend class="hidden">{t.reading}</legend>
      <SwitchField label={t.readsMail} hint={t.readsMailHint} {...form.field('reads')} />
      {values.reads && (
        <>
          <Server form={form} kind="imap" />
          <div class="choices">
            <TextField label={t.folder} maxLength={255} {...form.field('folder')} />
            <ChoiceField
              label={t.afterFiling}
              hint={values.after_filing === 'leave' ? t.afterLeaveHint : undefined}
              options={afterFilings.map((value) => ({ value, text: after[value] }))}
              {...form.field('after_filing')}
            />
            {values.after_filing === 'move' && (
              <TextField label={t.moveTo} isRequired maxLength={255} {...form.field('move_to')} />
            )}
            {isNew && (
              <TextField
                label={t.firstDays}
                type="number"
                hint={values.first_days.trim() === '' ? t.fromNowOnHint : t.firstDaysHint}
                {...form.field('first_days')}
              />
            )}
          </div>
        </>
      )}
    </fieldset>
  );
}

function Sending({ form }: PartProps) {
  const { sends, reads, save_sent: saves } = form.values;
  return (
    <fieldset class="form-part">
      <legend class="hidden">{t.sending}</legend>
      <SwitchField
        label={t.sendsMail}
        hint={sends ? t.sendsMailHint : t.sendsElsewhereHint}
        value={sends}
        onValue={(now) => form.change({ sends: now })}
      />
      {sends && <Server form={form} kind="smtp" />}
      {sends && reads && (
        <SwitchField
          label={t.saveSent}
          hint={t.saveSentHint}
          value={saves}
          onValue={(now) => form.change({ save_sent: now })}
        />
      )}
    </fieldset>
  );
}

/** Closed where the provider's servers are known, unless one of its fields is wrong. A test that fails offers the fingerprint. */
function Server({ form, kind }: PartProps & { kind: 'imap' | 'smtp' }) {
  const host = form.values[`${kind}_host`];
  const isKnown = form.values.provider !== 'other';
  const isWrong = Object.keys(form.problems.value).some((name) => name.startsWith(`${kind}_`));
  const isPinned = form.values[`${kind}_sha256`] !== '' || form.problems.value[`${kind}_sha256`] !== undefined;
  const tls = { implicit: 'TLS', starttls: 'STARTTLS', none: t.tlsNone };
  return (
    <details class="server" open={!isKnown || isWrong}>
      <summary>
        {kind === 'imap' ? t.imapServer : t.smtpServer}
        {host !== '' && (
          <code>
            {host}:{form.values[`${kind}_port`]}
          </code>
        )}
      </summary>
      <div class="choices">
        <TextField label={t.serverHost} maxLength={253} {...form.field(`${kind}_host`)} />
        <TextField label={t.serverPort} type="number" {...form.field(`${kind}_port`)} />
        <ChoiceField
          label={t.serverTls}
          options={tlsModes.map((value) => ({ value, text: tls[value] }))}
          {...form.field(`${kind}_tls`)}
          onValue={(value) => {
            form.field(`${kind}_tls`).onValue(value);
            const usual = usualPorts[kind][value];
            const isUsual = Object.values<string>(usualPorts[kind]).includes(form.values[`${kind}_port`]);
            if (isUsual) form.change({ [`${kind}_port`]: usual });
          }}
        />
        <TextField label={t.serverUser} maxLength={320} {...form.field(`${kind}_user`)} />
        {isPinned && (
          <TextField label={t.fingerprint} hint={t.fingerprintHint} isCode {...form.field(`${kind}_sha256`)} />
        )}
      </div>
    </details>
  );
}

const usualPorts = {
  imap: { implicit: '993', starttls: '143', none: '143' },
  smtp: { implicit: '465', starttls: '587', none: '25' },
} as const;
