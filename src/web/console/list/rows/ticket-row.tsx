// One row of the list: on a wide screen its columns, on a narrow one two lines.

import type { ComponentChildren, TargetedMouseEvent } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { isolated, withoutBidi } from '../../../shared/bidi.ts';
import { Icon } from '../../../shared/icons.tsx';
import { drawnOnChange } from '../../../shared/unchanged.ts';
import { Swatch } from '../../details/swatch.tsx';
import type { Present } from '../../live/live.ts';
import { go } from '../../route.ts';
import { searchPart } from '../../search/load-language.ts';
import { can } from '../../session.ts';
import { prefetch } from '../../tickets/cache.ts';
import { StatusIcon, statusText } from '../../tickets/status.tsx';
import type { Ticket } from '../../wire.ts';
import type { AgeSort } from '../filters/filter.ts';
import { subjectText, t } from '../messages.ts';
import type { Column } from './columns.ts';
import { longPress, RowActions } from './row-actions.tsx';
import { Age, DueTime, Person, PriorityMark, Tags, Viewers } from './row-cells.tsx';

interface RowProps {
  row: number;
  ticket: Ticket;
  /** Null for two lines. */
  columns: readonly Column[] | null;
  /** Whether two lines have the assignee, which some views imply. */
  hasAssignee: boolean;
  top: number;
  isActive: boolean;
  isSelected: boolean;
  /** On the page next to the list. */
  isOpen: boolean;
  /** Someone else changed it, and it no longer belongs into this list. */
  isDeparted: boolean;
  siteName: string | null;
  /** By which the list was found; they are marked. */
  words: string | undefined;
  viewers: readonly Present[];
  ageSince: AgeSort;
  onToggle: (row: number) => void;
  onExtend: (row: number) => void;
  onPoint: (row: number) => void;
}

function authorName({ author }: Ticket): string {
  return withoutBidi(author?.name ?? author?.email ?? t.unknownAuthor);
}

/** What marks words is loaded with the language of searches. */
function withMarks(text: string, words: string | undefined): ComponentChildren {
  const loaded = words === undefined ? null : searchPart.state.value;
  if (words === undefined || loaded === null || loaded === 'failed') return withoutBidi(text);
  const { Marked } = loaded.part;
  return <Marked text={text} search={words} />;
}

/** What a screen reader says of a row. */
function rowName(subject: string, ticket: Ticket): string {
  const parts = [
    subject,
    ticket.reference,
    ticket.snoozed_until === null ? statusText(ticket.status) : t.isSnoozed,
    authorName(ticket),
    ...(ticket.is_unread ? [t.isUnread] : []),
    ...(ticket.has_draft ? [t.hasDraft] : []),
  ];
  return parts.join(', ');
}

/** A hand that is about to click rests first; rows that scroll by under it are not asked for. */
const restMs = 60;
let pointed: ReturnType<typeof setTimeout> | undefined;

function prefetchSoon(ulid: string): void {
  clearTimeout(pointed);
  pointed = setTimeout(() => prefetch(ulid), restMs);
}

/** Apart from the row's drawing: what is kept here would hold all that the row was drawn with. */
function usePress(row: number, onToggle: RowProps['onToggle']): ReturnType<typeof longPress> {
  const toggle = useRef(onToggle);
  toggle.current = onToggle;
  return useMemo(() => longPress(() => toggle.current(row)), [row]);
}

export const rowId = (row: number) => `ticket-row-${row}`;

export const TicketRow = drawnOnChange(function TicketRow(props: RowProps) {
  const { row, ticket, words, columns, top, isActive, isSelected, isOpen, isDeparted, onExtend, onPoint, onToggle } =
    props;
  const path = `/tickets/${ticket.ulid}`;
  const press = usePress(row, onToggle);

  function open(event: TargetedMouseEvent<HTMLAnchorElement>): void {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    if (event.shiftKey) {
      onExtend(row);
      return;
    }
    onPoint(row);
    go(path);
  }

  const subject = subjectText(ticket.subject);
  const link = (
    <a class="row-link" href={path} title={subject} tabIndex={-1} draggable={false} onClick={open}>
      <span class="row-subject" dir="auto">
        {withMarks(subject, words)}
      </span>
    </a>
  );
  const classes = [
    'ticket-row',
    ...(columns === null ? ['two-lines'] : []),
    ...(ticket.is_unread ? ['is-unread'] : []),
    ...(isActive ? ['is-active'] : []),
    ...(isSelected ? ['is-selected'] : []),
    ...(isOpen ? ['is-open'] : []),
    ...(isDeparted ? ['is-departed'] : []),
  ];
  return (
    <div
      role="row"
      id={rowId(row)}
      class={classes.join(' ')}
      style={{ transform: `translateY(${top}px)` }}
      aria-rowindex={row + (columns === null ? 1 : 2)}
      aria-selected={isSelected}
      aria-label={rowName(subject, ticket)}
      onPointerEnter={() => prefetchSoon(ticket.ulid)}
      onPointerLeave={() => clearTimeout(pointed)}
      {...press}
    >
      <Check {...props} />
      {columns === null ? (
        <TwoLines {...props} link={link} />
      ) : (
        columns.map((column) => (
          <div key={column} role="gridcell" class={`cell of-${column}`}>
            {column === 'subject' ? (
              <>
                {link}
                {ticket.has_draft && <DraftMark />}
                {ticket.snippet !== null && (
                  <span class="snippet" title={ticket.snippet}>
                    <bdi class="snippet-text">{withMarks(ticket.snippet, words)}</bdi>
                  </span>
                )}
              </>
            ) : (
              <Cell {...props} column={column} />
            )}
          </div>
        ))
      )}
      {can('write') && <RowActions onPoint={() => onPoint(row)} />}
    </div>
  );
});

