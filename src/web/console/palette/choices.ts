// What the tickets of a list can become, by the names of people, statuses, priorities and tags.

import { t } from '../later-messages.ts';
import { changeTargets } from '../list/bulk.ts';
import { changeFor, pickOptions } from '../list/pick-options.ts';
import { type PickerKind, targets } from '../list/targets.ts';
import { route } from '../route.ts';
import { can, session } from '../session.ts';

interface Choice {
  id: string;
  title: string;
  detail?: string;
  run: () => void;
}

export function choicesOfList(): Choice[] {
  const { name } = route.value;
  const found = name === 'inbox' || name === 'search' ? targets() : null;
  if (found === null || !can('write')) return [];
  const kinds: [PickerKind, string][] = [
    ['assign', t.actionAssign],
    ['status', t.actionStatus],
    ['priority', t.actionPriority],
    ['tags', t.actionTags],
  ];
  // "Assign to me" is a command of its own.
  const own = session.value?.agent.id;
  return kinds.flatMap(([kind, action]) =>
    pickOptions(kind, found)
      .filter(({ value }) => kind !== 'assign' || value !== own)
      .map(({ value, text, hint }) => ({
        id: `choice:${kind}:${value}`,
        title: `${action}: ${text}`,
        ...(hint === undefined ? {} : { detail: hint }),
        run: () => {
          const { change, textFor } = changeFor(kind, value, text);
          void changeTargets(found, change, textFor);
        },
      })),
  );
}
