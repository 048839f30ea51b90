// Consenting at Google, Microsoft or another provider that the desk reads and sends through a mailbox: there, and back.

import * as z from 'zod';
import { toWire } from '../../../base/clock.ts';
import { randomKey } from '../../../base/crypto.ts';
import { askedMailbox, type ConsentFor, consentFor, keepConsent } from '../../../desk/mail/mailbox-consents.ts';
import { DeskError } from '../../../domain/errors.ts';
import { ConsentNeeded, TokenFault } from '../../../identity/mailbox-access.ts';
import type { Mailbox } from '../../../store/sites/catalogue.ts';
import { sealedCookie, sealedForMs, sealedText } from '../../credentials/sealed-cookie.ts';
import { type Call, type Operation, operation } from '../../operation.ts';
import { jsonReply, type Reply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { idOf, siteName } from '../parameters.ts';

const tag = 'Mailboxes';
export const consentReturnPath = '/api/v1/mailbox-consents/return';

const consentForShape = z.object({
  mailboxId: z.int(),
  version: z.int(),
  by: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('agent'), id: z.int() }),
    z.object({ kind: z.literal('token'), id: z.int() }),
    z.object({ kind: z.literal('command_line') }),
  ]),
}) satisfies z.ZodType<ConsentFor>;

const link = sealedText('mailbox-link', consentForShape);
/** Only the browser that went to the provider can come back: a code that was stolen or slipped in is of no use. */
const underWay = sealedCookie(
  'mailbox',
  z.object({ link: consentForShape, secrets: z.object({ state: z.string(), verifier: z.string() }) }),
);

const headers = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };

/** Where a browser ends up (src/web/sign-in/consented.tsx), with the mailbox if it is known. */
function pageOf(
  { edge }: Call,
  result: 'connected' | 'refused' | 'expired' | 'unavailable',
  mailbox: Mailbox | null,
): Reply {
  const query = new URLSearchParams({ result });
  if (mailbox !== null) {
    query.set('mailbox', String(mailbox.id));
    query.set('site_id', String(mailbox.siteId));
  }
  const isOver = result === 'connected' || result === 'refused';
  return {
    status: 302,
    body: '',
    headers: {
      ...headers,
      Location: `${edge.baseUrl}/mailbox-consent?${query}`,
      ...(isOver ? { 'Set-Cookie': underWay.end(edge.baseUrl) } : {}),
    },
  };
}

function faultPage(call: Call, error: unknown, mailbox: Mailbox | null): Reply {
  if (error instanceof ConsentNeeded) return pageOf(call, 'refused', mailbox);
  if (error instanceof TokenFault) return pageOf(call, 'unavailable', mailbox);
  if (error instanceof DeskError && error.code === 'gone') return pageOf(call, 'expired', mailbox);
  throw error;
}

async function begin(call: Call<{ link: string }>): Promise<Reply> {
  const { edge } = call;
  const asked = link.open(edge.desk.seal, call.query.link, edge.desk.now());
  if (asked === null) return pageOf(call, 'expired', null);
  let mailbox: Mailbox | null = null;
  try {
    const found = edge.desk.read((tx) => askedMailbox(tx, edge.desk, asked));
    mailbox = found.mailbox;
    const secrets = { state: randomKey().toString('base64url'), verifier: randomKey().toString('base64url') };
    const provider = await edge.mailboxes.provider(found.app);
    const location = await provider.consentPage(edge.baseUrl + consentReturnPath, mailbox.address, secrets);
    const cookie = underWay.set(edge.baseUrl, edge.desk.seal, { link: asked, secrets }, edge.desk.now());
    return { status: 302, body: '', headers: { ...headers, Location: location, 'Set-Cookie': cookie } };
  } catch (error) {
    return faultPage(call, error, mailbox);
  }
}

async function finish(call: Call): Promise<Reply> {
  const { edge } = call;
  const kept = underWay.read(edge.baseUrl, edge.desk.seal, call.header('cookie'), edge.desk.now());
  if (kept === null) return pageOf(call, 'expired', null);
  let mailbox: Mailbox | null = null;
  try {
    const found = edge.desk.read((tx) => askedMailbox(tx, edge.desk, kept.link));
    mailbox = found.mailbox;
    const provider = await edge.mailboxes.provider(found.app);
    const { refreshToken, refreshUntil } = await provider.redeem(
      edge.baseUrl + consentReturnPath,
      call.url.searchParams,
      kept.secrets,
    );
    mailbox = await edge.desk.write((tx) => keepConsent(tx, call.ctx, kept.link, refreshToken ?? '', refreshUntil));
    return pageOf(call, 'connected', mailbox);
  } catch (error) {
    return faultPage(call, error, mailbox);
  }
}

export const mailboxConsentOperations: readonly Operation[] = [
  operation({
    method: 'POST',
    path: '/api/v1/sites/{site}/mailboxes/{id}/connect',
    id: 'connectMailbox',
    tag,
    summary: 'Connect a mailbox with OAuth',
    description:
      "Gives a link for the person whose mailbox it is: it leads to the provider's page, and back. It is good for ten minutes. Give it only to that person.",
    access: 'team',
    ability: 'manage',
    answer: {
      status: 200,
      description: 'The link',
      schema: shapes.one(z.object({ url: z.string(), expires_at: shapes.time() })),
    },
    errors: [404, 409],
    handle(call) {
      const { edge, ctx } = call;
      const asked = edge.desk.read((tx) => consentFor(tx, ctx, siteName(call), idOf(call, 'mailbox')));
      const query = new URLSearchParams({ link: link.seal(edge.desk.seal, asked, edge.desk.now()) });
      const url = `${edge.baseUrl}/api/v1/mailbox-consents?${query}`;
      return jsonReply(200, { data: { url, expires_at: toWire(edge.desk.now() + sealedForMs) } });
    },
  }),
  operation({
    method: 'GET',
    path: '/api/v1/mailbox-consents',
    id: 'consentToMailbox',
    tag,
    summary: "Go to the provider's page",
    description: 'For browsers: the link that connecting a mailbox gives.',
    access: 'sign_in',
    query: z.object({ link: z.string().max(4000) }),
    answer: { status: 302, description: "To the provider's page, or to one that says why not", schema: null },
    handle: begin,
  }),
  operation({
    method: 'GET',
    path: consentReturnPath,
    id: 'returnFromConsent',
    tag,
    summary: "Return from the provider's page",
    description: 'For browsers: the provider redirects here. The query is that of OAuth 2.',
    access: 'sign_in',
    isWritingGet: true,
    answer: { status: 302, description: 'To a page that says what happened', schema: null },
    handle: finish,
  }),
];
