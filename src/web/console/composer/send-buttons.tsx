// Sending, with a status, later, and what follows.

import { Button } from '../../shared/button.tsx';
import { Icon } from '../../shared/icons.tsx';
import { Menu } from '../../shared/menu.tsx';
import { afterSend, type FollowUp, followUps } from '../choices.ts';
import { isMac } from '../shortcuts/shortcuts.ts';
import { t } from './messages.ts';
import type { Wanted } from './sending.ts';

interface SendButtonsProps {
  isNote: boolean;
  canWrite: boolean;
  isBusy: boolean;
  onSend: (status: Wanted['status']) => void;
  onLater: () => void;
}

export function SendButtons({ isNote, canWrite, isBusy, onSend, onLater }: SendButtonsProps) {
  const enter = isMac ? '⌘↵' : 'Ctrl ↵';
  const choices = followUps.map((one, at) => ({
    text: followUpText(one),
    isChecked: afterSend.value === one,
    isApart: at === 0,
    run() {
      afterSend.value = one;
    },
  }));
  const ways = [
    { text: t.sendPending, run: () => onSend('pending') },
    ...(isNote ? [] : [{ text: t.sendLater, icon: <Icon name="clock" />, run: onLater }]),
  ];
  return (
    <div class="send-buttons">
      {canWrite && (
        <span class="send-resolve">
          <Button onClick={() => onSend('resolved')} isDisabled={isBusy}>
            {t.sendResolved}
          </Button>
        </span>
      )}
      <span class="split-button">
        <span title={enter}>
          <Button kind="primary" isBusy={isBusy} onClick={() => onSend(null)}>
            {t.send}
          </Button>
        </span>
        <Menu
          label={t.moreWaysToSend}
          buttonClass="button primary split-more"
          placement={{ side: 'above', align: 'end' }}
          items={
            canWrite
              ? [
                  { text: t.sendResolved, run: () => onSend('resolved'), keys: isMac ? '⌘⇧↵' : 'Ctrl ⇧ ↵' },
                  ...ways,
                  ...choices,
                ]
              : choices
          }
        >
          <Icon name="chevron" />
        </Menu>
      </span>
    </div>
  );
}

function followUpText(one: FollowUp): string {
  return { stay: t.thenStay, next: t.thenNext, list: t.thenList }[one];
}
