// Ten recovery codes, shown once.

import { Button } from '../shared/button.tsx';
import { canCopy, copyText } from '../shared/copying.ts';
import { Dialog } from '../shared/dialog.tsx';
import { Icon } from '../shared/icons.tsx';
import { t } from '../shared/messages.ts';
import { announce } from '../shared/notices.tsx';

export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
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
        <div class="dialog-actions">
          {canCopy && (
            <Button
              onClick={() =>
                void copyText(codes.join('\n')).then((isCopied) => announce(isCopied ? t.copied : t.copyFailed))
              }
            >
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
