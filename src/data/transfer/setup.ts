// Reads the setup of a site before an import stores anything, so that a site beyond the limits does not arrive in part.

import { DeskError } from '../../domain/errors.ts';
import type { TransferLine } from '../../domain/input/transfer.ts';
import { templateNames } from '../../domain/mail/template.ts';
import { locales } from '../../domain/people/preferences.ts';
import { excessOfRules } from '../../domain/rules/size.ts';
import { mostAgents, mostMacros, mostOnSite, mostTeams } from '../../domain/sites/limits.ts';

const mostOf: Partial<Record<TransferLine['type'], number>> = {
  category: mostOnSite.category,
  priority: mostOnSite.priority,
  sender: mostOnSite.sender,
  mail_template: templateNames.length * locales.length,
  field: mostOnSite['custom field'],
  channel: mostOnSite['webhook channel'],
  rule: mostOnSite['inbound rule'],
  trigger: mostOnSite.trigger,
  timed_rule: mostOnSite['timed rule'],
  recurring_ticket: mostOnSite['recurring ticket'],
  macro: mostMacros.imported,
  agent: mostAgents,
  team: mostTeams,
};
const setupTypes: ReadonlySet<string> = new Set([...Object.keys(mostOf), 'site', 'sla_policy']);
const mostBytes = 64 * 1024 * 1024;

interface Read {
  number: number;
  size: number;
  line: TransferLine;
}

export function isSetup(line: TransferLine): boolean {
  return setupTypes.has(line.type);
}

/** Returns the setup and the first line after it. Throws if a list is too long or the rules cost too much. */
export async function readSetup(next: () => Promise<Read | null>): Promise<Read[]> {
  const ahead: Read[] = [];
  const counts = new Map<string, number>();
  let bytes = 0;
  for (;;) {
    const read = await next();
    if (read === null) return ahead;
    ahead.push(read);
    if (!isSetup(read.line)) break;
    bytes += read.size;
    const { type } = read.line;
    const total = (counts.get(type) ?? 0) + 1;
    counts.set(type, total);
    const most = mostOf[type];
    if (most !== undefined && total > most)
      throw excess(read.number, `A site can have at most ${most} rows of ${type}.`);
    if (bytes > mostBytes) throw excess(read.number, 'The setup of the site is larger than 64 MB.');
  }
  const rules = ahead.flatMap(({ number, line }) => (line.type === 'rule' ? [{ number, rule: line }] : []));
  const tooMuch = excessOfRules(rules.map(({ rule }) => rule));
  if (tooMuch !== null) throw excess(rules.at(-1)?.number ?? 0, tooMuch);
  return ahead;
}

function excess(line: number, why: string): DeskError {
  return new DeskError(
    'invalid',
    `Line ${line} is refused: ${why} Nothing was imported. Remove some on the desk that it comes from, and export it again.`,
  );
}
