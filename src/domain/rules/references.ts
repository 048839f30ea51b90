// What a rule can name on its site, and what it names that is no longer there.

import type { Rule, RuleCategory, RuleCondition, RuleSurroundings } from './rule.ts';

export type Known = {
  categories: Map<number, RuleCategory>;
  categoryWords: Set<string>;
  priorities: Map<number, string>;
  senders: Map<number, string>;
  agents: Map<number, string>;
  hasMembers: boolean;
};

export function indexed(surroundings: RuleSurroundings): Known {
  const words = surroundings.categories.flatMap((each) => [
    String(each.id),
    each.slug.toLowerCase(),
    each.name.toLowerCase(),
  ]);
  return {
    categories: new Map(surroundings.categories.map((each) => [each.id, each])),
    categoryWords: new Set(words),
    priorities: new Map(surroundings.priorities.map((each) => [each.id, each.name])),
    senders: new Map(surroundings.senders.map((each) => [each.id, each.name])),
    agents: new Map(surroundings.agents.map((each) => [each.id, each.name])),
    hasMembers: surroundings.hasMembers,
  };
}

export function missing(rule: Rule, known: Known): string | null {
  for (const { type, value } of rule.actions) {
    if (type === 'set_category' && !known.categories.has(value)) return `category ${value}`;
    if (type === 'set_priority' && !known.priorities.has(value)) return `priority ${value}`;
    if (type === 'set_sender' && !known.senders.has(value)) return `sender ${value}`;
    if (type === 'assign' && value !== 'round_robin' && !known.agents.has(value)) return `agent ${value}`;
  }
  for (const condition of rule.conditions) {
    const gone = missingCategory(condition, known);
    if (gone !== undefined) return `category ${gone}`;
  }
  return null;
}

export function missingCategory({ field, operator, value }: RuleCondition, known: Known): string | undefined {
  if (field !== 'site_category' || (operator !== 'equals' && operator !== 'in')) return undefined;
  const gone = [value].flat().find((each) => !known.categoryWords.has(String(each).toLowerCase()));
  return gone === undefined ? undefined : String(gone);
}
