// Connects an authenticator app: scan or type the key, then prove it with a code.

import { Button, Submit } from '../../shared/button.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { CodeField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { SubmissionNotice } from '../../shared/notices.tsx';
import { ask } from '../../shared/signed-in.ts';
import { useForm } from '../../shared/submission.ts';
import type { TotpSetup } from '../../shared/wire.ts';
import { t } from './messages.ts';

interface AuthenticatorSetupProps {
  setup: TotpSetup;
  onDone: (recoveryCodes: string[]) => void;
  onClose: () => void;
}

export function AuthenticatorSetup({ setup, onDone, onClose }: AuthenticatorSetupProps) {
  const form = useForm({ code: '' });

  async function send(): Promise<void> {
    if (form.values.code === '') return form.refuse({ code: t.required });
    const answer = await form.send(() =>
      ask<{ recovery_codes: string[] }>('POST', '/me/totp/confirm', { code: form.values.code }),
    );
    if (answer !== null) return onDone(answer.recovery_codes);
    if (form.refusal.value?.code === 'wrong_credentials') {
      form.change({ code: '' });
      form.refuse({ code: t.codeWrong });
    }
  }

  return (
    <Dialog title={t.totpTitle} onClose={onClose}>
      <Form submission={form} onSubmit={() => void send()}>
        <ol class="steps">
          <li>
            <p>{t.totpScan}</p>
            <QrCode svg={setup.qr} label={t.qrAlt} />
            <p class="soft">{t.totpByHand}</p>
            <code class="secret">{setup.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
          </li>
          <li>
            <p>{t.totpThenCode}</p>
            <SubmissionNotice submission={form} fields={['code']} />
            <CodeField label={t.code} {...form.field('code')} onComplete={() => void send()} />
          </li>
        </ol>
        <div class="dialog-actions">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Submit submission={form}>{t.turnOn}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}

// The desk's QR code, drawn from its numbers: text from a server never becomes HTML here.
/** Dark on light, because many apps cannot read the opposite. */
function QrCode({ svg, label }: { svg: string; label: string }) {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1] ?? 0);
  const path = [...svg.matchAll(/<path[^>]*\sd="([MmHhVvLlZz\d ,.-]+)"/g)].map(([, d]) => d).join('');
  if (size === 0 || path === '') return null;
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={path} />
    </svg>
  );
}
