// The first owner, by the link that the desk prints when it starts.

import { call } from '../shared/api.ts';
import { Submit } from '../shared/button.tsx';
import { TextField } from '../shared/field.tsx';
import { Form } from '../shared/form.tsx';
import { SubmissionNotice } from '../shared/notices.tsx';
import { passwordProblem } from '../shared/password-rules.ts';
import { t } from '../shared/sign-in-messages.ts';
import { useForm } from '../shared/submission.ts';
import { DeadLink, isDead } from './dead-link.tsx';
import { enter } from './entrance.tsx';
import { Frame } from './frame.tsx';
import { missing } from './missing.ts';
import { NewPassword } from './new-password.tsx';

export function Setup({ token }: { token: string }) {
  const form = useForm({ email: '', name: '', password: '' });

  async function send(): Promise<void> {
    const found = missing({ email: form.values.email, name: form.values.name });
    const problem = passwordProblem(form.values.password, form.values.email);
    if (problem !== null) found.password = problem;
    if (Object.keys(found).length > 0) return form.refuse(found);
    const body = {
      token,
      email: form.values.email.trim(),
      name: form.values.name.trim(),
      password: form.values.password,
    };
    if ((await form.send(() => call('POST', '/setup', body))) !== null) enter();
  }

  if (token === '') return <DeadLink next={t.linkMissing} />;
  if (isDead(form.refusal.value)) return <DeadLink next={t.setupLinkNext} />;
  return (
    <Frame title={t.setupTitle} lead={t.setupLead}>
      <Form submission={form} onSubmit={() => void send()}>
        <SubmissionNotice submission={form} fields={['email', 'name', 'password']} />
        <TextField label={t.email} type="email" autocomplete="username" isRequired isFirst {...form.field('email')} />
        <TextField label={t.name} autocomplete="name" isRequired {...form.field('name')} />
        <NewPassword label={t.password} {...form.field('password')} />
        <Submit submission={form} isWide>
          {t.createDesk}
        </Submit>
      </Form>
    </Frame>
  );
}
