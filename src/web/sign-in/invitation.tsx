// An invited agent chooses a name and a password.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call } from '../shared/api.ts';
import { Button } from '../shared/button.tsx';
import { TextField } from '../shared/field.tsx';
import { Form } from '../shared/form.tsx';
import { SubmissionNotice } from '../shared/notices.tsx';
import { passwordProblem } from '../shared/password-rules.ts';
import { t } from '../shared/sign-in-messages.ts';
import { useSubmission } from '../shared/submission.ts';
import type { InvitationAnswer } from '../shared/wire.ts';
import { DeadLink, isDead } from './dead-link.tsx';
import { Entrance } from './entrance.tsx';
import { Frame } from './frame.tsx';
import { missing } from './missing.ts';
import { NewPassword } from './new-password.tsx';
import { Waiting } from './waiting.tsx';

export function Invitation({ token }: { token: string }) {
  return <Entrance>{(onAnswer) => <FirstStep token={token} onAnswer={onAnswer} />}</Entrance>;
}

interface FirstStepProps {
  token: string;
  onAnswer: (answer: object) => void;
}

function FirstStep({ token, onAnswer }: FirstStepProps) {
  const loading = useSubmission();
  const submission = useSubmission();
  const invitation = useSignal<InvitationAnswer | null>(null);
  const name = useSignal('');
  const password = useSignal('');
  const problems = submission.problems.value;

  async function load(): Promise<void> {
    const answer = await loading.send(() => call<{ data: InvitationAnswer }>('POST', '/invitations/read', { token }));
    if (answer === null) return;
    name.value = answer.data.name;
    invitation.value = answer.data;
  }

  useEffect(() => {
    if (token !== '') void load();
  }, []);

  async function send(email: string): Promise<void> {
    const found = missing({ name: name.value });
    const problem = passwordProblem(password.value, email);
    if (problem !== null) found.password = problem;
    if (Object.keys(found).length > 0) return submission.refuse(found);
    const body = { token, name: name.value.trim(), password: password.value };
    const answer = await submission.send(() => call<object>('POST', '/invitations/accept', body));
    if (answer !== null) onAnswer(answer);
  }

  if (token === '') return <DeadLink next={t.linkMissing} />;
  if (isDead(loading.refusal.value) || isDead(submission.refusal.value)) {
    return <DeadLink next={t.invitationLinkNext} />;
  }
  if (invitation.value === null) return <Waiting submission={loading} onRetry={() => void load()} />;
  const { email, desk } = invitation.value;
  return (
    <Frame title={t.invitationTitle(desk)} lead={t.invitationLead(email)}>
      <Form submission={submission} onSubmit={() => void send(email)}>
        <SubmissionNotice submission={submission} fields={['name', 'password']} />
        {/* Password managers store the password under this address. */}
        <input type="email" name="email" autocomplete="username" value={email} readOnly hidden />
        <TextField
          label={t.name}
          name="name"
          autocomplete="name"
          isRequired
          isFirst
          value={name.value}
          problem={problems.name}
          onValue={(value) => {
            name.value = value;
          }}
        />
        <NewPassword
          label={t.password}
          value={password.value}
          problem={problems.password}
          onValue={(value) => {
            password.value = value;
          }}
        />
        <Button type="submit" kind="primary" isWide isBusy={submission.isBusy.value}>
          {t.join}
        </Button>
      </Form>
    </Frame>
  );
}
