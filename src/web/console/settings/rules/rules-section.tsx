// The inbound rules of a site: what happens to mail before it becomes a ticket or a reply, in order.

import type { SectionProps } from '../settings-route.ts';
import {
  bodyOf,
  changesOf,
  emptyRule,
  flagsOf,
  problemsIn,
  type Rule,
  type RuleValues,
  valuesOf,
} from './inbound-rule.ts';
import type { RuleKind } from './kind.ts';
import { t } from './messages.ts';
import { RuleMatches } from './rule-counts.tsx';
import { RuleFields, StopField } from './rule-fields.tsx';
import { RuleScreens } from './rule-screens.tsx';
import { Simulator } from './simulator.tsx';
import { mailVocabulary } from './vocabulary.ts';
import { partWords, sentenceOf } from './words.ts';

const inboundRules: RuleKind<Rule, RuleValues> = {
  section: 'rules',
  path: 'inbound-rules',
  noun: 'inbound_rule',
  words: {
    title: () => t.rules,
    lead: () => t.rulesLead,
    add: () => t.addRule,
    none: () => t.noRules,
    noneText: () => t.noRulesText,
  },
  empty: emptyRule,
  ...{ valuesOf, bodyOf, problemsIn },
  sentenceOf: (rule, names) => sentenceOf(rule, mailVocabulary, names, rule.stop_processing ? [t.ruleStops] : []),
  labels: () => ({
    ...{ name: t.name, match: t.ruleMatchLabel, conditions: t.ruleWhen, actions: t.ruleThen },
    stop_processing: t.ruleStopLabel,
  }),
  shown: (part, values, names) => partWords(part, values, mailVocabulary, names),
  fields: (form, names, isNew) => (
    <>
      <RuleFields {...{ form, names, isNew }} vocabulary={mailVocabulary} />
      <StopField form={form} />
    </>
  ),
  countsOf: ({ last_30_days: { runs, matches } }) => ({ ran: runs, matched: matches }),
  did: (site, rule) => <RuleMatches site={site} rule={rule} />,
  tester: (site, names, only) => <Simulator site={site} names={names} {...(only === undefined ? {} : { only })} />,
  commands: {
    list: ['list'],
    move: (first) => ['move', String(first), '1'],
    add(values, names) {
      const flags = flagsOf(values, names);
      return flags && ['add', ...flags];
    },
    change(id, before, now, names) {
      const flags = changesOf(before, now, names);
      return flags && ['update', String(id), ...flags];
    },
  },
};

export const RulesSection = (props: SectionProps) => <RuleScreens kind={inboundRules} {...props} />;
