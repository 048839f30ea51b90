// What the console says when it cannot simply go on: an ended session, another agent, a newer version, no password.

import type { ComponentChildren } from 'preact';
import { Button } from '../../shared/button.tsx';
import type { IconName } from '../../shared/icon-paths.ts';
import { Icon } from '../../shared/icons.tsx';
import { ended, isSessionOver, signedInAgain } from '../../shared/signed-in.ts';
import { remembered } from '../remembered.ts';
import { go } from '../route.ts';
import { session } from '../session.ts';
import { connection, isOfAnother } from './live.ts';
import { t } from './messages.ts';
import { isOutdated } from './upgrade.ts';

/** The sign-in page says so of an agent who came by a link, and has no other way to come again. */
const isPasswordSuggested = remembered('suggest-password', false);

/** The most urgent one. */
export function LiveBar() {
  if (isOfAnother.value)
    return (
      <Bar text={t.otherSession(session.value?.agent.name ?? '')}>
        <Button kind="primary" onClick={() => location.reload()}>
          {t.reloadNow}
        </Button>
      </Bar>
    );
  if ((connection.value === 'signed-out' || isSessionOver.value) && ended.value === null)
    return (
      <Bar text={t.sessionIsOver}>
        <Button kind="primary" onClick={() => void signedInAgain()}>
          {t.signInAgain}
        </Button>
      </Bar>
    );
  if (isOutdated.value)
    return (
      <Bar text={t.newVersion}>
        <Button onClick={() => location.reload()}>{t.reloadNow}</Button>
      </Bar>
    );
  if (isPasswordSuggested.value && session.value?.agent.has_password === false) return <SuggestPassword />;
  return null;
}

function SuggestPassword() {
  const end = () => {
    isPasswordSuggested.value = false;
  };
  return (
    <Bar icon="lock" text={t.suggestPassword}>
      <Button
        kind="primary"
        onClick={() => {
          end();
          go('/profile');
        }}
      >
        {t.toSetPassword}
      </Button>
      <Button onClick={end}>{t.notNow}</Button>
    </Bar>
  );
}

function Bar({ icon = 'alert', text, children }: { icon?: IconName; text: string; children: ComponentChildren }) {
  return (
    <div class="live-bar">
      <Icon name={icon} />
      <p>{text}</p>
      {children}
    </div>
  );
}
