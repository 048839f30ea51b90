// The first step of signing in, with the ways that this desk offers.

import { useSignal } from '@preact/signals';
import { useContext } from 'preact/hooks';
import { call } from '../shared/api.ts';
import { Button, ButtonLink } from '../shared/button.tsx';
import { PasswordField, TextField } from '../shared/field.tsx';
import { Form } from '../shared/form.tsx';
import { Notice, SubmissionNotice } from '../shared/notices.tsx';
import { t } from '../shared/sign-in-messages.ts';
import { useSubmission } from '../shared/submission.ts';
import type { SignInOptions } from '../shared/wire.ts';
import { Again } from './again.ts';
import { Frame } from './frame.tsx';
import { issuerProblem } from './issuer-problem.ts';
import { missing } from './missing.ts';
import { PasskeyButton } from './passkey-button.tsx';

interface FirstStepProps {
  options: SignInOptions;
  note: string | null;
  onAnswer: (answer: object) => void;
}

export function FirstStep({ options, note, onAnswer }: FirstStepProps) {
  const { name, password, oidc, passkeys, setup } = options;
  const problem = issuerProblem(
    useContext(Again) === null ? new URLSearchParams(location.search).get('error') : null,
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
  const isInNewTab = useContext(Again) !== null;
  const returnTo = isInNewTab ? null : new URLSearchParams(location.search).get('return_to');
  const query = returnTo === null ? '' : `?return_to=${encodeURIComponent(returnTo)}`;
  return (
    <ButtonLink href={`/api/v1/auth/oidc${query}`} isWide isInNewTab={isInNewTab}>
      {label}
    </ButtonLink>
  );
}

function PasswordForm({ onAnswer }: Pick<FirstStepProps, 'onAnswer'>) {
  const submission = useSubmission();
  const again = useContext(Again);
  const email = useSignal(again?.email ?? '');
  const password = useSignal('');
  const problems = submission.problems.value;

  async function send(): Promise<void> {
    const found = missing({ email: email.value });
    if (password.value === '') found.password = t.required;
    if (Object.keys(found).length > 0) return submission.refuse(found);
    const body = { email: email.value.trim(), password: password.value };
    const answer = await submission.send(() => call<object>('POST', '/session', body));
    if (answer !== null) onAnswer(answer);
  }

  return (
    <Form submission={submission} onSubmit={() => void send()}>
      <SubmissionNotice submission={submission} fields={['email', 'password']} />
      <TextField
        label={t.email}
        name="email"
        type="email"
        autocomplete="username"
        isRequired
        isFirst={again === null}
        value={email.value}
        problem={problems.email}
        onValue={(value) => {
          email.value = value;
        }}
      />
      <PasswordField
        label={t.password}
        name="password"
        autocomplete="current-password"
        isRequired
        isFirst={again !== null}
        value={password.value}
        problem={problems.password}
        onValue={(value) => {
          password.value = value;
        }}
      />
      <Button
        type="submit"
        kind="primary"
        isWide
        isBusy={submission.isBusy.value}
        isDisabled={submission.waitSeconds.value > 0}
      >
        {t.signIn}
      </Button>
      <p class="after">
        <a href="/reset" target={again === null ? undefined : '_blank'} rel="noopener">
          {t.forgotPassword}
        </a>
      </p>
    </Form>
  );
}
