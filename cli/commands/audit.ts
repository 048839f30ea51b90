// helpdesk audit: who changed what of the desk, and who signed in.

import type { AuditEntry } from '../../src/http/wire/audit.ts';
import { UsageError } from '../errors.ts';
import { operationGroup } from '../operation-command.ts';
import { dim, table } from '../output/text.ts';

export const auditCommands = operationGroup('audit', 'the audit log', 'helpdesk audit list --action agent.updated', [
  {
    usage: 'list',
    does: 'list who changed what, newest first; the flags are the filters of the API',
    example: 'helpdesk audit list --site web-shop --from 2026-11-01 --csv > audit.csv',
    operation: 'audit/listAudit',
    without: ['format'],
    own: (command) => command.option('--csv', 'print all rows as CSV, without pages'),
    query({ flags }) {
      if (flags.csv && flags.json) throw new UsageError('Choose --csv or --json, not both.');
      return { format: flags.csv && 'csv' };
    },
    print({ data, meta }: { data: AuditEntry[]; meta: { next_cursor: string | null } }) {
      const rows = data.map((entry) => [
        entry.created_at,
        entry.action,
        nameOf(entry.actor),
        nameOf(entry.target),
        entry.address,
        changeOf(entry),
      ]);
      const shown = table(['time', 'action', 'actor', 'target', 'address', 'change'], rows);
      return meta.next_cursor === null
        ? shown
        : `${shown}\n${dim('There are older rows; see more with --per-page or --csv.')}`;
    },
  },
]);

function nameOf({ type, id, name }: { type: string; id: number | null; name: string | null }): string {
  return [type, id === null ? '' : ` ${id}`, name === null ? '' : ` (${name})`].join('');
}

function changeOf({ before, after }: AuditEntry): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? null));
  if (before === null || after === null)
    return names.map((name) => `${name}: ${text((after ?? before)?.[name])}`).join(', ');
  return names.map((name) => `${name}: ${text(before[name])} → ${text(after[name])}`).join(', ');
}
