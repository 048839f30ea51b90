// A trigger as its form has it, and as the API takes it.

import type * as z from 'zod';
import { type TriggerEvent, triggerEvents } from '../../../../domain/rules/trigger.ts';
import type { triggerShape } from '../../../../http/wire/rules/automation.ts';
import { emptyParts, partsBody, partValues, problemsInParts, type RuleParts } from './draft.ts';
import { t } from './messages.ts';
import type { Names } from './names.ts';
import { changeVocabulary } from './vocabulary.ts';

export type Trigger = z.output<typeof triggerShape>;

export interface TriggerValues extends RuleParts {
  /** Their names, with commas: as one text a change is seen. */
  on: string;
  stop_processing: boolean;
}

export const eventWords: Readonly<Record<TriggerEvent, () => string>> = {
  created: () => t.onCreated,
  customer_message: () => t.onCustomerMessage,
  agent_reply: () => t.onAgentReply,
  note: () => t.onNote,
  status_changed: () => t.onStatus,
  assigned: () => t.onAssigned,
  priority_changed: () => t.onPriority,
  category_changed: () => t.onCategory,
  tagged: () => t.onTags,
  field_changed: () => t.onField,
  sla_warned: () => t.onSlaWarned,
  sla_breached: () => t.onSlaBreached,
  snooze_ended: () => t.onSnoozeEnded,
  satisfaction_given: () => t.onRated,
};

export const inOrder = (events: readonly string[]) => triggerEvents.filter((event) => events.includes(event));
export const eventsIn = ({ on }: TriggerValues) => inOrder(on.split(','));

export const emptyTrigger: TriggerValues = { ...emptyParts, on: 'created', stop_processing: false };

export const valuesOf = (rule: Trigger): TriggerValues => ({
  ...partValues(rule, changeVocabulary),
  on: inOrder(rule.on).join(','),
  stop_processing: rule.stop_processing,
});

export const bodyOf = (values: TriggerValues, names: Names) => {
  const { name, ...parts } = partsBody(values, changeVocabulary, names);
  return { name, on: eventsIn(values), ...parts, stop_processing: values.stop_processing };
};

export const problemsIn = (values: TriggerValues, names: Names): Record<string, string> => ({
  ...problemsInParts(values, changeVocabulary, names),
  ...(values.on === '' ? { on: t.required } : {}),
});
