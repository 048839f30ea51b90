// A one-time link from the command line: the page sends its secret to the desk and continues.

import { useEffect } from 'preact/hooks';
import { call } from '../shared/api.ts';
import { removeStored, writeStored } from '../shared/preferences.ts';
import { t } from '../shared/sign-in-messages.ts';
import { useSubmission } from '../shared/submission.ts';
import type { Agent, Session, SignInOptions } from '../shared/wire.ts';
import { DeadLink, isDead } from './dead-link.tsx';
import { enter } from './entrance.tsx';
import { Waiting } from './waiting.tsx';

/** Read by the console (src/web/console/live/live-layer.tsx). */
const suggestionKey = 'helpdesk.suggest-password';

export function SignInLink({ token }: { token: string }) {
  const submission = useSubmission();

  async function send(): Promise<void> {
    const answer = await submission.send(() => call<{ data: Session }>('POST', '/session/link', { token }));
    if (answer === null) return;
    if (await needsPassword(answer.data.agent)) writeStored(suggestionKey, 'true');
    else removeStored(suggestionKey);
    enter();
  }

  useEffect(() => {
    void send();
  }, []);

  if (isDead(submission.refusal.value)) return <DeadLink next={t.signInLinkNext} />;
  return <Waiting submission={submission} onRetry={() => void send()} />;
}

async function needsPassword({ has_password: has, second_factors: factors }: Agent): Promise<boolean> {
  if (has || factors.includes('passkey')) return false;
  const answer = await call<{ data: SignInOptions }>('GET', '/sign-in');
  return answer.isOk && answer.data.data.password && answer.data.data.oidc === null;
}
