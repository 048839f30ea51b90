// The triggers of a site: what happens after a change of a ticket, in order.

import { type TriggerEvent, triggerEvents } from '../../../../domain/rules/trigger.ts';
import type { FormState } from '../../../shared/submission.ts';
import type { SectionProps } from '../settings-route.ts';
import { Several } from './inputs.tsx';
import { jsonCommands } from './json-commands.ts';
import type { RuleKind } from './kind.ts';
import { t } from './messages.ts';
import { listed } from './names.ts';
import { RuleRuns } from './rule-counts.tsx';
import { RuleFields, RulePart, StopField } from './rule-fields.tsx';
import { RuleScreens } from './rule-screens.tsx';
import {
  bodyOf,
  emptyTrigger,
  eventsIn,
  eventWords,
  inOrder,
  problemsIn,
  type Trigger,
  type TriggerValues,
  valuesOf,
} from './trigger.ts';
import { changeVocabulary } from './vocabulary.ts';
import { partWords, sentenceOf } from './words.ts';

const onText = (events: readonly TriggerEvent[]) =>
  listed(
    events.map((event) => eventWords[event]()),
    'disjunction',
  );

function Events({ form }: { form: FormState<TriggerValues> }) {
  const { problem, value, onValue } = form.field('on');
  return (
    <RulePart label={t.triggerOn} problem={problem}>
      {(described) => (
        <Several
          label={t.triggerOn}
          value={value}
          put={(on) => onValue(inOrder(on.split(',')).join(','))}
          isWrong={problem !== undefined}
          described={described}
          separator=","
          options={triggerEvents.map((event) => ({ value: event, text: eventWords[event]() }))}
        />
      )}
    </RulePart>
  );
}

const triggers: RuleKind<Trigger, TriggerValues> = {
  section: 'triggers',
  path: 'triggers',
  noun: 'trigger',
  words: {
    title: () => t.triggers,
    lead: () => t.triggersLead,
    add: () => t.addTrigger,
    none: () => t.noTriggers,
    noneText: () => t.noTriggersText,
  },
  empty: emptyTrigger,
  ...{ valuesOf, bodyOf, problemsIn },
  sentenceOf: (rule, names) =>
    t.triggerSentence(
      onText(inOrder(rule.on)),
      sentenceOf(rule, changeVocabulary, names, rule.stop_processing ? [t.triggerStops] : []),
    ),
  labels: () => ({
    ...{ name: t.name, on: t.triggerOn, match: t.ruleMatchLabel, conditions: t.ruleIf, actions: t.ruleThen },
    stop_processing: t.ruleStopLabel,
  }),
  shown: (part, values, names) =>
    part === 'on' ? onText(eventsIn(values)) : partWords(part, values, changeVocabulary, names),
  fields: (form, names, isNew) => (
    <>
      <RuleFields {...{ form, names, isNew }} vocabulary={changeVocabulary}>
        <Events form={form} />
      </RuleFields>
      <StopField form={form} />
    </>
  ),
  countsOf: ({ runs }) => runs,
  brokenOf: ({ broken }) => broken,
  did: (site, rule, names) => <RuleRuns {...{ site, rule, names }} kind={triggers} vocabulary={changeVocabulary} />,
  commands: jsonCommands('trigger', bodyOf),
};

export const TriggersSection = (props: SectionProps) => <RuleScreens kind={triggers} {...props} />;
