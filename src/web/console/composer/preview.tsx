// What the customer will see of the text. The parser is loaded when it is first wanted.

import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
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
  return <View source={signature === '' ? source : `${source}\n\n${signature}`} />;
}
