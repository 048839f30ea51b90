// The first step of signing in, with the ways that this desk offers.

import { useContext } from 'preact/hooks';
import { type Answer, call } from '../shared/api.ts';
import { ButtonLink, Submit } from '../shared/button.tsx';
import { PasswordField, TextField } from '../shared/field.tsx';
import { Form } from '../shared/form.tsx';
import { Notice, SubmissionNotice } from '../shared/notices.tsx';
import { t } from '../shared/sign-in-messages.ts';
import { useForm } from '../shared/submission.ts';
import type { SignInOptions } from '../shared/wire.ts';
import type { Challenge } from '../shared/work.ts';
import { Frame } from './frame.tsx';
import { missing } from './missing.ts';
import { OverPage } from './over-page.ts';
import { PasskeyButton } from './passkey-button.tsx';

interface FirstStepProps {
  options: SignInOptions;
  note: string | null;
  onAnswer: (answer: object) => void;
}

export function FirstStep({ options, note, onAnswer }: FirstStepProps) {
  const { name, password, oidc, passkeys, setup } = options;
  const problem = issuerProblem(
    useContext(OverPage) === null ? new URLSearchParams(location.search).get('error') : null,
    oidc?.label ?? '',
  );
  const others = (
    <>
      {oidc !== null && (oidc.is_available ? <IssuerButton label={oidc.label} /> : <IssuerDown label={oidc.label} />)}
      {passkeys && <PasskeyButton onAnswer={onAnswer} />}
    </>
  );
  return (
    <Frame title={t.signInTo(name)}>
      {problem !== null && (
        <div role="alert">
          <Notice kind="problem">{problem}</Notice>
        </div>
      )}
      {note !== null && (
        <div role="alert">
          <Notice kind="hint">{note}</Notice>
        </div>
      )}
      {setup && <Notice kind="hint">{t.deskIsNew}</Notice>}
      {password && <PasswordForm onAnswer={onAnswer} />}
      {password && (oidc !== null || passkeys) && <p class="or">{t.or}</p>}
      {others}
      {!password && oidc === null && !passkeys && <Notice kind="hint">{t.noWayIn}</Notice>}
    </Frame>
  );
}

function IssuerDown({ label }: { label: string }) {
  return <Notice kind="hint">{t.issuerDown(label)}</Notice>;
}

/** The desk adds `?error=` when the organisation's sign-in failed. */
function IssuerButton({ label }: { label: string }) {
  const isInNewTab = useContext(OverPage) !== null;
  const returnTo = isInNewTab ? null : new URLSearchParams(location.search).get('return_to');
  const query = returnTo === null ? '' : `?return_to=${encodeURIComponent(returnTo)}`;
  return (
    <ButtonLink href={`/api/v1/auth/oidc${query}`} isWide isInNewTab={isInNewTab}>
      {label}
    </ButtonLink>
  );
}

function PasswordForm({ onAnswer }: Pick<FirstStepProps, 'onAnswer'>) {
  const again = useContext(OverPage);
  const form = useForm({ email: again?.email ?? '', password: '' });

  async function send(): Promise<void> {
    const found = missing({ email: form.values.email });
    if (form.values.password === '') found.password = t.required;
    if (Object.keys(found).length > 0) return form.refuse(found);
    const body = { email: form.values.email.trim(), password: form.values.password };
    const answer = await form.send(() => signIn(body));
    if (answer !== null) onAnswer(answer);
  }

  return (
    <Form submission={form} onSubmit={() => void send()}>
      <SubmissionNotice submission={form} fields={['email', 'password']} />
      <TextField
        label={t.email}
        type="email"
        autocomplete="username"
        isRequired
        isFirst={again === null}
        {...form.field('email')}
      />
      <PasswordField
        label={t.password}
        autocomplete="current-password"
        isRequired
        isFirst={again !== null}
        {...form.field('password')}
      />
      <Submit submission={form} isWide>
        {t.signIn}
      </Submit>
      <p class="after">
        <a href="/reset" target={again === null ? undefined : '_blank'} rel="noopener">
          {t.forgotPassword}
        </a>
      </p>
    </Form>
  );
}

interface Credentials {
  email: string;
  password: string;
}

/** While strangers guess at this address, the browser works for its try, so that they do not keep it out. */
async function signIn(body: Credentials): Promise<Answer<object>> {
  const answer = await call<object>('POST', '/session', body);
  if (answer.isOk || answer.refusal.code !== 'proof_wanted') return answer;
  const { email } = body;
  const asked = await call<{ data: Challenge }>('POST', '/sign-in/challenge', { email });
  if (!asked.isOk) return asked;
  const { solve } = await import('../shared/work.ts');
  const proof = await solve(asked.data.data);
  return proof === null ? answer : await call<object>('POST', '/session', { ...body, proof });
}

// What went wrong at the organisation's own sign-in (docs/spec/people.md#openid-connect).

/** @param error of the address that the desk came back to */
function issuerProblem(error: string | null, label: string): string | null {
  switch (error) {
    case null:
      return null;
    case 'oidc_unavailable':
      return t.issuerDown(label);
    case 'oidc_denied':
      return t.issuerDenied(label);
    case 'oidc_unverified_email':
      return t.issuerUnverified(label);
    case 'oidc_unknown_agent':
      return t.issuerUnknown;
    case 'oidc_inactive_agent':
      return t.issuerInactive;
    case 'oidc_other_account':
      return t.issuerOther(label);
    case 'oidc_expired':
      return t.challengeExpired;
    default:
      return t.signInFailed;
  }
}
