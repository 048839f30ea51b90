// The form of a site: its challenge, the ticket that it opens, and its files (docs/spec/customer.md#form).

import * as z from 'zod';
import { attachToForm, openUpload, uploadToken } from '../../../desk/customers/form-uploads.ts';
import { portalSite } from '../../../desk/customers/portal.ts';
import { proofRefused, receiveForm } from '../../../desk/customers/receive-form.ts';
import type { StoredFile } from '../../../desk/tickets/attachments.ts';
import { notFound } from '../../../domain/errors.ts';
import { formTicketInput } from '../../../domain/input/portal.ts';
import { customersRules } from '../../../domain/tickets/files.ts';
import { referenceOf } from '../../../domain/tickets/ticket.ts';
import type { Tx } from '../../../engine/database.ts';
import { newChallenge, readProof } from '../../../identity/proof-of-work.ts';
import { type Site, siteById } from '../../../store/sites/sites.ts';
import { proofSecretIn } from '../../credentials/customer-cookie.ts';
import { answered, type Call, type Edge, type Operation, operation } from '../../operation.ts';
import { challengeShape, formAnswerShape } from '../../wire/customers/portal.ts';
import { jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { attachUpload, uploadAnswer, uploadErrors } from '../tickets/uploaded-file.ts';

function siteBehind(edge: Edge, slug: string): Site {
  const site = edge.desk.read((tx) => portalSite(tx, slug));
  if (site === null) throw notFound('site');
  return site;
}

// More than the longest form has, and little to read before its proof of work is checked.
const maxBodyBytes = 256 * 1024;

const placeOf = ({ ulid }: Site) => `form:${ulid}`;

const challengeQuery = z.object({ site: z.string().max(64).meta({ description: "The site's slug." }) });

const received = (reference: string | null, token: string | null) =>
  jsonReply(201, { data: { reference, upload_token: token } });

export const portalFormOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/customer/challenge',
    id: 'readChallenge',
    tag: 'Customers',
    summary: 'Get a challenge for a form',
    description: 'Guess the number from 0 to maxnumber for which SHA-256 of salt and number is the challenge.',
    access: 'open',
    query: challengeQuery,
    answer: answered(200, "A challenge in ALTCHA's format, for ten minutes", shapes.one(challengeShape)),
    errors: [404],
    async handle(call) {
      const site = siteBehind(call.edge, call.query.site);
      return jsonReply(200, { data: await newChallenge(call.ctx.seal, placeOf(site), call.ctx.now) });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/customer/tickets',
    id: 'sendForm',
    tag: 'Customers',
    summary: 'Send the form of a site',
    description:
      'Opens a ticket and mails a link to it. What an address sends beyond five tickets an hour without confirming them waits for an agent; reference and upload_token are null then.',
    access: 'form',
    body: formTicketInput,
    maxBodyBytes,
    answer: answered(201, 'The form was received', shapes.one(formAnswerShape)),
    errors: [403, 404, 409],
    async handle(call) {
      const { site: slug, proof, website, ...form } = call.body;
      const { ctx } = call;
      const site = siteBehind(call.edge, slug);
      const browser = proofSecretIn(call.edge.baseUrl, call.header('cookie'));
      const solved = await readProof(ctx.seal, proof, placeOf(site), ctx.now);
      if (solved === null) throw proofRefused();
      if (website != null && website !== '') return received(null, null);
      return call.commit((tx) => {
        const current = portalSite(tx, slug);
        if (current === null) throw notFound('site');
        const opened = receiveForm(tx, ctx, current, form, solved, browser);
        return opened === null
          ? received(null, null)
          : received(referenceOf(opened.ticket.id), uploadToken(ctx, opened.message));
      });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/customer/tickets/attachments',
    id: 'attachToForm',
    tag: 'Customers',
    summary: 'Add a file to a form that was sent',
    description:
      'Within 15 minutes, with the upload_token of the form in the header X-Upload-Token. Send multipart/form-data with one file of at most 10 MB, or what the site allows, under the key "file".',
    access: 'form',
    isUpload: true,
    answer: uploadAnswer,
    errors: [401, ...uploadErrors],
    async handle(call) {
      const token = call.header('x-upload-token') ?? '';
      const { ticket, ctx, site } = call.edge.desk.read((tx) => {
        const upload = openUpload(tx, call.ctx, token);
        return { ...upload, site: siteById(tx, upload.ticket.siteId) ?? null };
      });
      if (site === null) throw notFound('ticket');
      const own: Call = {
        ...call,
        site,
        actor: { kind: 'application', siteId: ticket.siteId },
        // One key cannot bring back what another form has sent.
        commit: (act, fingerprint) => call.commit(act, `${fingerprint}\n${token}`),
      };
      const attach = (tx: Tx, file: StoredFile) => attachToForm(tx, { ...call.ctx, actor: ctx.actor }, token, file);
      return attachUpload(own, customersRules(site.settings), attach, {
        by: 'forms',
        siteId: site.id,
        ticketId: ticket.id,
      });
    },
  }),
];
