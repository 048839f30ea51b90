// Codes that confirm an address (docs/spec/customer.md#confirmation).

import * as z from 'zod';
import { codeDigits, enterCode, issueCode } from '../../../desk/customers/codes.ts';
import { confirmList, listHash, startList } from '../../../desk/customers/lists.ts';
import { portalSite } from '../../../desk/customers/portal.ts';
import { peopleOn, prove } from '../../../desk/customers/proofs.ts';
import { newestVisit, type Visit } from '../../../desk/customers/visits.ts';
import { askForMail } from '../../../desk/outbox/asked-mails.ts';
import { addressHint, customerLimits } from '../../../domain/customers/link.ts';
import { invalid } from '../../../domain/errors.ts';
import { email } from '../../../domain/input/fields.ts';
import { normaliseEmail } from '../../../domain/mail/address.ts';
import type { Tx } from '../../../engine/database.ts';
import { withCookies } from '../../cookie-answer.ts';
import { guessKey } from '../../credentials/authenticate.ts';
import { listCookie, listSecretIn, proofCookie, visitSecretsIn } from '../../credentials/customer-cookie.ts';
import { answered, type Call, type Operation, operation } from '../../operation.ts';
import { jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { proofOf, tag } from './visit.ts';

const names = {
  ticket: z.string().max(64).nullish().meta({ description: 'The ulid of a ticket whose link this browser opened.' }),
  site: z.string().max(255).nullish().meta({ description: 'The slug of a site, for the tickets of an address.' }),
};

type Asking = Pick<Call, 'edge' | 'ctx' | 'header' | 'guesser'>;

function visitTo(tx: Tx, { edge, ctx, header }: Asking, ticket: string): Visit | undefined {
  const ulid = ticket.trim().toUpperCase();
  const secret = visitSecretsIn(edge.baseUrl, header('cookie')).get(ulid);
  return secret === undefined ? undefined : newestVisit(tx, edge.desk.seal, [[ulid, secret]], ctx.now);
}

const listsOf = (tx: Tx, slug: string) => portalSite(tx, slug, ['form_and_tickets']);

function requireOne({ ticket, site }: { ticket?: string | null | undefined; site?: string | null | undefined }): void {
  if (ticket == null && site == null) throw invalid('ticket', 'is required, unless you name a site.');
  if (ticket != null && site != null) throw invalid('site', 'cannot be used together with ticket.');
}

const taken = (digits: number = customerLimits.codeDigits) => jsonReply(202, { digits });

const countAsked = ({ edge, guesser }: Pick<Call, 'edge' | 'guesser'>) =>
  edge.limits.signInFailures.take(guessKey(guesser), edge.desk.now());

/** @param named by the person, for a link that several people have: only those on the ticket get a code */
async function askForTicket(call: Asking, ticket: string, named: string | null) {
  const { edge, ctx, guesser } = call;
  return await edge.desk.write((tx) => {
    const visit = visitTo(tx, call, ticket);
    if (!visit) return taken();
    const address = visit.address ?? named;
    if (address === null) throw invalid('email', 'is required: several people have this link.');
    const whose = { siteId: visit.site.id, address };
    const digits = codeDigits(tx, ctx, whose.siteId);
    const codeId = issueCode(tx, ctx, { ...whose, isByLink: true }, visit.visit.tokenHash, guesser.network);
    const isKnown =
      visit.address !== null || peopleOn(tx, visit).some(({ email }) => normaliseEmail(email) === address);
    askForMail(tx, ctx, { kind: 'code', codeId: isKnown ? codeId : null, ticketId: visit.link.ticketId });
    return taken(digits);
  });
}

async function askForList(call: Asking, slug: string, address: string) {
  const { edge, ctx, header, guesser } = call;
  return await edge.desk.write((tx) => {
    const site = listsOf(tx, slug);
    if (!site) return taken();
    const whose = { siteId: site.id, address };
    const secret = startList(tx, ctx, whose, listSecretIn(edge.baseUrl, site.id, header('cookie')));
    const digits = codeDigits(tx, ctx, site.id);
    const codeId = issueCode(tx, ctx, { ...whose, isByLink: false }, listHash(ctx.seal, secret), guesser.network);
    askForMail(tx, ctx, { kind: 'code', codeId, ticketId: null });
    return withCookies(taken(digits), [listCookie(edge.baseUrl, site.id, secret)]);
  });
}

function enter(tx: Tx, call: Asking, code: string, { ticket, slug }: { ticket: string | null; slug: string }) {
  const { edge, ctx, header } = call;
  const { seal } = edge.desk;
  const site = ticket === null ? listsOf(tx, slug) : null;
  const list = site === null ? null : listSecretIn(edge.baseUrl, site.id, header('cookie'));
  const visit = ticket === null ? undefined : visitTo(tx, call, ticket);
  const asker = visit?.visit.tokenHash ?? (list === null ? '' : listHash(seal, list));
  const entered = enterCode(tx, ctx, asker, code);
  if ('attemptsLeft' in entered) return entered;
  if (list !== null) confirmList(tx, ctx, list);
  const cookies = [proofCookie(edge.baseUrl, prove(tx, ctx, proofOf(call), entered.proven))];
  if (site !== null && list !== null) cookies.push(listCookie(edge.baseUrl, site.id, list));
  return { cookies, hint: addressHint(entered.proven.address) };
}

export const customerCodeOperations: readonly Operation[] = [
  operation({
    method: 'POST',
    path: '/api/v1/customer/codes',
    id: 'askForCustomerCode',
    tag,
    summary: 'Ask for a code that confirms an address',
    description:
      'With ticket, the code goes to the address of the link; if several people have the link (is_shared), to email if that person is on the ticket. With site and email, it goes to that address if it has a ticket there, and the answer sets the cookie of the list. Three codes an hour for an address on a site from one network, twelve from all, and three more by its links. The answer and its timing are the same for every address.',
    access: 'customer',
    isNeverRepeated: true,
    body: z.object({ ...names, email: email().nullish() }),
    answer: answered(202, 'Taken, and how many digits a code has now', z.object({ digits: z.int() })),
    async handle(call) {
      const { ticket, site, email: address } = call.body;
      requireOne(call.body);
      countAsked(call);
      if (ticket != null) return await askForTicket(call, ticket, address ?? null);
      if (address == null) throw invalid('email', 'is required.');
      return await askForList(call, site ?? '', address);
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/customer/codes/confirm',
    id: 'enterCustomerCode',
    tag,
    summary: 'Enter the code from the mail',
    description:
      'A code works for ten minutes, once, in the browser that asked for it, and has five attempts. Wrong, expired and used codes, and those that no one asked for, are 422 wrong_code.',
    access: 'customer',
    isNeverRepeated: true,
    body: z.object({
      ...names,
      code: z
        .string()
        .trim()
        .max(64)
        .meta({ examples: ['402918'] }),
    }),
    answer: answered(
      200,
      'Confirmed, with the cookie of the proof',
      shapes.one(z.object({ address_hint: z.string() })),
    ),
    async handle(call) {
      const { ticket, site, code } = call.body;
      requireOne(call.body);
      const digits = code.replace(/[\s-]/g, '');
      const entered = await call.edge.desk.write((tx) =>
        enter(tx, call, digits, { ticket: ticket ?? null, slug: site ?? '' }),
      );
      if ('cookies' in entered)
        return withCookies(jsonReply(200, { data: { address_hint: entered.hint } }), entered.cookies);
      countAsked(call);
      return jsonReply(422, {
        message: 'This code is wrong, or can no longer be used.',
        code: 'wrong_code',
        errors: { code: ['The code is wrong, or can no longer be used.'] },
        attempts_left: entered.attemptsLeft,
        request_id: call.ctx.requestId,
      });
    },
  }),
];
