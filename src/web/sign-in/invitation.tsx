// An invited agent chooses a name and a password.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call } from '../shared/api.ts';
import { Submit } from '../shared/button.tsx';
import { TextField } from '../shared/field.tsx';
import { Form } from '../shared/form.tsx';
import { SubmissionNotice } from '../shared/notices.tsx';
import { passwordProblem } from '../shared/password-rules.ts';
import { t } from '../shared/sign-in-messages.ts';
import { useForm, useSubmission } from '../shared/submission.ts';
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

function FirstStep({ token, onAnswer }: { token: string; onAnswer: (answer: object) => void }) {
  const loading = useSubmission();
  const form = useForm({ name: '', password: '' });
  const invitation = useSignal<InvitationAnswer | null>(null);

  async function load(): Promise<void> {
    const answer = await loading.send(() => call<{ data: InvitationAnswer }>('POST', '/invitations/read', { token }));
    if (answer === null) return;
    form.change({ name: answer.data.name });
    invitation.value = answer.data;
  }

  useEffect(() => {
    if (token !== '') void load();
  }, []);

  async function send(email: string): Promise<void> {
    const found = missing({ name: form.values.name });
    const problem = passwordProblem(form.values.password, email);
    if (problem !== null) found.password = problem;
    if (Object.keys(found).length > 0) return form.refuse(found);
    const body = { token, name: form.values.name.trim(), password: form.values.password };
    const answer = await form.send(() => call<object>('POST', '/invitations/accept', body));
    if (answer !== null) onAnswer(answer);
  }

  if (token === '') return <DeadLink next={t.linkMissing} />;
  if (isDead(loading.refusal.value) || isDead(form.refusal.value)) {
    return <DeadLink next={t.invitationLinkNext} />;
  }
  if (invitation.value === null) return <Waiting submission={loading} onRetry={() => void load()} />;
  const { email, desk } = invitation.value;
  return (
    <Frame title={t.invitationTitle(desk)} lead={t.invitationLead(email)}>
      <Form submission={form} onSubmit={() => void send(email)}>
        <SubmissionNotice submission={form} fields={['name', 'password']} />
        {/* Password managers store the password under this address. */}
        <input type="email" name="email" autocomplete="username" value={email} readOnly hidden />
        <TextField label={t.name} autocomplete="name" isRequired isFirst {...form.field('name')} />
        <NewPassword label={t.password} {...form.field('password')} />
        <Submit submission={form} isWide>
          {t.join}
        </Submit>
      </Form>
    </Frame>
  );
}
