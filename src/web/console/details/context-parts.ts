// The parts of a ticket's context (docs/spec/api.md#context), in the order in which they help.

const groups = ['app', 'device', 'page', 'user', 'runtime', 'sdk'] as const;
export type Group = (typeof groups)[number];

export const levels = ['debug', 'info', 'warning', 'error'] as const;
export type Level = (typeof levels)[number];

export interface ConsoleEntry {
  level: Level;
  message: string;
  at: string | null;
}

interface ContextGroup {
  name: Group;
  facts: [name: string, value: unknown][];
}

export function groupsOf(context: Record<string, unknown>): ContextGroup[] {
  const found = groups.flatMap((name): ContextGroup[] => {
    const group = context[name];
    if (typeof group !== 'object' || group === null) return [];
    return [{ name, facts: Object.entries(group).map(([key, value]) => [key.replaceAll('_', ' '), value]) }];
  });
  return found.filter(({ facts }) => facts.length > 0);
}

export function consoleOf({ console: log }: Record<string, unknown>): ConsoleEntry[] {
  if (!Array.isArray(log)) return [];
  return log.flatMap((entry: Partial<ConsoleEntry> | null) => {
    if (typeof entry?.message !== 'string') return [];
    const level = levels.find((known) => known === entry.level) ?? 'error';
    return [{ level, message: entry.message, at: typeof entry.at === 'string' ? entry.at : null }];
  });
}
