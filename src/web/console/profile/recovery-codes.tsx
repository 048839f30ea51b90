// Ten recovery codes, shown once.

import { useSignal } from '@preact/signals';
import { Button } from '../../shared/button.tsx';
import { canCopy, copyText } from '../../shared/copying.ts';
import { Dialog } from '../../shared/dialog.tsx';
import { Icon } from '../../shared/icons.tsx';
import { t } from './messages.ts';

export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const note = useSignal('');

  async function copy(): Promise<void> {
    note.value = (await copyText(codes.join('\n'))) ? t.copied : t.copyFailed;
  }

  return (
    <Dialog title={t.recoveryCodes} onClose={onClose}>
      <div class="dialog-body">
        <p class="soft">{t.recoveryCodesOnce}</p>
        <ul class="recovery-codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        {!canCopy && <p class="soft">{t.insecureClipboard}</p>}
        <p class="copied" role="status">
          {note}
        </p>
        <div class="dialog-actions">
          {canCopy && (
            <Button onClick={() => void copy()}>
              <Icon name="copy" />
              {t.copy}
            </Button>
          )}
          <Button onClick={() => print()}>
            <Icon name="print" />
            {t.print}
          </Button>
          <Button kind="primary" onClick={onClose}>
            {t.iKeptThem}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
