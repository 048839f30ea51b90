// What can be done with the selected tickets.

import { Button } from '../../../shared/button.tsx';
import { count as formatted } from '../../../shared/format.ts';
import { Icon } from '../../../shared/icons.tsx';
import { Menu } from '../../../shared/menu.tsx';
import { t } from '../../on-demand-messages.ts';
import { can } from '../../session.ts';
import { markSpam } from '../list-commands.ts';
import type { TicketList } from '../ticket-list.ts';
import { cancel, progress } from './bulk.ts';
import { nothingSelected } from './selection.ts';
import { type PickerKind, pick } from './targets.ts';

export function BulkBar({ list }: { list: TicketList }) {
  const { ulids, isAll } = list.selection.value;
  if (progress.value !== null) return <ProgressBar />;
  if (!can('write') || (!isAll && ulids.size === 0)) return null;
  const total = list.rows.total.value ?? 0;
  const count = isAll ? total : ulids.size;
  const buttons: [PickerKind, string][] = [
    ['assign', t.assign],
    ['status', t.actionStatus],
    ['priority', t.actionPriority],
    ['category', t.actionCategory],
    ['tags', t.actionTags],
    ['snooze', t.snooze],
  ];
  return (
    <div class="bulk-bar" role="toolbar" aria-label={t.bulkActions}>
      <p class="bulk-count" role="status">
        {isAll ? t.allSelected(formatted(count)) : t.someSelected(formatted(count))}
      </p>
      {!isAll && total > ulids.size && (
        <Button
          kind="quiet"
          onClick={() => {
            list.selection.value = { ...nothingSelected, isAll: true };
          }}
        >
          {t.selectAllOf(formatted(total))}
        </Button>
      )}
      <div class="bulk-actions">
        {buttons.map(([kind, text]) => (
          <Button key={kind} onClick={() => pick(kind)}>
            {text}
          </Button>
        ))}
        <Menu
          label={t.listMoreActions}
          buttonClass="button plain"
          placement={{ side: 'above', align: 'end' }}
          items={[
            { text: t.actionTeam, run: () => pick('team') },
            { text: t.actionMacro, run: () => pick('macro') },
            { text: t.actionMerge, isDisabled: isAll || ulids.size < 2, run: () => pick('merge') },
            { text: t.actionSpam, isDanger: true, isApart: true, run: markSpam },
          ]}
        >
          <Icon name="more" />
        </Menu>
      </div>
      <button
        type="button"
        class="icon-button"
        aria-label={t.clearSelection}
        title={t.clearSelection}
        onClick={() => {
          list.selection.value = nothingSelected;
        }}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

function ProgressBar() {
  const shown = progress.value;
  if (shown === null) return null;
  const { done, total } = shown;
  const text = t.changing(formatted(done), formatted(total));
  return (
    <div class="bulk-bar">
      <p class="bulk-count">{text}</p>
      <progress value={done} max={Math.max(1, total)} aria-label={text} />
      <Button onClick={cancel}>{t.cancel}</Button>
    </div>
  );
}
