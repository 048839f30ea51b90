// What the application said about where the ticket comes from, and the browser's console as a log.

import { useSignal } from '@preact/signals';
import { timeToTheSecond } from '../../shared/format.ts';
import type { TicketDetail } from '../wire.ts';
import { Facts } from './facts.tsx';
import { t } from './messages.ts';

type Context = NonNullable<TicketDetail['context']>;

export function hasDiagnostics(context: TicketDetail['context']): context is Context {
  return context !== null && (groupsOf(context).length > 0 || consoleOf(context).length > 0);
}

export function Diagnostics({ context }: { context: Context }) {
  const log = consoleOf(context);
  return (
    <>
      {groupsOf(context).map(({ name, facts }) => (
        <div key={name} class="facts-group">
          <h3>{groupText(name)}</h3>
          <Facts facts={facts} />
        </div>
      ))}
      {log.length > 0 && <ConsoleLog log={log} />}
    </>
  );
}

function ConsoleLog({ log }: { log: readonly ConsoleEntry[] }) {
  const least = useSignal<Level>('debug');
  const present = levels.filter((level) => log.some((entry) => entry.level === level));
  const shown = log.filter(({ level }) => levels.indexOf(level) >= levels.indexOf(least.value));
  return (
    <div class="facts-group">
      <div class="console-heading">
        <h3>{t.browserConsole}</h3>
        {present.length > 1 && (
          <button
            type="button"
            class="console-filter"
            aria-pressed={least.value === 'warning'}
            onClick={() => {
              least.value = least.value === 'debug' ? 'warning' : 'debug';
            }}
          >
            {t.onlyProblems}
          </button>
        )}
      </div>
      <ol class="console-log" aria-label={t.browserConsole}>
        {shown.map(({ level, message, at }, index) => (
          // The log of a ticket never changes.
          <li key={index} class={level}>
            <span class="console-level">{levelText(level)}</span>
            {at !== null && (
              <time dateTime={at} title={at}>
                {timeToTheSecond(at)}
              </time>
            )}
            <code dir="ltr">{message}</code>
          </li>
        ))}
      </ol>
      {shown.length === 0 && <p class="soft">{t.noProblems}</p>}
    </div>
  );
}

function groupText(group: Group): string {
  const texts: Record<Group, string> = {
    app: t.diagnosticsApp,
    device: t.diagnosticsDevice,
    page: t.diagnosticsPage,
    user: t.diagnosticsUser,
    runtime: t.diagnosticsRuntime,
    sdk: t.diagnosticsSdk,
  };
  return texts[group];
}

function levelText(level: Level): string {
  return { debug: t.levelDebug, info: t.levelInfo, warning: t.levelWarning, error: t.levelError }[level];
}

// The parts of a ticket's context (docs/spec/api.md#context), in the order in which they help.
const groups = ['app', 'device', 'page', 'user', 'runtime', 'sdk'] as const;
type Group = (typeof groups)[number];

const levels = ['debug', 'info', 'warning', 'error'] as const;
type Level = (typeof levels)[number];

interface ConsoleEntry {
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
