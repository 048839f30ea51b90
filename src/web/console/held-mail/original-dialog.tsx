// The mail that a customer's message came by, for who wants to know more than the conversation shows. All of it is text.

import type * as z from 'zod';
import type { originalShape } from '../../../http/wire/mail/inbound-mail.ts';
import { withoutBidi } from '../../shared/bidi.ts';
import { Dialog } from '../../shared/dialog.tsx';
import { fileSize } from '../../shared/file-size.ts';
import { Notice } from '../../shared/notices.tsx';
import { t } from '../customers/messages.ts';
import { useFetched } from '../shell/fetched.ts';
import { Refused } from '../shell/refused.tsx';
import { Envelope, Headers, linesOf, Verdict } from './held-message.tsx';

interface OriginalDialogProps {
  ticket: string;
  message: string;
  onClose: () => void;
}

export function OriginalDialog({ ticket, message, onClose }: OriginalDialogProps) {
  const path = `/tickets/${ticket}/messages/${message}/original`;
  return (
    <Dialog title={t.originalTitle} onClose={onClose}>
      <div class="original">
        <Original path={path} />
      </div>
    </Dialog>
  );
}

function Original({ path }: { path: string }) {
  const { data, refusal, reload } = useFetched<{ data: z.output<typeof originalShape> }>(path);
  const reason = refusal.value;
  if (reason?.status === 404) return <Notice kind="problem">{t.mailGone}</Notice>;
  if (reason !== null) return <Refused refusal={reason} onRetry={reload} />;
  const mail = data.value?.data;
  if (mail === undefined) return <div class="held-loading" aria-busy="true" />;
  const checks = mail.headers.filter(({ name }) => /^(?:arc-)?authentication-results$|^received-spf$/.test(name));
  return (
    <>
      <Verdict verdict={mail.sender_verdict} />
      <Envelope message={mail} found={mail} />
      {checks.length > 0 && (
        <section>
          <h3>{t.serverChecks}</h3>
          <pre class="held-headers">{linesOf(checks)}</pre>
        </section>
      )}
      <Headers headers={mail.headers} />
      <section>
        <h3>
          {t.originalSource} <span class="soft">{fileSize(mail.size)}</span>
        </h3>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
        <pre class="held-headers original-source" tabIndex={0}>
          {withoutBidi(mail.source)}
        </pre>
        {mail.is_cut && <p class="soft">{t.originalIsCut}</p>}
      </section>
      <div class="dialog-actions">
        <a class="button" href={`/api/v1${path}/source`} download>
          {t.downloadOriginal}
        </a>
      </div>
    </>
  );
}
