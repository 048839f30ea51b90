// The agent surface: the addresses that a site writes from (docs/spec/senders.md).

import { deskAddress } from '../../../desk/outbox/own-server.ts';
import { keepChecks, senders, senderToCheck } from '../../../desk/sites/senders.ts';
import { senderChangeInput, senderInput } from '../../../domain/input/senders.ts';
import { answered, type Operation, operation } from '../../operation.ts';
import { jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { presentSender, senderShape } from '../../wire/sites/sender.ts';
import { visible } from '../../write-only-answer.ts';
import { idOf, siteName } from '../parameters.ts';
import { catalogueOperations } from './catalogue.ts';

export const senderOperations: readonly Operation[] = [
  ...catalogueOperations({
    path: 'senders',
    tag: 'Senders',
    one: 'Sender',
    many: 'Senders',
    verbs: senders,
    input: senderInput,
    change: senderChangeInput,
    shape: senderShape,
    present: (row, site, call, tx) => presentSender(row, site, deskAddress(tx, call.ctx)),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/sites/{site}/senders/{id}/check',
    id: 'checkSender',
    tag: 'Senders',
    summary: 'Look up the SPF, DKIM and DMARC records of a sender',
    description: 'Says what DNS has, and what to add. The answer is kept. DNS that does not answer is unknown.',
    access: 'team',
    isShortWithoutRead: true,
    ability: 'manage',
    answer: answered(200, 'The sender with its checks', shapes.one(senderShape)),
    errors: [404, 409],
    async handle(call) {
      const id = idOf(call, 'sender');
      const asked = call.edge.desk.read((tx) => senderToCheck(tx, call.ctx, siteName(call), id));
      const found = await call.edge.checkRecords(asked.address, asked.selectors, asked.server);
      return call.commit((tx) => {
        const { site, row } = keepChecks(tx, call.ctx, id, asked, found);
        return jsonReply(200, { data: visible(call, presentSender(row, site, deskAddress(tx, call.ctx))) });
      });
    },
  }),
];
