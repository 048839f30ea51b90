// Senders, templates and the signature of a site move with it.

import { expect, test } from 'bun:test';
import { inboundRules } from '../../../src/desk/rules/rules.ts';
import { putMailTemplate } from '../../../src/desk/sites/mail-templates.ts';
import { senders } from '../../../src/desk/sites/senders.ts';
import { asSender } from '../../../src/desk/sites/site-senders.ts';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { replyAsAgent } from '../../../src/desk/tickets/replies.ts';
import { ruleInput } from '../../../src/domain/input/channels.ts';
import { senderInput } from '../../../src/domain/input/senders.ts';
import { agentReplyInput } from '../../../src/domain/input/tickets.ts';
import { senderRows } from '../../../src/store/sites/catalogue.ts';
import { templatesOfSite } from '../../../src/store/sites/mail-templates.ts';
import { siteBySlug } from '../../../src/store/sites/sites.ts';
import { messageByUlid } from '../../../src/store/tickets/messages.ts';
import { ticketByUlid } from '../../../src/store/tickets/tickets.ts';
import { emptyDesk, portable } from './portable.ts';

test('with the tickets and rules that name them', async () => {
  const from = portable();
  const slug = from.site.slug;
  const settings = { mail_from_name: 'Shop', mail_from_address: 'help@shop.example', signature: '{{site.name}}' };
  const add = (address: string) =>
    from.do((tx, ctx) => senders.add(tx, ctx, slug, senderInput.parse({ address, dkim_selectors: ['s1'] })).row);
  from.do((tx, ctx) => changeSite(tx, ctx, slug, { settings }, null));
  const sales = add('sales@shop.example');
  const { ticket } = from.open();
  from.do((tx, ctx) => changeTicket(tx, ctx, ticket.id, { sender_id: sales.id }, null));
  const boss = { type: 'add_participant', value: { email: 'boss@shop.example', name: 'The boss' } };
  const actions = [{ type: 'set_sender', value: sales.id }, boss];
  from.do((tx, ctx) => inboundRules.add(tx, ctx, slug, ruleInput.parse({ name: 'R', conditions: [], actions })));
  const { message } = from.do((tx, ctx) =>
    replyAsAgent(tx, ctx, ticket.id, agentReplyInput.parse({ body: 'Done.', from: sales.id })),
  );
  const named = { name: 'code', locale: 'nl' };
  from.do((tx, ctx) => putMailTemplate(tx, ctx, slug, named, { subject: null, body: 'Uw code:\n\n{{code}}' }));

  const to = emptyDesk();
  await to.imported(await from.exported());
  const site = siteBySlug(to.tx, slug);
  if (!site) throw new Error('no site');
  expect(site.settings).toMatchObject(settings);
  const kept = senderRows.list(to.tx, site.id).map((row) => asSender(site, row));
  expect(kept.map(({ address, isDefault, dkimSelectors }) => [address, isDefault, dkimSelectors.length])).toEqual([
    ['help@shop.example', true, 0],
    ['sales@shop.example', false, 1],
  ]);
  expect(ticketByUlid(to.tx, ticket.ulid)?.senderId).toBe(kept[1]?.id ?? 0);
  expect(messageByUlid(to.tx, message.ulid)?.senderId).toBe(kept[1]?.id ?? 0);
  const [rule] = inboundRules.list(to.tx, to.desk.context({ kind: 'command_line' }, 'test'), slug).rows;
  expect(rule?.actions).toMatchObject([{ type: 'set_sender', value: kept[1]?.id ?? 0 }, boss]);
  expect(templatesOfSite(to.tx, site.id)).toMatchObject([{ ...named, body: 'Uw code:\n\n{{code}}', subject: null }]);
});
