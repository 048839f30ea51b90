// What names the erased people of each ticket that is imported.

import type { RowOf } from '../../domain/input/transfer.ts';
import { type Traces, tracesOf } from '../../domain/traces.ts';

type Author = RowOf<'author'>;

export function createTicketTraces() {
  /** The ticket's author, then everyone who wrote on it so far. */
  const tracesByTicket = new Map<number, Traces[]>();
  const writers = new Set<string>();
  return {
    without<Value>(ticketId: number | null, value: Value): Value {
      return (tracesByTicket.get(ticketId ?? 0) ?? []).reduce((rest, traces) => traces.json(rest), value);
    },
    noteAuthor(ticket: RowOf<'ticket'>, person: Author): Traces {
      const user = ticket.context?.user;
      const some = (texts: readonly (string | null | undefined)[]) => texts.filter((text) => typeof text === 'string');
      const known = {
        names: some([person.name, user?.name]),
        emails: some([person.email, user?.email]),
        externalIds: some([person.external_id, user?.external_id]),
      };
      const traces = tracesOf(known, true);
      tracesByTicket.set(ticket.id, [traces]);
      return traces;
    },
    /** Someone other than the author, by the first message with each name. */
    noteWriter({ ticket_id, author_name }: RowOf<'message'>, person: Author): void {
      const key = `${ticket_id} ${person.id} ${author_name}`;
      if (writers.has(key)) return;
      writers.add(key);
      const known = {
        names: [person.name, author_name].filter((name) => name !== null),
        emails: [person.email],
        externalIds: person.external_id === null ? [] : [person.external_id],
      };
      tracesByTicket.set(ticket_id, [...(tracesByTicket.get(ticket_id) ?? []), tracesOf(known, false)]);
    },
  };
}
