// Asks for a link to choose a new password. The answer does not reveal whether the address is known.

import { useSignal } from '@preact/signals';
import { call } from '../shared/api.ts';
import { ButtonLink, Submit } from '../shared/button.tsx';
import { TextField } from '../shared/field.tsx';
import { Form } from '../shared/form.tsx';
import { SubmissionNotice } from '../shared/notices.tsx';
import { t } from '../shared/sign-in-messages.ts';
import { useForm } from '../shared/submission.ts';
import { Frame } from './frame.tsx';
import { missing } from './missing.ts';

export function AskForReset() {
  const form = useForm({ email: '' });
  const isSent = useSignal(false);

  async function send(): Promise<void> {
    const found = missing({ email: form.values.email });
    if (Object.keys(found).length > 0) return form.refuse(found);
    const answer = await form.send(() => call('POST', '/password-resets', { email: form.values.email.trim() }));
    isSent.value = answer !== null;
  }

  if (isSent.value) {
    return (
      <Frame title={t.resetSentTitle} lead={t.resetSent(form.values.email.trim())}>
        <ButtonLink href="/sign-in" isWide>
          {t.toSignIn}
        </ButtonLink>
      </Frame>
    );
  }
  return (
    <Frame title={t.resetTitle} lead={t.resetLead}>
      <Form submission={form} onSubmit={() => void send()}>
        <SubmissionNotice submission={form} fields={['email']} />
        <TextField label={t.email} type="email" autocomplete="username" isRequired isFirst {...form.field('email')} />
        <Submit submission={form} isWide>
          {t.sendLink}
        </Submit>
      </Form>
      <p class="after">
        <a href="/sign-in">{t.toSignIn}</a>
      </p>
    </Frame>
  );
}
