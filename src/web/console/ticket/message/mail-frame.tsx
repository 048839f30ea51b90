// An HTML mail in a frame without scripts, as high as its content, with images of other hosts only if the agent wants them.

import { type ReadonlySignal, signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../../shared/button.tsx';
import { session } from '../../session.ts';
import { TicketIcon } from '../header/ticket-icons.tsx';
import { t } from '../messages.ts';
import { fitHeight, foldHistory, passKeysOn } from './frame-content.ts';
import { hasOwnColours, hasRemoteImages } from './mail-html.ts';
import { allowAlways, isAllowed } from './remote-images.ts';

interface MailFrameProps {
  /** Of the page that shows it. */
  path: string;
  title: string;
  html: string;
  /** Of its sender, whose images the agent may allow for good; null for one that someone else could have claimed to be. */
  address: string | null;
  hasHistory: boolean;
  /** The desk did not show the mail. */
  onFail: () => void;
}

export function MailFrame({ path, title, html, address, hasHistory, onFail }: MailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const leave = useRef<() => void>(() => undefined);
  const isShownOnce = useSignal(false);
  const hasImages = hasRemoteImages(html);
  const isWithImages = hasImages && (isShownOnce.value || isAllowed(address));
  const query = new URLSearchParams({ token: session.value?.frame_token ?? '' });
  const isDark = pageTheme.value === 'dark';
  if (isWithImages) query.set('images', '1');
  const isBright = isDark && hasOwnColours(html);
  if (isDark && !isBright) query.set('theme', 'dark');
  useEffect(() => () => leave.current(), []);

  function arrange(): void {
    leave.current();
    const shown = frame.current;
    const page = shown?.contentDocument;
    if (shown === null || page == null || page.title !== 'Mail') {
      onFail();
      return;
    }
    if (hasHistory) foldHistory(page, t.showQuoted);
    passKeysOn(shown, page);
    leave.current = fitHeight(shown, page);
  }

  return (
    <>
      {hasImages && !isWithImages && (
        <div class="images-held">
          <TicketIcon name="image" />
          <span>{t.imagesBlocked}</span>
          <span class="images-choices">
            <Button
              kind="quiet"
              onClick={() => {
                isShownOnce.value = true;
              }}
            >
              {t.imagesOnce}
            </Button>
            {address !== null && (
              <Button kind="quiet" onClick={() => allowAlways(address)}>
                {t.imagesAlways}
              </Button>
            )}
          </span>
        </div>
      )}
      <iframe
        ref={frame}
        class={`mail-frame${isBright ? ' bright' : ''}`}
        title={title}
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        loading="lazy"
        src={`${path}?${query}`}
        onLoad={arrange}
      />
    </>
  );
}

// The theme that the page shows, for what lies in frames.
const read = () => (document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light');
const shown = signal<'light' | 'dark'>(read());
new MutationObserver(() => {
  shown.value = read();
}).observe(document.documentElement, { attributeFilter: ['data-theme'] });

const pageTheme: ReadonlySignal<'light' | 'dark'> = shown;
