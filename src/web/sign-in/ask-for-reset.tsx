// Asks for a link to choose a new password. The answer does not reveal whether the address is known.

import { useSignal } from '@preact/signals';
import { call } from '../shared/api.ts';
import { Button, ButtonLink } from '../shared/button.tsx';
import { TextField } from '../shared/field.tsx';
import { Form } from '../shared/form.tsx';
import { SubmissionNotice } from '../shared/notices.tsx';
import { t } from '../shared/sign-in-messages.ts';
import { useSubmission } from '../shared/submission.ts';
import { Frame } from './frame.tsx';
import { missing } from './missing.ts';

export function AskForReset() {
  const submission = useSubmission();
  const email = useSignal('');
  const isSent = useSignal(false);

  async function send(): Promise<void> {
    const found = missing({ email: email.value });
    if (Object.keys(found).length > 0) return submission.refuse(found);
    const answer = await submission.send(() => call('POST', '/password-resets', { email: email.value.trim() }));
    isSent.value = answer !== null;
  }

  if (isSent.value) {
    return (
      <Frame title={t.resetSentTitle} lead={t.resetSent(email.value.trim())}>
        <ButtonLink href="/sign-in" isWide>
          {t.toSignIn}
        </ButtonLink>
      </Frame>
    );
  }
  return (
    <Frame title={t.resetTitle} lead={t.resetLead}>
      <Form submission={submission} onSubmit={() => void send()}>
        <SubmissionNotice submission={submission} fields={['email']} />
        <TextField
          label={t.email}
          name="email"
          type="email"
          autocomplete="username"
          isRequired
          isFirst
          value={email.value}
          problem={submission.problems.value.email}
          onValue={(value) => {
            email.value = value;
          }}
        />
        <Button type="submit" kind="primary" isWide isBusy={submission.isBusy.value}>
          {t.sendLink}
        </Button>
      </Form>
      <p class="after">
        <a href="/sign-in">{t.toSignIn}</a>
      </p>
    </Frame>
  );
}
