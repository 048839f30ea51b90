// placeholder until the rules engine is merged
export interface RuleCondition {
  field: string;
  operator: string;
  value: unknown;
  negate: boolean;
}
export interface RuleAction {
  type: string;
  value?: unknown;
}
export function validateRule(_rule: { conditions: RuleCondition[]; actions: RuleAction[] }): Record<string, string[]> {
  return {};
}
