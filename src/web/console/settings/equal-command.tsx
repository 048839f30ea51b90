// The command that does the same as a screen, for those who write it into a script.

import { Button } from '../../shared/button.tsx';
import { copyAnywhere } from '../../shared/copying.ts';
import { announce } from '../../shared/notices.tsx';
import { t } from './messages.ts';

/** Quoted for a shell where needed. `<` before a file stays as it is, and what a mail server fills in is still filled in. */
function shellWord(word: string): string {
  if (/^(?:[\w@%+=:,./-]+|<)$/.test(word)) return word;
  return /^\$(?:SENDER|RECIPIENT)$/.test(word) ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

export const shellLine = (words: readonly string[]): string => words.map(shellWord).join(' ');

export async function copyLine(line: string, done: string): Promise<void> {
  if (await copyAnywhere(line)) announce(done);
  else announce(t.copyFailed, 'problem');
}

/** A flag for each field that a form has changed. @param wordOf the value as the command line takes it, if not as it is */
export function changedFlags<Values extends object>(
  before: Values,
  values: Values,
  wordOf: (name: keyof Values & string, value: Values[keyof Values]) => string = (_, value) => wordFor(value),
): string[] {
  const changed = (Object.keys(values) as (keyof Values & string)[]).filter((name) => values[name] !== before[name]);
  return changed.flatMap((name) => [`--${name.replaceAll('_', '-')}`, wordOf(name, values[name])]);
}

export const wordFor = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value ?? '');

interface EqualCommandProps {
  words: readonly string[];
  /** Instead of that it does the same as the screen. */
  lead?: string;
}

export function EqualCommand({ words, lead = t.equalCommand }: EqualCommandProps) {
  const line = shellLine(words);
  return (
    <div class="equal-command">
      <p class="soft">{lead}</p>
      <div>
        <code>{words.flatMap((word, at) => [at === 0 ? '' : ' ', <span key={at}>{shellWord(word)}</span>])}</code>
        <Button kind="quiet" label={t.copyCommand} onClick={() => void copyLine(line, t.commandCopied)}>
          {t.copyShort}
        </Button>
      </div>
    </div>
  );
}
