// Adds a mailbox: saves it, then tests it, or asks its owner for consent.

import { useSignal } from '@preact/signals';
import { announceRefusal } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { go } from '../../route.ts';
import { useNew } from '../edited.ts';
import { EqualCommand } from '../equal-command.tsx';
import { t } from '../messages.ts';
import { NewForm } from '../new-form.tsx';
import { type SectionProps, settingsPath } from '../settings-route.ts';
import { AppObstacle, useMailApps } from './app-obstacle.tsx';
import { connect } from './connect.ts';
import { MailboxFields, providerTexts } from './mailbox-fields.tsx';
import { knownFields, mailboxProblems, missingIn } from './mailbox-form.ts';
import { tryOnArrival } from './trial.tsx';
import { addCommand, bodyOf, completed, newMailbox, secrets } from './values.ts';
import type { Mailbox } from './wire.ts';

export function AddMailbox({ site }: Pick<SectionProps, 'site'>) {
  const form = useNew(`mailbox.new.${site.id}`, newMailbox, mailboxProblems, secrets);
  const apps = useMailApps();
  const isLeaving = useSignal(false);
  const { values } = form;
  const isByConsent = values.authentication === 'oauth';
  const lacksApp = isByConsent && apps !== null && !apps.some(({ provider }) => provider === values.provider);
  const list = `/sites/${site.id}/mailboxes`;

  async function add(): Promise<void> {
    const whole = completed(form.values);
    const missing = missingIn(whole, null);
    if (Object.keys(missing).length > 0) return form.refuse(missing);
    const made = await form.send(() => ask<{ data: Mailbox }>('POST', list, bodyOf(whole, true)));
    if (made === null) return;
    const { id } = made.data;
    const page = settingsPath('mailboxes', id, site);
    if (whole.authentication === 'oauth') {
      isLeaving.value = true;
      // Back from the provider leads to the mailbox, not to a form that would add it again.
      go(page, { replace: true });
      const answer = await connect(`${list}/${id}`);
      if (!answer.isOk) announceRefusal(answer.refusal);
      return;
    }
    tryOnArrival(id);
    go(page, { replace: true });
  }

  return (
    <>
      <NewForm
        form={form}
        title={t.addMailbox}
        lead={t.addMailboxLead}
        fields={knownFields}
        list={settingsPath('mailboxes', undefined, site)}
        action={isByConsent ? t.addAndConnect(providerTexts[values.provider]()) : t.addAndTest}
        onSubmit={() => void add()}
      >
        <MailboxFields form={form} isNew obstacle={lacksApp ? <AppObstacle provider={values.provider} /> : null} />
      </NewForm>
      {values.address !== '' && <EqualCommand words={addCommand(site.slug, completed(values))} />}
    </>
  );
}
