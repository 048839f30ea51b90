// What the rules would do to a message, and why. It changes nothing.

import { useSignal } from '@preact/signals';
import type * as z from 'zod';
import type { inboundOutcomes } from '../../../../domain/mail/inbound.ts';
import type { inboundMailShape, traceShape } from '../../../../http/wire/mail/inbound-mail.ts';
import { withoutBidi } from '../../../shared/bidi.ts';
import { Submit } from '../../../shared/button.tsx';
import { ChoiceField, TextArea } from '../../../shared/field.tsx';
import { Form } from '../../../shared/form.tsx';
import { dateAndTime } from '../../../shared/format.ts';
import { Icon } from '../../../shared/icons.tsx';
import { SubmissionNotice } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useForm } from '../../../shared/submission.ts';
import type { Site } from '../../session.ts';
import { useFetched } from '../../shell/fetched.ts';
import type { List } from '../../wire.ts';
import { actionSentence } from './action-rows.ts';
import { t } from './messages.ts';
import type { Names } from './names.ts';
import { mailVocabulary } from './vocabulary.ts';
import { conditionWords } from './words.ts';

type Trace = z.output<typeof traceShape>;
type StoredMail = z.output<typeof inboundMailShape>;

interface Tried {
  outcome: (typeof inboundOutcomes)[number];
  reason: string;
  ticket: { ulid: string; reference: string } | null;
  rules: Trace[];
}

const outcomes: Readonly<Record<Tried['outcome'], () => string>> = {
  ticket_created: () => t.wouldCreate,
  reply_added: () => t.wouldReply,
  duplicate: () => t.wouldBeDuplicate,
  discarded: () => t.wouldDiscard,
  forwarded: () => t.wouldForward,
  ignored_auto_reply: () => t.wouldIgnore,
  bounce_recorded: () => t.wouldRecordBounce,
  held: () => t.wouldHold,
  failed: () => t.wouldFail,
};

const traceOutcomes: Readonly<Record<Trace['outcome'], () => string>> = {
  matched: () => t.ruleMatched,
  not_matched: () => t.ruleNotMatched,
  skipped: () => t.ruleSkipped,
  inactive: () => t.ruleSwitchedOff,
  not_reached: () => t.ruleNotReached,
};

/** In the place of a number of the inbound log: the message is pasted. */
const pasted = '';

const longestOption = 80;

function useStored(site: Site): readonly { value: string; text: string }[] {
  const { data } = useFetched<List<StoredMail>>(`/sites/${site.id}/inbound-mail?per_page=50`);
  return (data.value?.data ?? [])
    .filter(({ provider, erased_at: erased }) => provider !== 'form' && erased === null)
    .map(({ id, received_at: at, sender, subject }) => {
      const words = [dateAndTime(at), sender ?? '…', withoutBidi(subject ?? '')].filter(Boolean).join(' · ');
      return { value: String(id), text: words.length > longestOption ? `${words.slice(0, longestOption)}…` : words };
    });
}

interface SimulatorProps {
  site: Site;
  names: Names;
  /** Shows only what this rule would do. */
  only?: number;
}

export function Simulator({ site, names, only }: SimulatorProps) {
  const form = useForm({ mail: null as string | null, raw: '' });
  const tried = useSignal<Tried | null>(null);
  const stored = useStored(site);
  const { mail: chosen, raw } = form.values;
  const mail = chosen ?? stored[0]?.value ?? pasted;

  async function test(): Promise<void> {
    if (mail === pasted && raw.trim() === '') return form.refuse({ raw: t.required });
    const body = mail === pasted ? { raw } : { inbound_id: Number(mail) };
    const found = await form.send(() => ask<{ data: Tried }>('POST', `/sites/${site.id}/inbound-rules/test`, body));
    tried.value = found?.data ?? null;
  }
  return (
    <section class="panel rule-test" aria-labelledby="rule-test">
      <Form submission={form} label={t.tryRules} onSubmit={() => void test()}>
        <div>
          <h2 id="rule-test">{t.tryRules}</h2>
          <p class="soft">{t.tryRulesLead}</p>
        </div>
        <SubmissionNotice submission={form} fields={['raw']} />
        {stored.length > 0 && (
          <ChoiceField
            label={t.triedMessage}
            value={mail}
            options={[...stored, { value: pasted, text: t.pastedMessage }]}
            onValue={form.field('mail').onValue}
          />
        )}
        {mail === pasted && (
          <TextArea label={t.messageSource} hint={t.messageSourceHint} rows={8} {...form.field('raw')} />
        )}
        <Submit submission={form} kind="plain">
          {t.tryRulesNow}
        </Submit>
        <div role="status" class="rule-tried">
          {tried.value !== null && (
            <Result
              tried={{ ...tried.value, rules: tried.value.rules.filter(({ id }) => only === undefined || id === only) }}
              names={names}
            />
          )}
        </div>
      </Form>
    </section>
  );
}

function Result({ tried: { outcome, reason, ticket, rules }, names }: { tried: Tried; names: Names }) {
  return (
    <>
      <p>
        <strong>{outcomes[outcome]()}</strong> {ticket !== null && t.belongsTo(ticket.reference)}{' '}
        {/* Only the desk knows why. */}
        {(outcome === 'held' || outcome === 'failed') && (
          <span lang="en" class="soft">
            {reason}
          </span>
        )}
      </p>
      {rules.length === 0 && <p class="soft">{t.noRules}</p>}
      <ol>
        {rules.map((rule) => (
          <TriedRule key={rule.id} rule={rule} names={names} />
        ))}
      </ol>
    </>
  );
}

function TriedRule({ rule, names }: { rule: Trace; names: Names }) {
  const { outcome, conditions, actions, explanation, is_last: isLast } = rule;
  return (
    <li>
      <p>
        <bdi>{rule.name}</bdi>{' '}
        <span class={outcome === 'matched' ? 'badge rule-matched' : 'badge'}>{traceOutcomes[outcome]()}</span>
      </p>
      {outcome === 'skipped' && (
        <p lang="en" class="soft">
          {explanation}
        </p>
      )}
      <ul>
        {conditions.map((one, at) => (
          <li key={at}>
            <Icon name={one.holds ? 'check' : 'close'} />
            <span>
              <span class="hidden">{one.holds ? t.conditionHolds : t.conditionFails}: </span>
              {conditionWords(one, mailVocabulary, names)}
            </span>
          </li>
        ))}
        {outcome === 'matched' &&
          actions.map((one, at) => (
            <li key={at}>
              <span aria-hidden="true">→</span>
              <span>
                {actionSentence(one, names, mailVocabulary.rows)}
                {!one.is_applied && (
                  <>
                    {' '}
                    <span class="soft">
                      ({t.actionNotDone}: <span lang="en">{one.explanation.split(': not done, ').at(-1)}</span>)
                    </span>
                  </>
                )}
              </span>
            </li>
          ))}
        {isLast && (
          <li>
            <span aria-hidden="true">→</span>
            <span>{t.ruleStops}</span>
          </li>
        )}
      </ul>
    </li>
  );
}
