// A signing secret, which is shown once.

import { signal } from '@preact/signals';
import { Button } from '../../../shared/button.tsx';
import { copyLine } from '../equal-command.tsx';
import { t } from '../messages.ts';

/** The newest, until its page is left. Nothing else keeps it. */
export const shownSecret = signal<{ channel: number; secret: string } | null>(null);

export function ShownSecret({ channel }: { channel: number }) {
  const shown = shownSecret.value;
  if (shown?.channel !== channel) return null;
  return (
    <section class="panel shown-secret" aria-label={t.signingSecret}>
      <h2>{t.signingSecret}</h2>
      <p class="soft">{t.signingSecretOnce}</p>
      <div class="copy-line">
        <code>{shown.secret}</code>
        <Button label={t.copySecret} onClick={() => void copyLine(shown.secret, t.secretCopied)}>
          {t.copyShort}
        </Button>
      </div>
      <Button
        kind="quiet"
        onClick={() => {
          shownSecret.value = null;
        }}
      >
        {t.secretStored}
      </Button>
    </section>
  );
}
