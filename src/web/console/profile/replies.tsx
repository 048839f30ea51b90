// How the agent answers: the signature under replies, and what opens after one was sent.

import { useSignal } from '@preact/signals';
import { bound } from '../../shared/bound.ts';
import { Submit } from '../../shared/button.tsx';
import { ChoiceField, TextArea } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { SubmissionNotice } from '../../shared/notices.tsx';
import { afterSend, type FollowUp } from '../choices.ts';
import { t } from './messages.ts';
import { useSaving } from './save.ts';
import { Section } from './section.tsx';
import type { Profile } from './state.ts';

const longestSignature = 2000;

export function Replies({ profile }: { profile: Profile }) {
  const { submission, save } = useSaving();
  const signature = useSignal(profile.me.signature);
  const followUpTexts: Record<FollowUp, string> = {
    stay: t.afterSendStay,
    next: t.afterSendNext,
    list: t.afterSendList,
  };

  function send(): void {
    if (signature.value.length > longestSignature) submission.refuse({ signature: t.signatureLong(longestSignature) });
    else void save({ signature: signature.value });
  }

  return (
    <Section id="replies" title={t.replies} lead={t.repliesLead}>
      <Form submission={submission} label={t.replies} onSubmit={send}>
        <SubmissionNotice submission={submission} fields={['signature']} />
        <TextArea
          label={t.signature}
          name="signature"
          hint={t.signatureHint}
          problem={submission.problems.value.signature}
          {...bound(signature)}
        />
        <ChoiceField<FollowUp>
          label={t.afterSend}
          hint={t.onlyThisBrowser}
          options={Object.entries(followUpTexts).map(([value, text]) => ({ value: value as FollowUp, text }))}
          {...bound(afterSend)}
        />
        <div class="panel-actions">
          <Submit submission={submission}>{t.saveSignature}</Submit>
        </div>
      </Form>
    </Section>
  );
}
