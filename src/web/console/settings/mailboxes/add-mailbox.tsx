// Adds a mailbox: saves it, then tests it, or asks its owner for consent.

import { useSignal } from '@preact/signals';
import { Button, Submit } from '../../../shared/button.tsx';
import { Form } from '../../../shared/form.tsx';
import { announceRefusal, SubmissionNotice } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useForm } from '../../../shared/submission.ts';
import { go } from '../../route.ts';
import { EqualCommand } from '../equal-command.tsx';
import { t } from '../messages.ts';
import { SectionHead } from '../section-head.tsx';
import { type SectionProps, settingsPath } from '../settings-route.ts';
import { AppObstacle, useMailApps } from './app-obstacle.tsx';
import { connect } from './connect.ts';
import { MailboxFields, providerTexts } from './mailbox-fields.tsx';
import { knownFields, mailboxProblems, missingIn } from './mailbox-form.ts';
import { tryOnArrival } from './trial.tsx';
import { addCommand, bodyOf, completed, newMailbox } from './values.ts';
import type { Mailbox } from './wire.ts';

export function AddMailbox({ site }: Pick<SectionProps, 'site'>) {
  const form = useForm(newMailbox, mailboxProblems);
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
      <SectionHead title={t.addMailbox} lead={t.addMailboxLead} />
      <div class="panel">
        <Form submission={form} label={t.addMailbox} onSubmit={() => void add()}>
          <SubmissionNotice submission={form} fields={knownFields} />
          <MailboxFields form={form} isNew obstacle={lacksApp ? <AppObstacle provider={values.provider} /> : null} />
          <div class="panel-actions">
            <Button onClick={() => go(settingsPath('mailboxes', undefined, site))}>{t.cancel}</Button>
            <Submit submission={form}>
              {isByConsent ? t.addAndConnect(providerTexts[values.provider]()) : t.addAndTest}
            </Submit>
          </div>
        </Form>
      </div>
      {values.address !== '' && <EqualCommand words={addCommand(site.slug, completed(values))} />}
    </>
  );
}
