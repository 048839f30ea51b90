// helpdesk audit: who changed what of the desk, and who signed in.

import type { Command } from 'commander';
import { DeskError } from '../../src/domain/errors.ts';
import { type AuditEntry, type AuditQuery, auditCsv, auditQuery, listAudit } from '../../src/http/wire/audit.ts';
import { decodeQuery } from '../../src/http/wire/decode.ts';
import { addCommand, allowSite, type CommonOptions, show } from '../command.ts';
import { UsageError } from '../errors.ts';
import { withDesk } from '../opened-desk.ts';
import { dim, table } from '../output/text.ts';

interface ListFlags extends CommonOptions {
  actor?: string;
  action?: string;
  site?: string;
  from?: string;
  to?: string;
  perPage?: string;
  cursor?: string;
  csv?: boolean;
}

/** The flags as the query of GET /audit, checked with the same schema. */
function queryOf(flags: ListFlags): { asked: AuditQuery; url: URL } {
  const url = new URL('http://desk/api/v1/audit');
  const values = {
    actor: flags.actor,
    action: flags.action,
    site_id: flags.site,
    from: flags.from,
    to: flags.to,
    per_page: flags.perPage,
    cursor: flags.cursor,
  };
  for (const [name, value] of Object.entries(values)) if (value !== undefined) url.searchParams.set(name, value);
  try {
    return { asked: decodeQuery(auditQuery, url) as AuditQuery, url };
  } catch (error) {
    if (error instanceof DeskError) throw new UsageError(error.message);
    throw error;
  }
}

const nameOf = ({ type, id, name }: { type: string; id: number | null; name: string | null }) =>
  [type, id === null ? '' : ` ${id}`, name === null ? '' : ` (${name})`].join('');

function changeOf({ before, after }: AuditEntry): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? null));
  if (before === null || after === null)
    return names.map((name) => `${name}: ${text((after ?? before)?.[name])}`).join(', ');
  return names.map((name) => `${name}: ${text(before[name])} → ${text(after[name])}`).join(', ');
}

async function printAll(parts: AsyncIterable<string>): Promise<void> {
  for await (const part of parts) {
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(part, (error) => (error ? reject(error) : resolve()));
    });
  }
}

export function auditCommands(program: Command): void {
  const group = addCommand(program, 'audit', 'the audit log: list', 'helpdesk audit list --action agent.updated');
  allowSite(
    addCommand(
      group,
      'list',
      'list who changed what, newest first; the flags are the filters of the API',
      'helpdesk audit list --site web-shop --from 2026-11-01 --csv > audit.csv',
    ),
  )
    .option('--actor <actor>', 'agent:1, token:1, command_line, desk or unknown')
    .option('--action <list>', 'comma-separated, such as site.updated,token.issued')
    .option('--from <time>', 'at or after this time')
    .option('--to <time>', 'at or before this time')
    .option('--per-page <number>', 'rows on a page')
    .option('--cursor <cursor>', 'continue after an earlier page, with the cursor from its JSON')
    .option('--csv', 'print all rows as CSV, without pages')
    .action((flags: ListFlags) =>
      withDesk(flags, async (opened) => {
        const { asked, url } = queryOf(flags);
        const { desk } = opened.data;
        if (flags.csv && flags.json) throw new UsageError('Choose --csv or --json, not both.');
        if (flags.csv) return await printAll(auditCsv(desk, opened.ctx(), asked));
        const page = await listAudit(desk, opened.baseUrl, opened.ctx(), asked, url);
        show(flags, {
          json: page,
          text: () => {
            const rows = page.data.map((entry) => [
              entry.created_at,
              entry.action,
              nameOf(entry.actor),
              nameOf(entry.target),
              entry.address,
              changeOf(entry),
            ]);
            const shown = table(['time', 'action', 'actor', 'target', 'address', 'change'], rows);
            return page.meta.next_cursor === null
              ? shown
              : `${shown}\n${dim('There are older rows; see more with --per-page or --csv.')}`;
          },
        });
      }),
    );
}
