// An HTML mail in a frame without scripts, as high as its content, with images of other hosts only if the agent wants them.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../shared/button.tsx';
import type { Message } from '../wire.ts';
import { fitHeight, foldHistory, passKeysOn } from './frame-content.ts';
import { hasOwnColours, hasRemoteImages } from './mail-html.ts';
import { t } from './messages.ts';
import { allowAlways, isAllowed, trustedAddress } from './remote-images.ts';
import { shownTheme } from './shown-theme.ts';
import { TicketIcon } from './ticket-icons.tsx';

interface MailFrameProps {
  ticket: string;
  message: Message;
  html: string;
  /** The desk did not show the mail. */
  onFail: () => void;
}

export function MailFrame({ ticket, message, html, onFail }: MailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const leave = useRef<() => void>(() => undefined);
  const isShownOnce = useSignal(false);
  const address = trustedAddress(message);
  const hasImages = hasRemoteImages(html);
  const isWithImages = hasImages && (isShownOnce.value || isAllowed(address));
  const query = new URLSearchParams();
  const isDark = shownTheme.value === 'dark';
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
    if (message.whole_body !== null) foldHistory(page, t.showQuoted);
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
        title={t.mailBy(message.author_name)}
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        loading="lazy"
        src={`/tickets/${ticket}/messages/${message.ulid}/frame?${query}`}
        onLoad={arrange}
      />
    </>
  );
}
