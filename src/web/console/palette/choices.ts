// What the open ticket, or those of a list, can become, by the names of people, statuses, priorities and tags.

import { withoutBidi } from '../../shared/bidi.ts';
import { labelled } from '../../shared/labelled.ts';
import { agents, mostSites } from '../catalogue.ts';
import { changeTargets } from '../list/bulk/bulk.ts';
import { changeFor, pickOptions } from '../list/bulk/pick-options.ts';
import { type PickerKind, type Targets, targets } from '../list/bulk/targets.ts';
import { t } from '../on-demand-messages.ts';
import { go, route } from '../route.ts';
import { can, chosenSite, session, visibleSites } from '../session.ts';
import { knownTicket, openedTicket } from '../tickets/cache.ts';

function openTargets(): Targets | null {
  const { name } = route.value;
  if (name === 'inbox' || name === 'search') return targets();
  const ticket = openedTicket.value === null ? null : knownTicket(openedTicket.value);
  if (name !== 'ticket' || ticket === null || ticket.merged_into !== null) return null;
  return { kind: 'some', tickets: [ticket], ulids: [ticket.ulid] };
}

export function choices(): { id: string; title: string; detail?: string; run: () => void }[] {
  const found = openTargets();
  if (found === null || !can('write')) return [];
  const kinds: [PickerKind, string][] = [
    ['assign', t.assign],
    ['team', t.actionTeam],
    ['status', t.actionStatus],
    ['priority', t.actionPriority],
    ['tags', t.actionTags],
  ];
  // "Assign to me" is a command of its own, and so are the statuses of the open ticket.
  const own = session.value?.agent.id;
  const isOpen = route.value.name === 'ticket';
  const offered = isOpen ? kinds.filter(([kind]) => kind !== 'status') : kinds;
  return offered.flatMap(([kind, action]) =>
    pickOptions(kind, found)
      .filter(({ value }) => kind !== 'assign' || value !== own)
      .map(({ value, text, hint }) => ({
        id: `choice:${kind}:${value}`,
        title: labelled(action, text),
        ...(hint === undefined ? {} : { detail: hint }),
        run: () => {
          const { change, textFor } = changeFor(kind, value, text);
          void changeTargets(found, change, textFor);
        },
      })),
  );
}

/** The agents of the sites that are shown, who lead to what is assigned to them. */
export function colleagues(
  typed: string,
): { id: string; title: string; otherName: string; detail: string; run: () => void }[] {
  if (typed.trim().length < 2) return [];
  const sites =
    chosenSite.value === null ? visibleSites.value.slice(0, mostSites).map(({ id }) => id) : [chosenSite.value];
  const all = new Map(sites.flatMap((site) => agents(site).value ?? []).map((agent) => [agent.id, agent] as const));
  return [...all.values()]
    .filter(({ is_active: isActive }) => isActive)
    .map(({ id, name, email }) => ({
      id: `agent:${id}`,
      title: t.ticketsOfAgent(withoutBidi(name)),
      otherName: email,
      detail: email,
      run: () => go(`/inbox/all?assigned_to=${id}&status=open,pending`),
    }));
}
