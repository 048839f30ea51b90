// The agent surface: mailboxes that a team already has (docs/spec/mailboxes.md).

import * as z from 'zod';
import { authorise } from '../../../desk/access.ts';
import { listCanaries } from '../../../desk/mail/canaries.ts';
import {
  addMailbox,
  mailboxes,
  mailboxToTest,
  mailboxView,
  pauseMailbox,
  syncMailbox,
} from '../../../desk/mail/mailboxes.ts';
import { rowEtag } from '../../../desk/sites/catalogue/verbs.ts';
import { invalid } from '../../../domain/errors.ts';
import {
  type MailboxChangeInput,
  type MailboxInput,
  mailboxChangeInput,
  mailboxInput,
} from '../../../domain/input/mailboxes.ts';
import type { Tx } from '../../../engine/database.ts';
import type { Mailbox } from '../../../store/sites/catalogue.ts';
import type { Site } from '../../../store/sites/sites.ts';
import { type Call, type Operation, operation } from '../../operation.ts';
import {
  canaryShape,
  mailboxShape,
  mailboxTrialShape,
  presentCanary,
  presentMailbox,
} from '../../wire/mail/mailbox.ts';
import { jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { taggedReply, visible } from '../../write-only-answer.ts';
import { idOf, siteName } from '../parameters.ts';
import { catalogueOperations } from '../sites/catalogue.ts';

const mailboxId = (call: Call) => idOf(call, 'mailbox');
const path = '/api/v1/sites/{site}/mailboxes/{id}';

/** 422 for a host that is neither public nor allowed. Each connection is checked again. */
async function requireAllowedHosts(call: Call<unknown, MailboxInput | MailboxChangeInput>): Promise<void> {
  authorise(call.ctx, 'manage');
  for (const side of ['incoming', 'outgoing'] as const) {
    const server = call.body[side];
    const reason = server == null ? null : await call.edge.mailboxes.refuseHost(server);
    if (reason !== null) throw invalid(`${side}.host`, `is refused: ${reason}.`);
  }
}

/** In the transaction of an answer, which needs more than the row. */
const shown = (call: Call, tx: Tx, row: Mailbox) => visible(call, presentMailbox(row, mailboxView(tx, call.ctx, row)));

function verb(
  name: 'pause' | 'resume' | 'sync',
  summary: string,
  description: string,
  act: (tx: Tx, call: Call) => { site: Site; row: Mailbox },
): Operation {
  return operation({
    method: 'POST',
    path: `${path}/${name}`,
    id: `${name}Mailbox`,
    tag: 'Mailboxes',
    summary,
    description,
    access: 'team',
    isShortWithoutRead: true,
    ability: 'manage',
    answer: { status: 200, description: 'The mailbox', schema: shapes.one(mailboxShape) },
    errors: [404, 409],
    handle: (call) => call.commit((tx) => jsonReply(200, { data: shown(call, tx, act(tx, call).row) })),
  });
}

export const mailboxOperations: readonly Operation[] = [
  ...catalogueOperations({
    path: 'mailboxes',
    tag: 'Mailboxes',
    one: 'Mailbox',
    many: 'Mailboxes',
    verbs: mailboxes,
    input: mailboxInput,
    change: mailboxChangeInput,
    shape: mailboxShape,
    present: (row, _site, call, tx) => presentMailbox(row, mailboxView(tx, call.ctx, row)),
    before: requireAllowedHosts,
    add: (call) =>
      call.commit((tx) => {
        const { row } = addMailbox(tx, call.ctx, siteName(call), call.body);
        return taggedReply(call, 201, { data: shown(call, tx, row) }, rowEtag('mailbox', row));
      }),
  }).filter(({ id }) => id !== 'orderMailboxes'),
  operation({
    method: 'POST',
    path: `${path}/test`,
    id: 'testMailbox',
    tag: 'Mailboxes',
    summary: 'Try a mailbox',
    description: 'Signs in for reading, sends a mail to its own address, and says in words what happened.',
    access: 'team',
    ability: 'manage',
    answer: { status: 200, description: 'What happened', schema: shapes.one(mailboxTrialShape) },
    errors: [404],
    async handle(call) {
      const row = call.edge.desk.read((tx) => mailboxToTest(tx, call.ctx, siteName(call), mailboxId(call)));
      return jsonReply(200, { data: await call.edge.mailboxes.try(row) });
    },
  }),
  operation({
    method: 'GET',
    path: `${path}/canaries`,
    id: 'listCanaries',
    tag: 'Mailboxes',
    summary: 'List the canaries of a mailbox',
    description: 'Those of the last seven days, oldest first, with how long each was under way.',
    access: 'team',
    ability: 'read',
    answer: { status: 200, description: 'The canaries', schema: z.object({ data: z.array(canaryShape) }) },
    errors: [404],
    handle: (call) =>
      jsonReply(200, {
        data: call.edge.desk
          .read((tx) => listCanaries(tx, call.ctx, siteName(call), mailboxId(call)))
          .map(presentCanary),
      }),
  }),
  verb('pause', 'Pause a mailbox', 'The desk stops reading it. Mail from its address still leaves.', (tx, call) =>
    pauseMailbox(tx, call.ctx, siteName(call), mailboxId(call), true),
  ),
  verb(
    'resume',
    'Resume a mailbox',
    'The desk reads it again from where it stopped, also after a refused password.',
    (tx, call) => pauseMailbox(tx, call.ctx, siteName(call), mailboxId(call), false),
  ),
  verb('sync', 'Look into a mailbox', 'The desk asks for new mail at once.', (tx, call) =>
    syncMailbox(tx, call.ctx, siteName(call), mailboxId(call)),
  ),
];
