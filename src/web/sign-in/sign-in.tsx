// The pages for those who are not signed in: sign-in, setup, invitation and a new password.

import { start } from '../shared/start.tsx';
import { AskForReset } from './ask-for-reset.tsx';
import { ChooseNewPassword } from './choose-new-password.tsx';
import { Invitation } from './invitation.tsx';
import { Setup } from './setup.tsx';
import { SignInLink } from './sign-in-link.tsx';
import { SignInPage } from './sign-in-page.tsx';

/** Stands after the #, because browsers do not send that part to servers. */
const token = location.hash.slice(1);

function Page() {
  switch (location.pathname) {
    case '/setup':
      return <Setup token={token} />;
    case '/invitation':
      return <Invitation token={token} />;
    case '/reset':
      return token === '' ? <AskForReset /> : <ChooseNewPassword token={token} />;
    default:
      return token === '' || token.startsWith('challenge=') ? <SignInPage /> : <SignInLink token={token} />;
  }
}

// A link that is opened in this tab changes only what stands after the #.
addEventListener('hashchange', () => location.reload());

await start(Page);
