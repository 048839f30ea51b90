// How much the rules of a site may be together: they are read for its mail, and kept by the processes that run them.

import { mostOnSite, mostRuleCharacters } from '../sites/limits.ts';

type Sized = { conditions: readonly { value: unknown }[]; actions: readonly { value: unknown }[] };

const figure = (value: number) => value.toLocaleString('en');

/** Characters in the values of conditions and actions. */
export function charactersOf(rules: readonly Sized[]): number {
  const values = rules.flatMap(({ conditions, actions }) => [...conditions, ...actions]);
  return values.reduce((sum, { value }) => sum + (JSON.stringify(value)?.length ?? 0), 0);
}

export function excessOfCharacters(rules: readonly Sized[]): string | null {
  const characters = charactersOf(rules);
  return characters <= mostRuleCharacters
    ? null
    : `The values in all rules of a site must have at most ${figure(mostRuleCharacters)} characters in total; these have ${figure(characters)}.`;
}

export function excessOfRules(rules: readonly Sized[]): string | null {
  const mostRows = mostOnSite['inbound rule'];
  return rules.length <= mostRows
    ? excessOfCharacters(rules)
    : `A site can have at most ${figure(mostRows)} inbound rules; this one has ${figure(rules.length)}.`;
}
