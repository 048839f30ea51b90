// The commands of rules on changes and time, which take a rule as JSON.

import type { RuleKind } from './kind.ts';
import type { Names } from './names.ts';

/** @param word such as `timed-rule` */
export const jsonCommands = <Values>(
  word: string,
  bodyOf: (values: Values, names: Names) => Record<string, unknown>,
): RuleKind<never, Values & { name: string }>['commands'] => ({
  list: [`${word}s`],
  add: (values, names) => [`add-${word}`, JSON.stringify(bodyOf(values, names))],
  change(id, before, now, names) {
    const was = bodyOf(before, names);
    const changed = Object.entries(bodyOf(now, names)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name]),
    );
    return changed.length === 0 ? null : [`update-${word}`, String(id), JSON.stringify(Object.fromEntries(changed))];
  },
});
