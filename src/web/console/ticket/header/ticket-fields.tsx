// The fields that change most, in the header: status, team and assignee.

import type { RefObject } from 'preact';
import { type TicketStatus, ticketStatuses } from '../../../../domain/tickets/ticket.ts';
import { isolated, withoutBidi } from '../../../shared/bidi.ts';
import { Combobox } from '../../../shared/combobox.tsx';
import type { Opener } from '../../../shared/popover.ts';
import { agents, refreshCatalogue, teams } from '../../catalogue.ts';
import { goOn } from '../../composer/follow-up.ts';
import { t as done } from '../../on-demand-messages.ts';
import { can, session } from '../../session.ts';
import { awayText } from '../../tickets/away.ts';
import { changeTicket } from '../../tickets/change.ts';
import { StatusIcon, statusText } from '../../tickets/status.tsx';
import type { TicketDetail } from '../../wire.ts';
import { t } from '../messages.ts';

interface FieldProps {
  ticket: TicketDetail;
  handle: RefObject<Opener | null>;
}

export function setStatus(ticket: Pick<TicketDetail, 'ulid' | 'reference' | 'status'>, status: TicketStatus): void {
  if (status === ticket.status) return;
  // While the list still has the row.
  if (status !== 'open') goOn(ticket.ulid);
  const text = status === 'resolved' ? t.didResolve(1) : done.didChange(1, statusText(status));
  void changeTicket([ticket.ulid], { status }, { text });
}

export function assign(
  ticket: Pick<TicketDetail, 'ulid' | 'reference'>,
  agent: { id: number; name: string } | null,
): void {
  const text = agent === null ? done.listDidUnassign(1) : t.listDidAssign(1, isolated(agent.name));
  void changeTicket([ticket.ulid], { assigned_to: agent?.id ?? null }, { text });
}

export function StatusField({ ticket, handle }: FieldProps) {
  return (
    <Combobox
      label={t.status}
      value={ticket.status}
      handle={handle}
      isDisabled={!can('write') || ticket.merged_into !== null}
      options={ticketStatuses.map((status) => ({
        value: status,
        text: statusText(status),
        icon: <StatusIcon status={status} />,
      }))}
      onChange={(status) => setStatus(ticket, status)}
    />
  );
}

interface Assignable {
  id: number;
  name: string;
  email: string;
  /** Null for who is there. */
  away: string | null;
}

/** The agent who works here first, and the assignee also if tickets can no longer be assigned to them. */
function assignable({ site_id: siteId, assignee }: TicketDetail): Assignable[] {
  const own = session.value?.agent.id;
  const active = (agents(siteId).value ?? []).filter((agent) => agent.is_active);
  const others = active.filter(({ id }) => id !== own).sort((one, other) => one.name.localeCompare(other.name));
  const all = [...active.filter(({ id }) => id === own), ...others].map((agent) => ({
    ...agent,
    away: awayText(agent),
  }));
  return assignee === null || all.some(({ id }) => id === assignee.id) ? all : [...all, { ...assignee, away: null }];
}

function giveTo(ticket: Pick<TicketDetail, 'ulid' | 'reference'>, team: { id: number; name: string } | null) {
  const text = team === null ? done.listDidNoTeam(1) : done.listDidTeam(1, isolated(team.name));
  void changeTicket([ticket.ulid], { team_id: team?.id ?? null }, { text });
}

/** Only where there is a team to choose. */
export function TeamField({ ticket, handle }: FieldProps) {
  const known = teams(ticket.site_id).value ?? [];
  const own = ticket.team;
  const shown = own === null || known.some(({ id }) => id === own.id) ? known : [...known, own];
  if (shown.length === 0) return null;
  return (
    <Combobox<number | null>
      label={t.team}
      value={own?.id ?? null}
      handle={handle}
      search
      isDisabled={!can('write')}
      options={[
        { value: null, text: t.teamNone },
        ...shown.map(({ id, name }) => ({ value: id, text: withoutBidi(name) })),
      ]}
      onChange={(id) => giveTo(ticket, shown.find((one) => one.id === id) ?? null)}
    />
  );
}

export function AssigneeField({ ticket, handle }: FieldProps) {
  const people = assignable(ticket);
  return (
    <Combobox<number | null>
      label={t.assignee}
      value={ticket.assignee?.id ?? null}
      handle={handle}
      search
      onOpen={() => void refreshCatalogue()}
      isDisabled={!can('write')}
      options={[
        { value: null, text: t.assigneeNone },
        ...people.map(({ id, name, email, away }) => ({ value: id, text: withoutBidi(name), hint: away ?? email })),
      ]}
      onChange={(id) => assign(ticket, people.find((one) => one.id === id) ?? null)}
    />
  );
}
