// What was sent, as a person reads it before deciding about it (docs/spec/api.md#inbound-mail).

import { readArrivedMail } from '../../../desk/mail/log.ts';
import { conflict, notFound } from '../../../domain/errors.ts';
import { inOnePiece } from '../../../files/clamav.ts';
import type { Mailroom } from '../../../jobs/mailroom.ts';
import type { InboundMail } from '../../../store/mail/inbound.ts';
import type { Site } from '../../../store/sites/sites.ts';
import { type Call, type Operation, operation } from '../../operation.ts';
import { arrivedMessageShape, presentArrivedMessage, presentHeldForm } from '../../wire/mail/inbound-mail.ts';
import { jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { idOf, siteName } from '../parameters.ts';
import { disposition, sandbox } from '../tickets/files.ts';
import { frameQuery, frameReply } from './mail-frame.ts';

const base = '/api/v1/sites/{site}/inbound-mail/{id}';

function asked(call: Call): { site: Site; row: InboundMail; mailroom: Mailroom } {
  const { desk, mailroom } = call.edge;
  const found = desk.read((tx) => readArrivedMail(tx, call.ctx, siteName(call), idOf(call, 'mail')));
  return { ...found, mailroom };
}

/** It is asked each time, because nothing is stored of a mail that is not filed. */
async function requireClean({ edge }: Call, { settings }: Site, bytes: Uint8Array): Promise<void> {
  if (edge.scanner === null) return;
  const verdict = await edge.scanner.scan(inOnePiece(bytes));
  if (verdict.kind === 'clean') return;
  if (verdict.kind === 'infected') throw conflict(`This file is infected: ${verdict.found}.`, 'attachment_infected');
  if (settings.attachment_scan === 'wait')
    throw conflict('This file cannot be checked for viruses now. Try again later.', 'attachment_unchecked');
}

export const arrivedMailOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: `${base}/message`,
    id: 'readInboundMessage',
    tag: 'Inbound mail',
    summary: 'Read the message of an inbound mail',
    description:
      'What was sent: text, sanitised HTML, headers, what is known about the sender, and files. A message that cannot be read is 409 unreadable.',
    access: 'team',
    ability: 'manage',
    answer: { status: 200, description: 'The message', schema: shapes.one(arrivedMessageShape) },
    errors: [404, 409],
    async handle(call) {
      const { site, row, mailroom } = asked(call);
      if (row.form !== null) return jsonReply(200, { data: presentHeldForm(row.form) });
      const mail = await mailroom.show(site, row);
      const urlOf = (at: number) => `${call.edge.baseUrl}/api/v1/sites/${site.slug}/inbound-mail/${row.id}/files/${at}`;
      return jsonReply(200, { data: presentArrivedMessage(mail, urlOf) });
    },
  }),
  operation({
    method: 'GET',
    path: `${base}/frame`,
    id: 'showInboundMessage',
    tag: 'Inbound mail',
    summary: 'Show the HTML of an inbound mail in a frame',
    description:
      'A page for a sandboxed frame of the desk. It runs no scripts, and loads images of other hosts only with images=1.',
    access: 'team',
    ability: 'manage',
    query: frameQuery,
    answer: { status: 200, schema: null, contentType: 'text/html', description: 'The page' },
    errors: [404, 409],
    async handle(call) {
      const { site, row, mailroom } = asked(call);
      const html = row.form === null ? (await mailroom.show(site, row, call.edge.scanner === null)).html : null;
      if (html === null) throw notFound('message');
      return frameReply(call, html);
    },
  }),
  operation({
    method: 'GET',
    path: `${base}/files/{file}`,
    id: 'downloadInboundFile',
    tag: 'Inbound mail',
    summary: 'Download a file of an inbound mail',
    description: 'By its place in files of the message, from 0. Only a file that the desk accepts; others are 404.',
    access: 'team',
    ability: 'manage',
    answer: {
      status: 200,
      description: "The file's content",
      schema: null,
      contentType: 'application/octet-stream',
    },
    errors: [404, 409],
    async handle(call) {
      const { site, row, mailroom } = asked(call);
      const at = /^\d{1,4}$/.test(call.params.file ?? '') ? Number(call.params.file) : null;
      const found = row.form === null && at !== null ? await mailroom.showFile(site, row, at) : null;
      if (found === null) throw notFound('file');
      const { file, bytes } = found;
      await requireClean(call, site, bytes);
      return new Response(bytes as BodyInit, {
        headers: {
          'Content-Type': file.contentType ?? 'application/octet-stream',
          'Content-Disposition': disposition('attachment', file.filename),
          'Content-Security-Policy': sandbox,
          'X-Content-Type-Options': 'nosniff',
          'Cache-Control': 'no-store',
        },
      });
    },
  }),
];
