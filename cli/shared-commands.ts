// The commands of what several sites can have, such as teams and macros.

import type { SharedNounName } from '../src/desk/shared-nouns.ts';
import type { OperationName } from './ask.ts';
import { type OperationCommand, operationGroup, type Register } from './operation-command.ts';
import { plain } from './output/text.ts';

type Own = Partial<OperationCommand> & Pick<OperationCommand, 'does' | 'example'>;
interface Named {
  data: { id: number; name: string };
}

/** @param word in the singular, as in the names of its operations */
export function sharedCommands(
  word: SharedNounName,
  [meaning, example]: readonly [meaning: string, example: string],
  { list, create, update, remove }: Readonly<Record<'list' | 'create' | 'update' | 'remove', Own>>,
): Register {
  const one = word.replace(/^./, (letter) => letter.toUpperCase());
  const of = (verb: string): OperationName => `${word}s/${verb}`;
  return operationGroup(word, meaning, example, [
    { usage: 'list', operation: of(`list${one}s`), ...list },
    {
      usage: 'create',
      operation: of(`create${one}`),
      print: ({ data }: Named) => `Added ${word} ${data.id}, ${plain(data.name)}.`,
      ...create,
    },
    {
      usage: 'update <id>',
      operation: of(`update${one}`),
      print: ({ data }: Named) => `Changed ${word} ${data.id}, ${plain(data.name)}.`,
      ...update,
    },
    {
      usage: 'rm <id>',
      operation: of(`delete${one}`),
      question: ({ words }) => `Remove ${word} ${words.id}?`,
      print: (_answer, { words }) => `Removed ${word} ${words.id}.`,
      ...remove,
    },
  ]);
}
