// A new password, by the link in the mail.

import { call } from '../shared/api.ts';
import { Submit } from '../shared/button.tsx';
import { Form } from '../shared/form.tsx';
import { SubmissionNotice } from '../shared/notices.tsx';
import { passwordProblem } from '../shared/password-rules.ts';
import { t } from '../shared/sign-in-messages.ts';
import { useForm } from '../shared/submission.ts';
import { DeadLink, isDead } from './dead-link.tsx';
import { Entrance } from './entrance.tsx';
import { Frame } from './frame.tsx';
import { NewPassword } from './new-password.tsx';

export function ChooseNewPassword({ token }: { token: string }) {
  return <Entrance>{(onAnswer) => <FirstStep token={token} onAnswer={onAnswer} />}</Entrance>;
}

function FirstStep({ token, onAnswer }: { token: string; onAnswer: (answer: object) => void }) {
  const form = useForm({ password: '' });

  async function send(): Promise<void> {
    const problem = passwordProblem(form.values.password, null);
    if (problem !== null) return form.refuse({ password: problem });
    const body = { token, password: form.values.password };
    const answer = await form.send(() => call<object>('POST', '/password-resets/complete', body));
    if (answer !== null) onAnswer(answer);
  }

  if (isDead(form.refusal.value)) {
    return <DeadLink next={t.resetLinkNext} action={{ href: '/reset', text: t.sendLink }} />;
  }
  return (
    <Frame title={t.chooseNewPassword} lead={t.newPasswordLead}>
      <Form submission={form} onSubmit={() => void send()}>
        <SubmissionNotice submission={form} fields={['password']} />
        <NewPassword label={t.newPassword} isFirst {...form.field('password')} />
        <Submit submission={form} isWide>
          {t.savePassword}
        </Submit>
      </Form>
    </Frame>
  );
}
