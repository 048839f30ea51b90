// The changes of a macro before they are made: each can be taken out.

import { Icon } from '../../shared/icons.tsx';
import { agents, categories, priorities, teams } from '../catalogue.ts';
import { statusText } from '../tickets/status.tsx';
import { t } from './messages.ts';
import { partsOf, type StagedChanges, type StagedPart, without } from './staged.ts';

interface ChipsProps {
  siteId: number;
  staged: StagedChanges | null;
  onChange: (staged: StagedChanges | null) => void;
}

export function StagedChips({ siteId, staged, onChange }: ChipsProps) {
  if (staged === null) return null;
  return (
    <ul class="staged" aria-label={t.stagedChanges}>
      {partsOf(staged).map((part) => {
        const text = partText(part, staged, siteId);
        return (
          <li key={text} class="staged-chip">
            {text}
            <button
              type="button"
              class="tag-remove"
              aria-label={t.leaveOut(text)}
              title={t.leaveOut(text)}
              onClick={() => onChange(without(staged, part))}
            >
              <Icon name="close" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function partText(part: StagedPart, staged: StagedChanges, siteId: number): string {
  const named = (all: readonly { id: number; name: string }[] | null, id: unknown) =>
    all?.find((one) => one.id === id)?.name ?? t.nothingChosen;
  switch (part.field) {
    case 'status':
      return t.stagedStatus(statusText(staged.status ?? 'open'));
    case 'priority_id':
      return t.stagedPriority(named(priorities(siteId).value, staged.priority_id));
    case 'category_id':
      return t.stagedCategory(named(categories(siteId).value, staged.category_id));
    case 'assigned_to':
      return t.stagedAssignee(
        staged.assigned_to === 'me' ? t.stagedMe : named(agents(siteId).value, staged.assigned_to),
      );
    case 'team_id':
      return t.stagedTeam(named(teams(siteId).value, staged.team_id));
    case 'snooze_hours':
      return t.stagedSnooze(String(staged.snooze_hours));
    case 'add_tags':
      return t.stagedAddTag(part.tag);
    case 'remove_tags':
      return t.stagedRemoveTag(part.tag);
  }
}
