// Adds a passkey: a name for it, then the browser's own dialog.

import { useSignal } from '@preact/signals';
import { Button, Submit } from '../../shared/button.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { Notice, SubmissionNotice } from '../../shared/notices.tsx';
import { createPasskey, PasskeyRefusal } from '../../shared/passkeys.ts';
import { ask } from '../../shared/signed-in.ts';
import { useForm } from '../../shared/submission.ts';
import { t } from './messages.ts';

interface PasskeyOffer {
  data: { challenge: string; options: PublicKeyCredentialCreationOptionsJSON };
}

interface AddPasskeyProps {
  /** The first factor of an agent brings recovery codes. */
  onDone: (recoveryCodes: string[] | null) => void;
  onClose: () => void;
}

export function AddPasskey({ onDone, onClose }: AddPasskeyProps) {
  const form = useForm({ name: '' });
  const refused = useSignal<PasskeyRefusal | null>(null);

  async function send(): Promise<void> {
    if (form.values.name.trim() === '') return form.refuse({ name: t.required });
    refused.value = null;
    try {
      const answer = await form.send(async () => {
        const offer = await ask<PasskeyOffer>('POST', '/me/passkeys', {});
        if (!offer.isOk) return offer;
        const { challenge, options } = offer.data.data;
        const response = await createPasskey(options);
        return await ask<{ recovery_codes: string[] | null }>('POST', '/me/passkeys', {
          challenge,
          response,
          name: form.values.name.trim(),
        });
      });
      if (answer !== null) onDone(answer.recovery_codes);
    } catch (error) {
      if (!(error instanceof PasskeyRefusal)) throw error;
      refused.value = error;
    }
  }

  return (
    <Dialog title={t.addPasskey} onClose={onClose}>
      <Form submission={form} onSubmit={() => void send()}>
        <SubmissionNotice submission={form} fields={['name']} />
        {refused.value !== null && (
          <div role="alert">
            <Notice kind="hint">{refused.value.isKnownAlready ? t.passkeyExists : t.passkeyCancelled}</Notice>
          </div>
        )}
        <TextField
          label={t.passkeyName}
          autocomplete="off"
          isRequired
          isFirst
          hint={t.passkeyNameHint}
          {...form.field('name')}
        />
        <div class="dialog-actions">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Submit submission={form}>{t.addPasskey}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
