// A new webhook. Its secret is shown on the page that it leads to.

import { ask } from '../../../shared/signed-in.ts';
import { go } from '../../route.ts';
import { useNew } from '../edited.ts';
import { EqualCommand } from '../equal-command.tsx';
import { t } from '../messages.ts';
import { NewForm } from '../new-form.tsx';
import { type SectionProps, settingsPath } from '../settings-route.ts';
import { ChannelFields } from './channel-fields.tsx';
import { bodyOf, channelCommand, channelProblems, missingIn, newChannel } from './channel-values.ts';
import { ReceiverGuide } from './receiver-guide.tsx';
import { shownSecret } from './secret.tsx';
import type { Channel } from './wire.ts';

export function AddChannel({ site }: Pick<SectionProps, 'site'>) {
  const form = useNew(`webhook.new.${site.id}`, newChannel, channelProblems);

  async function add(): Promise<void> {
    const missing = missingIn(form.values);
    if (Object.keys(missing).length > 0) return form.refuse(missing);
    const made = await form.send(() =>
      ask<{ data: Channel; signing_secret: string }>('POST', `/sites/${site.id}/webhook-channels`, bodyOf(form.values)),
    );
    if (made === null) return;
    const { id, type } = made.data;
    // Chat platforms check no signature.
    if (type === 'custom') shownSecret.value = { channel: id, secret: made.signing_secret };
    go(settingsPath('webhooks', id, site), { replace: true });
  }

  return (
    <>
      <NewForm
        form={form}
        title={t.addWebhook}
        lead={t.addWebhookLead}
        fields={Object.keys(newChannel)}
        list={settingsPath('webhooks', undefined, site)}
        action={t.addWebhook}
        onSubmit={() => void add()}
      >
        <ChannelFields form={form} isNew />
      </NewForm>
      {form.values.type === 'custom' && <ReceiverGuide prefix={form.values.header_prefix} />}
      <EqualCommand words={channelCommand(site.slug, ['add'], form.values)} />
    </>
  );
}
