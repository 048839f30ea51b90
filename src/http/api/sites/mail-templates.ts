// The agent surface: templates of the mails to customers (docs/spec/templates.md).

import * as z from 'zod';
import { deskAddress } from '../../../desk/outbox/own-server.ts';
import {
  listMailTemplates,
  putMailTemplate,
  resetMailTemplate,
  type SlotName,
  type TemplateSlot,
  templateToShow,
  testMailTemplate,
} from '../../../desk/sites/mail-templates.ts';
import { fromOf, senderOf } from '../../../desk/sites/site-senders.ts';
import { mailTemplateInput, templatePreviewInput, templateTestInput } from '../../../domain/input/mail-templates.ts';
import { publicName } from '../../../domain/sites/site.ts';
import { answered, type Call, type Operation, operation } from '../../operation.ts';
import { pagingQuery } from '../../wire/queries.ts';
import { emptyReply, jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { mailTemplateShape, presentMailTemplate, shownMailShape } from '../../wire/sites/mail-template.ts';
import { visible } from '../../write-only-answer.ts';
import { shortListReply, wholeOrPage } from '../lists.ts';
import { siteName } from '../parameters.ts';

const managing = { tag: 'Mail templates', access: 'team', ability: 'manage' } as const;

const path = '/api/v1/sites/{site}/mail-templates/{name}/{locale}';
const slotName = ({ params }: Call): SlotName => ({ name: params.name ?? '', locale: params.locale ?? '' });

/** The renderer of Markdown is loaded on first use. */
async function presenter() {
  const { ownTemplate } = await import('../../../mail/outgoing/template.ts');
  return (slot: TemplateSlot) => presentMailTemplate(slot, ownTemplate(slot.name, slot.locale));
}

export const mailTemplateOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/sites/{site}/mail-templates',
    id: 'listMailTemplates',
    tag: 'Mail templates',
    summary: 'List mail templates',
    description: "Each mail in each language: the site's own words, or the desk's.",
    access: 'team',
    ability: 'read',
    query: pagingQuery,
    answer: answered(200, wholeOrPage, shapes.page(mailTemplateShape)),
    errors: [404],
    async handle(call) {
      const present = await presenter();
      return call.edge.desk.read((tx) =>
        shortListReply(call, listMailTemplates(tx, call.ctx, siteName(call)), present),
      );
    },
  }),
  operation({
    method: 'PUT',
    path,
    id: 'putMailTemplate',
    ...managing,
    summary: 'Change what a mail says',
    description: 'Refused without the variables that the mail needs, and with any that it does not have.',
    isShortWithoutRead: true,
    body: mailTemplateInput,
    answer: answered(200, 'The template', shapes.one(mailTemplateShape)),
    errors: [404],
    async handle(call) {
      const present = await presenter();
      return call.commit((tx) => {
        const slot = putMailTemplate(tx, call.ctx, siteName(call), slotName(call), call.body);
        return jsonReply(200, { data: visible(call, present(slot)) });
      });
    },
  }),
  operation({
    method: 'DELETE',
    path,
    id: 'resetMailTemplate',
    ...managing,
    summary: "Go back to the desk's own words",
    answer: answered(204, 'Removed', null),
    errors: [404],
    write(tx, call) {
      resetMailTemplate(tx, call.ctx, siteName(call), slotName(call));
      return emptyReply(204);
    },
  }),
  operation({
    method: 'POST',
    path: `${path}/preview`,
    id: 'previewMailTemplate',
    ...managing,
    summary: 'See a mail as it would be sent',
    description: 'With the words in the request or those of now, and with an example or a ticket.',
    isDryRun: true,
    body: templatePreviewInput,
    isBodyOptional: true,
    answer: answered(200, 'The mail', shapes.one(shownMailShape)),
    errors: [404],
    async handle(call) {
      const { baseUrl, inboundDomain, desk } = call.edge;
      const { composeSample } = await import('../../../mail/outgoing/sample.ts');
      const { shown, from } = desk.read((tx) => {
        const shown = templateToShow(tx, call.ctx, siteName(call), slotName(call), call.body);
        return { shown, from: fromOf(shown.site, senderOf(tx, shown.site, null), deskAddress(tx, call.ctx)) };
      });
      const { settings } = shown.site;
      const { subject, text, html } = composeSample(
        shown.name,
        {
          site: { name: publicName(shown.site), color: settings.brand.color },
          locale: shown.locale,
          from,
          to: from,
          ticket: shown.ticket,
          inboundDomain,
          deskId: '',
          messageId: '<example@localhost>',
          at: call.ctx.now,
        },
        shown.template,
        { baseUrl, isOpen: settings.customer_links === 'open' },
      );
      return jsonReply(200, { data: { subject, text, html } });
    },
  }),
  operation({
    method: 'POST',
    path: `${path}/test`,
    id: 'testMailTemplate',
    ...managing,
    summary: 'Mail an example to yourself',
    description: 'Through the outbox, as the template is now. A program names an agent of the site.',
    body: templateTestInput,
    isBodyOptional: true,
    answer: answered(
      200,
      'Whom it goes to',
      z.object({
        message: z.string(),
        data: z.object({
          recipient: z.string(),
          has_server: z.boolean().meta({ description: 'False: no server takes it, and it is only written to a file.' }),
        }),
      }),
    ),
    errors: [404, 409],
    write(tx, call) {
      const { recipient, hasServer } = testMailTemplate(
        ...([tx, call.ctx, siteName(call), slotName(call), call.body.agent_id ?? null] as const),
      );
      return jsonReply(200, { message: 'The mail is queued.', data: { recipient, has_server: hasServer } });
    },
  }),
];
