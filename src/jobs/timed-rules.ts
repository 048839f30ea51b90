// Carries out timed rules and recurring tickets that are due. One that fails holds up no other.

import { gently } from '../base/give-way.ts';
import { errorFields, type Log } from '../base/log.ts';
import type { Desk } from '../desk/desk.ts';
import { openRecurring, passRecurring, recurringDue } from '../desk/rules/recurring-tickets.ts';
import { dueTimed, passTimed, runTimed } from '../desk/rules/run-timed-rules.ts';

export async function runDueTimed(desk: Desk, log: Log): Promise<void> {
  const contextOf = () => desk.context({ kind: 'scan' }, 'timed-rules');
  for (;;) {
    const due = desk.read((tx) => dueTimed(tx, desk.now()));
    if (due.length === 0) return;
    for (const { ruleId, siteId, moments } of due)
      for (const { ticketId } of moments)
        try {
          await gently(() => desk.write((tx) => runTimed(tx, contextOf(), siteId, ruleId)));
        } catch (error) {
          log.error(
            { job: 'timed rules', rule: ruleId, ticket: ticketId, ...errorFields(error) },
            'a timed rule failed on a ticket',
          );
          await desk.write((tx) => passTimed(tx, contextOf(), siteId, ruleId));
        }
  }
}

export async function openDueTickets(desk: Desk, log: Log): Promise<void> {
  const contextOf = () => desk.context({ kind: 'desk' }, 'recurring-tickets');
  for (;;) {
    const due = desk.read((tx) => recurringDue(tx, desk.now()));
    if (due.length === 0) return;
    for (const { id, siteId } of due)
      try {
        await desk.write((tx) => openRecurring(tx, contextOf(), siteId, id));
      } catch (error) {
        log.error({ job: 'recurring tickets', id, ...errorFields(error) }, 'a recurring ticket could not be opened');
        await desk.write((tx) => passRecurring(tx, contextOf(), siteId, id));
      }
  }
}
