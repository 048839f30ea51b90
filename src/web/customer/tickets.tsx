// "My tickets": an address, the code that was mailed to it, and then the list that the desk writes.

import { useSignal } from '@preact/signals';
import { Button } from '../shared/button.tsx';
import { TextField } from '../shared/field.tsx';
import { Form } from '../shared/form.tsx';
import { SubmissionNotice } from '../shared/notices.tsx';
import { useSubmission } from '../shared/submission.ts';
import { isAddressLike } from './address.ts';
import { askForCode, CodeStep } from './code-step.tsx';
import { t } from './messages.ts';
import { fill, site } from './place.tsx';

export function startTickets(): void {
  fill('prove', <Prove />);
}

function Prove() {
  const submission = useSubmission();
  const email = useSignal('');
  const isAsked = useSignal(false);
  const ask = () => askForCode({ site: site(), email: email.value.trim() });

  async function send(): Promise<void> {
    if (!isAddressLike(email.value))
      return submission.refuse({ email: email.value === '' ? t.required : t.emailRefused });
    if ((await submission.send(ask)) !== null) isAsked.value = true;
  }

  if (isAsked.value)
    return (
      <CodeStep
        lead={t.ticketsLead}
        mailed={t.codeMaybeMailed(email.value.trim())}
        names={{ site: site() }}
        isAsked
        ask={ask}
        onProved={() => location.reload()}
        onCancel={() => {
          isAsked.value = false;
        }}
        cancelText={t.otherAddress}
      />
    );
  return (
    <Form submission={submission} label={t.myTickets} onSubmit={() => void send()}>
      <p class="soft">{t.ticketsLead}</p>
      <SubmissionNotice submission={submission} fields={['email']} />
      <TextField
        label={t.yourEmail}
        name="email"
        type="email"
        autocomplete="email"
        isRequired
        value={email.value}
        problem={submission.problems.value.email}
        onValue={(value) => {
          email.value = value;
        }}
      />
      <Button
        type="submit"
        kind="primary"
        isWide
        isBusy={submission.isBusy.value}
        isDisabled={submission.waitSeconds.value > 0}
      >
        {t.goOn}
      </Button>
    </Form>
  );
}
