// What a message says: written text, plain text with its folded history, or a formatted mail.

import { useSignal } from '@preact/signals';
import { mailText, refusedText, withoutRefused } from '../../../shared/refused-files.ts';
import { RichHtml } from '../../../shared/rich-html.tsx';
import type { Named } from '../../mentions.ts';
import type { Message } from '../../wire.ts';
import { withMentions } from '../conversation/with-mentions.tsx';
import { TicketIcon } from '../header/ticket-icons.tsx';
import { t } from '../messages.ts';
import { MailFrame } from './mail-frame.tsx';
import { foldedText } from './mail-text.ts';
import { PlainText } from './plain-text.tsx';
import { trustedAddress } from './remote-images.ts';

interface MessageBodyProps {
  ticket: string;
  message: Message;
  isAsText: boolean;
  onFail: () => void;
}

export function MessageBody({ ticket, message, isAsText, onFail }: MessageBodyProps) {
  const told = withoutRefused(message.body);
  const body = mailText(told.body, t);
  const { html } = message;
  return (
    <>
      {html !== null && message.body_format === 'markdown' ? (
        <RichHtml html={html} drawText={(text) => withMentions(text, message.mentions)} />
      ) : html !== null && !isAsText ? (
        <MailFrame
          path={`/tickets/${ticket}/messages/${message.ulid}/frame`}
          title={t.mailBy(message.author_name)}
          html={html}
          address={trustedAddress(message)}
          hasHistory={message.whole_body !== null}
          onFail={onFail}
        />
      ) : (
        <Foldable body={body} whole={message.whole_body} mentions={message.mentions} />
      )}
      {told.refused.length > 0 && (
        <p class="refused-files">
          <TicketIcon name="clip" />
          <span>{refusedText(told, t)}</span>
        </p>
      )}
    </>
  );
}

function Foldable({ body, whole, mentions }: { body: string; whole: string | null; mentions: readonly Named[] }) {
  const isOpen = useSignal(false);
  if (whole === null) return <PlainText text={body} mentions={mentions} />;
  const { text, isRest } = foldedText(body, whole);
  return (
    <>
      {(!isOpen.value || isRest) && <PlainText text={body} />}
      <button
        type="button"
        class="fold"
        aria-expanded={isOpen.value}
        aria-label={isOpen.value ? t.hideQuoted : t.showQuoted}
        title={isOpen.value ? t.hideQuoted : t.showQuoted}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        •••
      </button>
      {isOpen.value && (
        <div class={isRest ? 'quoted' : ''}>
          <PlainText text={text} />
        </div>
      )}
    </>
  );
}
