// The pages for those who are not signed in: sign-in, setup, invitation and a new password.

import { useEffect } from 'preact/hooks';
import { call } from '../shared/api.ts';
import { removeStored, writeStored } from '../shared/preferences.ts';
import { t } from '../shared/sign-in-messages.ts';
import { start } from '../shared/start.tsx';
import { useSubmission } from '../shared/submission.ts';
import type { Agent, Session, SignInOptions } from '../shared/wire.ts';
import { AskForReset } from './ask-for-reset.tsx';
import { ChooseNewPassword } from './choose-new-password.tsx';
import { Consented } from './consented.tsx';
import { DeadLink, isDead } from './dead-link.tsx';
import { enter } from './entrance.tsx';
import { Invitation } from './invitation.tsx';
import { Setup } from './setup.tsx';
import { SignInPage } from './sign-in-page.tsx';
import { Waiting } from './waiting.tsx';

/** Stands after the #, because browsers do not send that part to servers. */
const token = location.hash.slice(1);

function Page() {
  switch (location.pathname) {
    case '/setup':
      return <Setup token={token} />;
    case '/invitation':
      return <Invitation token={token} />;
    case '/mailbox-consent':
      return <Consented />;
    case '/reset':
      return token === '' ? <AskForReset /> : <ChooseNewPassword token={token} />;
    default:
      return token === '' || token.startsWith('challenge=') ? <SignInPage /> : <SignInLink token={token} />;
  }
}

// A link that is opened in this tab changes only what stands after the #.
addEventListener('hashchange', () => location.reload());

await start(Page);

// A one-time link from the command line: the page sends its secret to the desk and continues.

/** Read by the console (src/web/console/live/live-bars.tsx). */
const suggestionKey = 'helpdesk.suggest-password';

function SignInLink({ token }: { token: string }) {
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
