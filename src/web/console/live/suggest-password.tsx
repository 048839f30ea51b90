// What an agent is told who came by a link and has no password.

import { Button } from '../../shared/button.tsx';
import { Icon } from '../../shared/icons.tsx';
import { remembered } from '../remembered.ts';
import { go } from '../route.ts';
import { session } from '../session.ts';
import { t } from './messages.ts';

const isSuggested = remembered('suggest-password', false);

export function SuggestPassword() {
  if (session.value?.agent.has_password !== false) return null;
  return (
    <div class="live-bar">
      <Icon name="lock" />
      <p>{t.suggestPassword}</p>
      <Button
        kind="primary"
        onClick={() => {
          isSuggested.value = false;
          go('/profile');
        }}
      >
        {t.toSetPassword}
      </Button>
      <Button
        onClick={() => {
          isSuggested.value = false;
        }}
      >
        {t.notNow}
      </Button>
    </div>
  );
}
