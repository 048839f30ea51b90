// A secret that the desk shows once, with what can be done with it.

import { Button } from '../../../shared/button.tsx';
import { Dialog } from '../../../shared/dialog.tsx';
import { copyLine } from '../equal-command.tsx';
import { t } from './messages.ts';

interface NewSecretProps {
  title: string;
  text: string;
  /** What is shown, each under its name. */
  lines: readonly { name: string; value: string }[];
  onClose: () => void;
}

export function NewSecret({ title, text, lines, onClose }: NewSecretProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="dialog-body">
        <p class="soft">{text}</p>
        {lines.map(({ name, value }) => (
          <div key={name} class="equal-command">
            <p class="soft">{name}</p>
            <div>
              <code>{value}</code>
              <Button kind="quiet" label={t.copyOf(name)} onClick={() => void copyLine(value, t.copied)}>
                {t.copyShort}
              </Button>
            </div>
          </div>
        ))}
        <div class="dialog-actions">
          <Button kind="primary" onClick={onClose}>
            {t.secretKept}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
