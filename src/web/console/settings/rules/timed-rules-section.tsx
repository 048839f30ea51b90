// The timed rules of a site: what happens to tickets that have been in a state for a time.

import { type TimedSince, type TimedTime, timedSinces, timedTimes } from '../../../../domain/rules/timed-rule.ts';
import type { FormState } from '../../../shared/submission.ts';
import type { SectionProps } from '../settings-route.ts';
import { Line, Pick } from './inputs.tsx';
import { jsonCommands } from './json-commands.ts';
import type { RuleKind } from './kind.ts';
import { t } from './messages.ts';
import { inUnit } from './names.ts';
import { RuleRuns } from './rule-counts.tsx';
import { RuleFields, RulePart } from './rule-fields.tsx';
import { RuleScreens } from './rule-screens.tsx';
import {
  bodyOf,
  emptyTimed,
  problemsIn,
  type Span,
  spanIn,
  spanOf,
  type TimedRule,
  type TimedValues,
  type Unit,
  unitsOf,
  valuesOf,
  withTime,
} from './timed-rule.ts';
import { numberIn } from './value-parts.tsx';
import { timeVocabulary } from './vocabulary.ts';
import { partWords, sentenceOf } from './words.ts';

const sinceWords: Readonly<Record<TimedSince, () => string>> = {
  created: () => t.sinceCreated,
  last_customer_message: () => t.sinceCustomerMessage,
  last_agent_message: () => t.sinceAgentMessage,
  status_changed: () => t.sinceStatus,
  assigned: () => t.sinceAssigned,
};

const timeWords: Readonly<Record<TimedTime, () => string>> = {
  calendar: () => t.timedCalendar,
  working: () => t.timedWorking,
};

const unitWords: Readonly<Record<Unit, () => string>> = {
  minute: () => t.timedMinutes,
  hour: () => t.timedHours,
  day: () => t.timedDays,
};

function spanText({ amount, unit, time }: Span): string {
  const said = inUnit(numberIn(amount) ?? 0, unit);
  return time === 'working' ? t.timedOfWorking(said) : said;
}

function When({ form }: { form: FormState<TimedValues> }) {
  const span = spanIn(form.values);
  const { amount, unit, time } = span;
  const problem = form.problems.value.minutes;
  const change = (changed: Partial<Span>) => {
    form.forget('minutes');
    form.change({ span: JSON.stringify({ ...span, ...changed }) });
  };
  const named = (label: string) => ({ label, isWrong: false, described: undefined });
  return (
    <RulePart label={t.triggerOn} problem={problem}>
      {(described) => (
        <div class="rule-row rule-when">
          <Line
            label={t.timedAmount}
            value={amount}
            put={(typed) => change({ amount: typed })}
            isWrong={problem !== undefined}
            described={described}
          />
          <Pick
            {...named(t.timedUnit)}
            value={unit}
            put={(chosen) => change({ unit: chosen as Unit })}
            options={unitsOf(time).map((value) => ({ value, text: unitWords[value]() }))}
          />
          <Pick
            {...named(t.timedTime)}
            value={time}
            put={(chosen) => change(withTime(span, chosen as TimedTime))}
            options={timedTimes.map((value) => ({ value, text: timeWords[value]() }))}
          />
          <Pick
            {...named(t.timedSince)}
            value={form.values.since}
            put={(chosen) => form.change({ since: chosen as TimedSince })}
            options={timedSinces.map((value) => ({ value, text: sinceWords[value]() }))}
          />
        </div>
      )}
    </RulePart>
  );
}

const timedRules: RuleKind<TimedRule, TimedValues> = {
  section: 'timed-rules',
  path: 'timed-rules',
  noun: 'timed_rule',
  words: {
    title: () => t.timedRules,
    lead: () => t.timedRulesLead,
    add: () => t.addTimedRule,
    none: () => t.noTimedRules,
    noneText: () => t.noTimedRulesText,
  },
  empty: emptyTimed,
  ...{ valuesOf, bodyOf, problemsIn },
  sentenceOf: (rule, names) =>
    t.triggerSentence(`${spanText(spanOf(rule))} ${sinceWords[rule.since]()}`, sentenceOf(rule, timeVocabulary, names)),
  labels: () => ({
    ...{ name: t.name, match: t.ruleMatchLabel, conditions: t.ruleIf, actions: t.ruleThen },
    ...{ since: t.timedSince, span: t.timedAmount },
  }),
  shown(part, values, names) {
    if (part === 'since') return sinceWords[values.since]();
    return part === 'span' ? spanText(spanIn(values)) : partWords(part, values, timeVocabulary, names);
  },
  fields: (form, names, isNew) => (
    <RuleFields {...{ form, names, isNew }} vocabulary={timeVocabulary}>
      <When form={form} />
    </RuleFields>
  ),
  countsOf: ({ runs }) => runs,
  brokenOf: ({ broken }) => broken,
  did: (site, rule, names) => <RuleRuns {...{ site, rule, names }} kind={timedRules} vocabulary={timeVocabulary} />,
  commands: jsonCommands('timed-rule', bodyOf),
};

export const TimedRulesSection = (props: SectionProps) => <RuleScreens kind={timedRules} {...props} />;
