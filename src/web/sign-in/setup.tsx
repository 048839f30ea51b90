// The first owner, by the link that the desk prints when it starts.

import { useSignal } from '@preact/signals';
import { call } from '../shared/api.ts';
import { Button } from '../shared/button.tsx';
import { TextField } from '../shared/field.tsx';
import { Form } from '../shared/form.tsx';
import { SubmissionNotice } from '../shared/notices.tsx';
import { passwordProblem } from '../shared/password-rules.ts';
import { t } from '../shared/sign-in-messages.ts';
import { useSubmission } from '../shared/submission.ts';
import { DeadLink, isDead } from './dead-link.tsx';
import { enter } from './entrance.tsx';
import { Frame } from './frame.tsx';
import { missing } from './missing.ts';
import { NewPassword } from './new-password.tsx';

export function Setup({ token }: { token: string }) {
  const submission = useSubmission();
  const email = useSignal('');
  const name = useSignal('');
  const password = useSignal('');
  const problems = submission.problems.value;

  async function send(): Promise<void> {
    const found = missing({ email: email.value, name: name.value });
    const problem = passwordProblem(password.value, email.value);
    if (problem !== null) found.password = problem;
    if (Object.keys(found).length > 0) return submission.refuse(found);
    const body = { token, email: email.value.trim(), name: name.value.trim(), password: password.value };
    if ((await submission.send(() => call('POST', '/setup', body))) !== null) enter();
  }

  if (token === '') return <DeadLink next={t.linkMissing} />;
  if (isDead(submission.refusal.value)) return <DeadLink next={t.setupLinkNext} />;
  return (
    <Frame title={t.setupTitle} lead={t.setupLead}>
      <Form submission={submission} onSubmit={() => void send()}>
        <SubmissionNotice submission={submission} fields={['email', 'name', 'password']} />
        <TextField
          label={t.email}
          name="email"
          type="email"
          autocomplete="username"
          isRequired
          isFirst
          value={email.value}
          problem={problems.email}
          onValue={(value) => {
            email.value = value;
          }}
        />
        <TextField
          label={t.name}
          name="name"
          autocomplete="name"
          isRequired
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
          {t.createDesk}
        </Button>
      </Form>
    </Frame>
  );
}
