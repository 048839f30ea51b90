// What a site is set up with, read before anything of an import is stored: a site beyond the limits must not arrive in part.

import { DeskError } from '../../domain/errors.ts';
import type { RowOf, TransferLine } from '../../domain/input/transfer.ts';
import { mostAgents, mostOnSite } from '../../domain/limits.ts';
import { excessOfRules } from '../../domain/rules/cost.ts';

const mostOf: Partial<Record<TransferLine['type'], number>> = {
  category: mostOnSite.category,
  priority: mostOnSite.priority,
  field: mostOnSite['custom field'],
  channel: mostOnSite['webhook channel'],
  rule: mostOnSite['inbound rule'],
  agent: mostAgents,
};
const setupTypes: ReadonlySet<string> = new Set([...Object.keys(mostOf), 'site', 'sla_policy']);
/** What is read ahead stays in memory until it is stored. */
const mostBytes = 64 * 1024 * 1024;

interface Read {
  number: number;
  size: number;
  line: TransferLine;
}

/** Whether a line belongs to what stands before everybody and everything that happened on the site. */
export function isSetup(line: TransferLine): boolean {
  return setupTypes.has(line.type);
}

/**
 * Reads up to the first line that is no setup. Throws, with the number of a line, where a list is longer or the rules are
 * costlier than a site may have.
 * @returns the lines in their order, that last one among them
 */
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
    if (most !== undefined && total > most) throw excess(read.number, `A site has ${most} rows of ${type} at most.`);
    if (bytes > mostBytes) throw excess(read.number, 'The site is set up with more than 64 MB.');
  }
  const rules = ahead.flatMap(({ number, line }) => (line.type === 'rule' ? [{ number, rule: asRule(line) }] : []));
  const tooMuch = excessOfRules(rules.map(({ rule }) => rule));
  if (tooMuch !== null) throw excess(rules.at(-1)?.number ?? 0, tooMuch);
  return ahead;
}

function asRule({ is_active: isActive, conditions, actions }: RowOf<'rule'>) {
  return { isActive, conditions, actions };
}

function excess(line: number, why: string): DeskError {
  return new DeskError(
    'invalid',
    `Line ${line} is refused: ${why} Nothing was imported. Remove or switch off some where it comes from, and export it again.`,
  );
}
