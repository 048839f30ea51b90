// What can be done on the open page: the one list behind the shortcuts, the palette and the help dialog.

import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

export interface Command {
  id: string;
  title: string;
  /** Such as `j`, `Shift+j`, `g m` (one after the other) or `Mod+k` (Ctrl, or ⌘ on a Mac). Several ways are several entries. */
  keys?: readonly string[];
  run: () => void;
  /** Without it: always. Asked when the command is about to be shown or run. */
  isAvailable?: () => boolean;
  /** Works while typing too. Only for keys with Mod, and Escape. */
  isWhileTyping?: boolean;
  /** In the help dialog and with its keys, but not in the palette: for moves such as `j`. */
  isOnlyByKey?: boolean;
}

/** Where commands belong, in the order in which the help dialog shows them. A later scope wins the same keys. */
export const scopes = ['anywhere', 'list', 'ticket', 'composer', 'page'] as const;
export type Scope = (typeof scopes)[number];

const given = signal<ReadonlyMap<symbol, { scope: Scope; commands: readonly Command[] }>>(new Map());

/** Every command of what is on the page, with the scope of each; a page without any is absent. */
export const commandsByScope: ReadonlySignal<ReadonlyMap<Scope, readonly Command[]>> = computed(
  () =>
    new Map(
      scopes.flatMap((scope) => {
        const found = [...given.value.values()]
          .filter((one) => one.scope === scope)
          .flatMap(({ commands }) => commands);
        return found.length === 0 ? [] : [[scope, found]];
      }),
    ),
);

/** The commands of a component, for as long as it is on the page. */
export function useCommands(scope: Scope, commands: readonly Command[]): void {
  const newest = useRef(commands);
  newest.current = commands;
  // Titles change with the language, and functions with every drawing: the list only grows or shrinks with its ids.
  const ids = commands.map(({ id, title }) => `${id}\n${title}`).join('\n');
  // With the drawing that shows them: a key that is pressed at once is not lost.
  useLayoutEffect(() => {
    const key = Symbol(scope);
    given.value = new Map(given.peek()).set(key, { scope, commands: newest.current.map(lively) });
    return () => {
      const left = new Map(given.peek());
      left.delete(key);
      given.value = left;
    };
  }, [scope, ids]);

  /** Runs the function of the newest drawing. */
  function lively(command: Command): Command {
    const current = () => newest.current.find(({ id }) => id === command.id);
    return {
      ...command,
      run: () => current()?.run(),
      isAvailable: () => current()?.isAvailable?.() ?? true,
    };
  }
}
