// A one-time link from the command line: the page sends its secret to the desk and continues.

import { useEffect } from 'preact/hooks';
import { call } from '../shared/api.ts';
import { t } from '../shared/messages.ts';
import { useSubmission } from '../shared/submission.ts';
import { DeadLink, isDead } from './dead-link.tsx';
import { enter } from './entrance.tsx';
import { Waiting } from './waiting.tsx';

export function SignInLink({ token }: { token: string }) {
  const submission = useSubmission();

  async function send(): Promise<void> {
    if ((await submission.send(() => call('POST', '/session/link', { token }))) !== null) enter();
  }

  useEffect(() => {
    void send();
  }, []);

  if (isDead(submission.refusal.value)) return <DeadLink next={t.signInLinkNext} />;
  return <Waiting submission={submission} onRetry={() => void send()} />;
}
