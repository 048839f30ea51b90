// What the customer will see: the text and the signature under it. The parser is loaded when it is first wanted.

import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Icon } from '../../shared/icons.tsx';
import { withoutEmptyEnd } from './markdown-edit.ts';
import { t } from './messages.ts';

let View: ComponentType<{ source: string }> | null = null;

export function Preview({ source, signature }: { source: string; signature: string }) {
  const isReady = useSignal(View !== null);
  useEffect(() => {
    void (async () => {
      View ??= (await import('./markdown-view.tsx')).MarkdownView;
      isReady.value = true;
    })();
  }, []);
  if (!isReady.value || View === null) return null;
  if (source.trim() === '') return <p class="soft">{t.nothingToPreview}</p>;
  return <View source={signed(source, signature)} />;
}

export const signed = (text: string, signature: string) =>
  signature === '' ? withoutEmptyEnd(text) : `${withoutEmptyEnd(text).trimEnd()}\n\n${signature}`;

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
