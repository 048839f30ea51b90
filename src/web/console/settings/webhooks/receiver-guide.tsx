// How a receiver of one's own checks that a request came from the desk.

import { useSignal } from '@preact/signals';
import { bound } from '../../../shared/bound.ts';
import { Button } from '../../../shared/button.tsx';
import { ChoiceField } from '../../../shared/field.tsx';
import { copyLine } from '../equal-command.tsx';
import { t } from '../messages.ts';
import { type ReceiverLanguage, receiver, receiverLanguages } from './receivers.ts';
import { ScrolledCode } from './scrolled-code.tsx';

export function ReceiverGuide({ prefix }: { prefix: string }) {
  const open = useSignal<ReceiverLanguage>('TypeScript');
  const code = receiver(open.value, prefix);
  return (
    <details class="panel receiver-guide">
      <summary>{t.receiverGuide}</summary>
      <div>
        <p class="soft">{t.receiverGuideLead}</p>
        <div class="receiver-head">
          <ChoiceField
            label={t.receiverLanguage}
            options={receiverLanguages.map((value) => ({ value, text: value }))}
            {...bound(open)}
          />
          <Button kind="quiet" label={t.copyCode} onClick={() => void copyLine(code, t.codeCopied)}>
            {t.copyShort}
          </Button>
        </div>
        <ScrolledCode label={open.value} text={code} />
        <p class="soft">{t.receiverGuideEnd}</p>
      </div>
    </details>
  );
}