function Check({ row, ticket, isSelected, onToggle, onExtend }: RowProps) {
  return (
    <div role="gridcell" class="cell check">
      <label>
        <input
          type="checkbox"
          tabIndex={-1}
          checked={isSelected}
          aria-label={t.selectTicket(isolated(subjectText(ticket.subject)))}
          onClick={(event) => {
            // The list says what is selected.
            event.preventDefault();
            if (event.shiftKey) onExtend(row);
            else onToggle(row);
          }}
        />
      </label>
    </div>
  );
}

function DraftMark() {
  return (
    <span class="draft-mark" title={t.hasDraft}>
      <Icon name="pencil" />
      <span class="cell-text">{t.hasDraft}</span>
    </span>
  );
}

function Status({ ticket }: { ticket: Ticket }) {
  const isSnoozed = ticket.snoozed_until !== null;
  const text = isSnoozed ? t.isSnoozed : statusText(ticket.status);
  return (
    <span class="status-mark" title={text}>
      <StatusIcon status={ticket.status} isSnoozed={isSnoozed} />
      <span class="hidden">{text}</span>
    </span>
  );
}

function Cell({ ticket, column, siteName, viewers, ageSince }: RowProps & { column: Column }): ComponentChildren {
  switch (column) {
    case 'status':
      return <Status ticket={ticket} />;
    case 'reference':
      return <span class="reference">{ticket.reference}</span>;
    case 'author':
      return (
        <span class="cell-text" dir="auto">
          {authorName(ticket)}
        </span>
      );
    case 'site':
      return <span class="cell-text">{siteName}</span>;
    case 'category':
      return (
        ticket.category !== null && (
          <span class="category" title={ticket.category.name}>
            <Swatch color={ticket.category.color} />
            <span class="cell-text">{ticket.category.name}</span>
          </span>
        )
      );
    case 'priority':
      return <PriorityMark priority={ticket.priority} />;
    case 'tags':
      return <Tags tags={ticket.tags} />;
    case 'team':
      return ticket.team !== null && <span class="cell-text">{ticket.team.name}</span>;
    case 'assignee':
      return ticket.assignee === null ? (
        <span class="hidden">{t.noAssignee}</span>
      ) : (
        <Person name={ticket.assignee.name} />
      );
    case 'viewers':
      return <Viewers viewers={viewers} />;
    case 'due':
      return <DueTime ticket={ticket} units={2} />;
    case 'age':
      return <Age ticket={ticket} since={ageSince} />;
    case 'subject':
      return null;
  }
}

function TwoLines({
  ticket,
  viewers,
  siteName,
  ageSince,
  hasAssignee,
  words,
  link,
}: RowProps & { link: ComponentChildren }) {
  const { assignee } = ticket;
  return (
    <>
      <div role="gridcell" class="cell of-status">
        <Status ticket={ticket} />
      </div>
      {hasAssignee && assignee !== null && (
        <div role="gridcell" class="cell of-assignee">
          <Person name={assignee.name} isShort />
        </div>
      )}
      <div role="gridcell" class="cell first-line">
        {link}
        {ticket.has_draft && <DraftMark />}
        <Viewers viewers={viewers} />
        <Age ticket={ticket} since={ageSince} />
      </div>
      <div role="gridcell" class="cell second-line">
        <span class="by" title={[ticket.reference, authorName(ticket), siteName].filter(Boolean).join(' · ')}>
          <span class="who">
            <span class="reference">{ticket.reference}</span>
            <span class="by-name" dir="auto">
              {authorName(ticket)}
            </span>
            {siteName !== null && <span class="by-site">· {siteName}</span>}
          </span>
          {ticket.snippet !== null && (
            <span class="snippet">
              {'· '}
              <bdi class="snippet-text">{withMarks(ticket.snippet, words)}</bdi>
            </span>
          )}
        </span>
        <DueTime ticket={ticket} units={1} />
        {ticket.priority !== null && <PriorityMark priority={ticket.priority} />}
      </div>
    </>
  );
}
