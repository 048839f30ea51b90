// Asks DNS whether the mail of each sender will be aligned: SPF, DKIM and DMARC (docs/spec/senders.md).

import type { Config } from '../../base/config.ts';
import { mailServerOf, senderOf } from '../../base/mail-sender.ts';
import { toCheck } from '../../desk/sites/senders.ts';
import type { AskDns } from '../../domain/mail/sender-checks.ts';
import type { Tx } from '../../engine/database.ts';
import { checkRecords } from '../../net/sender-records.ts';
import { senderRows } from '../../store/sites/catalogue.ts';
import { listSites } from '../../store/sites/sites.ts';
import { baseUrlOf, inboundDomainOf } from '../desk-address.ts';
import type { Findings } from './findings.ts';

const mostChecked = 50;

export async function checkSenders({ note }: Findings, tx: Tx, config: Config, askDns: AskDns): Promise<void> {
  const deskServer = mailServerOf(config);
  const known = {
    hasMailServer: deskServer !== null,
    mailFrom: senderOf(config, inboundDomainOf(config, baseUrlOf(config))),
  };
  const senders = listSites(tx, 'all', mostChecked, 0)
    .rows.flatMap((site) => senderRows.list(tx, site.id).map((row) => toCheck(tx, site, row, known)))
    .map((sender) => ({ ...sender, server: sender.server ?? deskServer }))
    // Without a server no mail leaves, and DNS has no records of a name without a dot.
    .filter(({ server, address }) => server !== null && /@.*\./.test(address));
  const checked = senders.slice(0, mostChecked).map(async ({ site, address, selectors, server }) => ({
    named: `${site.slug}, ${address}`,
    checks: await checkRecords(address, selectors, server, askDns),
  }));
  for (const { named, checks } of await Promise.all(checked))
    for (const kind of ['spf', 'dkim', 'dmarc'] as const) {
      const { status, explanation, found, add } = checks[kind];
      if (status === 'ok') continue;
      const verb = found === null ? 'Add' : 'Change to';
      const record = add === null ? '' : ` ${verb}: ${add.name} ${add.type} ${add.value ?? '(from your mail server)'}`;
      note(`sender_${kind}`, `${named}: ${explanation}${record}`);
    }
}
