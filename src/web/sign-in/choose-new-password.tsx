// A new password, by the link in the mail.

import { useSignal } from '@preact/signals';
import { call } from '../shared/api.ts';
import { Button } from '../shared/button.tsx';
import { Form } from '../shared/form.tsx';
import { SubmissionNotice } from '../shared/notices.tsx';
import { passwordProblem } from '../shared/password-rules.ts';
import { t } from '../shared/sign-in-messages.ts';
import { useSubmission } from '../shared/submission.ts';
import { DeadLink, isDead } from './dead-link.tsx';
import { Entrance } from './entrance.tsx';
import { Frame } from './frame.tsx';
import { NewPassword } from './new-password.tsx';

export function ChooseNewPassword({ token }: { token: string }) {
  return <Entrance>{(onAnswer) => <FirstStep token={token} onAnswer={onAnswer} />}</Entrance>;
}

interface FirstStepProps {
  token: string;
  onAnswer: (answer: object) => void;
}

function FirstStep({ token, onAnswer }: FirstStepProps) {
  const submission = useSubmission();
  const password = useSignal('');

  async function send(): Promise<void> {
    const problem = passwordProblem(password.value, null);
    if (problem !== null) return submission.refuse({ password: problem });
    const body = { token, password: password.value };
    const answer = await submission.send(() => call<object>('POST', '/password-resets/complete', body));
    if (answer !== null) onAnswer(answer);
  }

  if (isDead(submission.refusal.value)) {
    return <DeadLink next={t.resetLinkNext} action={{ href: '/reset', text: t.sendLink }} />;
  }
  return (
    <Frame title={t.chooseNewPassword} lead={t.newPasswordLead}>
      <Form submission={submission} onSubmit={() => void send()}>
        <SubmissionNotice submission={submission} fields={['password']} />
        <NewPassword
          label={t.newPassword}
          isFirst
          value={password.value}
          problem={submission.problems.value.password}
          onValue={(value) => {
            password.value = value;
          }}
        />
        <Button type="submit" kind="primary" isWide isBusy={submission.isBusy.value}>
          {t.savePassword}
        </Button>
      </Form>
    </Frame>
  );
}
