// The panel below the search box: suggestions and problems.

import { Icon } from '../../shared/icons.tsx';
import { statusText } from '../tickets/status.tsx';
import type { Completion } from './completion.ts';
import type { SearchProblem } from './language.ts';
import { t } from './messages.ts';
import { problemText } from './problem-text.ts';

interface PanelProps {
  id: string;
  found: readonly Completion[];
  active: number;
  problem: SearchProblem | undefined;
  onTake: (completion: Completion) => void;
}

export function SearchPanel({ id, found, active, problem, onTake }: PanelProps) {
  return (
    <div class="search-panel" hidden={found.length === 0 && problem === undefined}>
      <div role="listbox" id={`${id}-list`} aria-label={t.searchCompletions} class="search-completions">
        {found.map((completion, index) => (
          <div
            key={completion.insert}
            role="option"
            id={`${id}-${index}`}
            class={index === active ? 'option is-active' : 'option'}
            aria-selected={index === active}
            tabIndex={-1}
            // The focus stays in the field.
            onMouseDown={(event) => {
              event.preventDefault();
              onTake(completion);
            }}
          >
            <code dir="ltr">{completion.insert.trim()}</code>
            <span class="option-hint">{hintOf(completion)}</span>
          </div>
        ))}
      </div>
      {problem !== undefined && (
        <p class="field-problem" id={`${id}-problem`}>
          <Icon name="alert" />
          <span>{problemText(problem)}</span>
        </p>
      )}
    </div>
  );
}

function hintOf({ kind, key, value }: Completion): string {
  if (kind === 'key') return keyHint(key);
  if (key === 'status') return statusText(value as Parameters<typeof statusText>[0]);
  if (key === 'assignee' && value === 'me') return t.me;
  if (key === 'assignee' && value === 'none') return t.noAssignee;
  return '';
}

function keyHint(key: Completion['key']): string {
  const hints: Record<Completion['key'], string> = {
    status: t.status,
    assignee: t.assignee,
    team: t.team,
    tag: t.tags,
    priority: t.priority,
    category: t.category,
    site: t.site,
    from: t.filterFrom,
    cc: t.filterParticipant,
    before: t.filterCreatedTo,
    after: t.filterCreatedFrom,
    has: t.filterAttachment,
    is: t.filterSla,
  };
  return hints[key];
}
