// A test of a mailbox: what happened, in words, for reading and for sending.

import { signal } from '@preact/signals';
import { Icon } from '../../../shared/icons.tsx';
import { t } from '../messages.ts';
import type { MailboxTrial } from './wire.ts';

/** The mailbox that was just added, which its page tries at once. */
const arriving = signal<number | null>(null);

export function tryOnArrival(id: number): void {
  arriving.value = id;
}

/** True once, for that mailbox. */
export function hasArrived(id: number): boolean {
  if (arriving.peek() !== id) return false;
  arriving.value = null;
  return true;
}

type Tried = NonNullable<MailboxTrial['reading']>;

export const reasonTexts: Readonly<Record<NonNullable<Tried['reason']>, () => string>> = {
  password: () => t.whyPassword,
  consent: () => t.whyConsent,
  certificate: () => t.whyCertificate,
  busy: () => t.whyBusy,
  folder: () => t.whyFolder,
  not_allowed: () => t.whyNotAllowed,
  other: () => t.whyOther,
};

/** After the reason in the reader's language: what the server itself said, without the same reason in English. */
export const saidAfter = (reason: Tried['reason'], message: string) =>
  reason === 'password' || reason === 'busy' ? message.replace(/^[^:]*: /, '') : message;

/** Of a certificate that does not verify: what the server showed. */
function fingerprintIn({ reason, message }: Tried): string | null {
  return reason === 'certificate' ? (/[0-9a-f]{64}/.exec(message)?.[0] ?? null) : null;
}

interface TrialProps {
  trial: MailboxTrial | null;
  onTrust: ((kind: 'imap' | 'smtp', sha256: string) => void) | null;
}

export function Trial({ trial, onTrust }: TrialProps) {
  return (
    <div class="trial" role="status">
      {trial?.reading != null && (
        <Line
          text={trial.reading.is_ok ? t.readingWorks : t.readingFails}
          tried={trial.reading}
          kind="imap"
          onTrust={onTrust}
        />
      )}
      {trial?.sending != null && (
        <Line
          text={trial.sending.is_ok ? t.sendingWorks : t.sendingFails}
          tried={trial.sending}
          kind="smtp"
          onTrust={onTrust}
        />
      )}
    </div>
  );
}

interface LineProps {
  text: string;
  tried: Tried;
  kind: 'imap' | 'smtp';
  onTrust: TrialProps['onTrust'];
}

function Line({ text, tried, kind, onTrust }: LineProps) {
  const { is_ok: isOk, reason, message } = tried;
  const sha256 = fingerprintIn(tried);
  return (
    <div class={`notice ${isOk ? 'done' : 'problem'}`}>
      <Icon name={isOk ? 'check' : 'alert'} />
      <div>
        <p>
          <strong>{text}</strong> {reason !== null && reasonTexts[reason]()}
        </p>
        {!isOk && (
          <p class="soft">
            <bdi lang="en">{saidAfter(reason, message)}</bdi>
          </p>
        )}
        {sha256 !== null && onTrust !== null && (
          <button type="button" class="button" onClick={() => onTrust(kind, sha256)}>
            {t.trustCertificate}
          </button>
        )}
      </div>
    </div>
  );
}
