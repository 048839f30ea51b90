// Senders on the wire.

import * as z from 'zod';
import { asSender, fromOf } from '../../../desk/sites/site-senders.ts';
import { recordReasons, recordStatuses } from '../../../domain/mail/sender.ts';
import type { SenderRow } from '../../../store/sites/catalogue.ts';
import type { Site } from '../../../store/sites/sites.ts';
import { presenter } from '../presenter.ts';
import { id, named, time } from '../shapes.ts';

const recordShape = named(
  'SenderRecord',
  z.object({
    status: z.enum(recordStatuses),
    reason: z.enum(recordReasons).meta({ description: 'Why it has this status, for programs.' }),
    about: z.string().nullable().meta({ description: 'What the reason is about: a server, a name in DNS, a policy.' }),
    found: z.string().nullable(),
    explanation: z.string(),
    add: z.object({ type: z.enum(['TXT', 'CNAME']), name: z.string(), value: z.string().nullable() }).nullable(),
  }),
);

export const senderShape = named(
  'Sender',
  z.object({
    id: id(),
    name: z.string().nullable(),
    address: z.string().nullable(),
    from: z.object({ name: z.string(), address: z.string() }).meta({ description: 'What its mails show.' }),
    is_default: z.boolean(),
    dkim_selectors: z.array(z.string()),
    sort_order: z.int(),
    checks: z
      .object({ address: z.string(), checked_at: time(), spf: recordShape, dkim: recordShape, dmarc: recordShape })
      .nullable()
      .meta({ description: 'What DNS said when it was last asked about this address.' }),
  }),
);

export const presentSender = presenter(senderShape, (row: SenderRow, site: Site, deskAddress: string) => {
  const { name, address, checks } = asSender(site, row);
  const from = fromOf(site, { name, address }, deskAddress);
  return { name, address, from, checks: checks?.address === from.address ? checks : null };
});
