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
  const kind = isNote ? 'note' : 'primary';
  const text = isNote ? t.addNote : t.send;
  const resolving = isNote ? t.addNoteResolved : t.sendResolved;
  const choices = followUps.map((one, at) => ({
    text: followUpText(one),
    isChecked: afterSend.value === one,
    isApart: at === 0,
    run() {
      afterSend.value = one;
    },
  }));
  const statuses = [
    { text: resolving, run: () => onSend('resolved'), keys: isMac ? '⌘⇧↵' : 'Ctrl ⇧ ↵' },
    { text: isNote ? t.addNotePending : t.sendPending, run: () => onSend('pending') },
  ];
  const ofReply = [{ text: t.sendLater, icon: <Icon name="clock" />, run: onLater }, ...choices];
  return (
    <div class="send-buttons">
      {canWrite && (
        <span class="send-resolve">
          <Button onClick={() => onSend('resolved')} isDisabled={isBusy}>
            {resolving}
          </Button>
        </span>
      )}
      <span class={canWrite ? 'split-button' : undefined}>
        <span title={enter}>
          <Button kind={kind} isBusy={isBusy} onClick={() => onSend(null)}>
            {text}
          </Button>
        </span>
        {canWrite && (
          <Menu
            label={t.moreWaysToSend}
            buttonClass={`button ${kind} split-more`}
            placement={{ side: 'above', align: 'end' }}
            items={isNote ? statuses : [...statuses, ...ofReply]}
          >
            <Icon name="chevron" />
          </Menu>
        )}
      </span>
    </div>
  );
}

function followUpText(one: FollowUp): string {
  return { stay: t.thenStay, next: t.thenNext, list: t.thenList }[one];
}
