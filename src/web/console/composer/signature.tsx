// What stands under a text that a customer gets: shown before it is sent, and left out with one click.

import { Icon } from '../../shared/icons.tsx';
import { withoutEmptyEnd } from './markdown-edit.ts';
import { t } from './messages.ts';

export const signed = (body: string, signature: string) =>
  signature === '' ? withoutEmptyEnd(body) : `${withoutEmptyEnd(body).trimEnd()}\n\n${signature}`;

export function Signature({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <div class="signature">
      <p dir="auto">{text}</p>
      <button
        type="button"
        class="icon-button"
        aria-label={t.leaveSignatureOut}
        title={t.leaveSignatureOut}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
