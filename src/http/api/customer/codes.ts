// Codes that confirm an address (docs/spec/customer.md#confirmation).

import * as z from 'zod';
import { codeDigits, enterCode, type IssuedCode, issueCode, mailCode } from '../../../desk/customer/codes.ts';
import { confirmList, listHash, startList } from '../../../desk/customer/lists.ts';
import { prove } from '../../../desk/customer/proofs.ts';
import { newestVisit, type Visit } from '../../../desk/customer/visits.ts';
import { portalSite } from '../../../desk/portal/portal.ts';
import { addressHint, customerLimits } from '../../../domain/customer-link.ts';
import { invalid } from '../../../domain/errors.ts';
import { email } from '../../../domain/input/fields.ts';
import type { ProvenAddress } from '../../../store/customer-proofs.ts';
import type { Tx } from '../../../store/database.ts';
import { withCookies } from '../../cookie-answer.ts';
import { guessKey } from '../../credentials/authenticate.ts';
import { listCookie, listSecretIn, proofCookie, visitSecretsIn } from '../../credentials/customer-cookie.ts';
import { type Call, type Operation, operation } from '../../operation.ts';
import { jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { proofOf, tag } from './visit.ts';

const names = {
  ticket: z.string().max(64).nullish().meta({ description: 'The ulid of a ticket whose link this browser opened.' }),
  site: z.string().max(255).nullish().meta({ description: 'The slug of a site, for the tickets of an address.' }),
};

type Asking = Pick<Call, 'edge' | 'ctx' | 'header'>;

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

interface Asked {
  whose: ProvenAddress;
  code: IssuedCode | null;
  digits: number;
  ticketId: number | null;
}

function taken({ edge, ctx }: Asking, { whose, code, digits, ticketId }: Asked) {
  if (code !== null)
    edge.aside.run('a code for a customer could not be queued', (tx) => mailCode(tx, ctx, whose, code, ticketId));
  return jsonReply(202, { digits });
}

const takenByNone = () => jsonReply(202, { digits: customerLimits.codeDigits });

const countAsked = ({ edge, guesser }: Pick<Call, 'edge' | 'guesser'>) =>
  edge.limits.signInFailures.take(guessKey(guesser), edge.desk.now());

async function askForTicket(call: Asking, ticket: string) {
  const asked = await call.edge.desk.write((tx): Asked | null => {
    const visit = visitTo(tx, call, ticket);
    if (!visit) return null;
    const whose = { siteId: visit.site.id, address: visit.address };
    const digits = codeDigits(tx, call.ctx, whose.siteId);
    const code = issueCode(tx, call.ctx, { ...whose, isByLink: true }, visit.visit.tokenHash);
    return { whose, code, digits, ticketId: visit.link.ticketId };
  });
  return asked === null ? takenByNone() : taken(call, asked);
}

async function askForList(call: Asking, slug: string, address: string) {
  const { edge, ctx, header } = call;
  const asked = await edge.desk.write((tx) => {
    const site = listsOf(tx, slug);
    if (!site) return null;
    const whose = { siteId: site.id, address };
    const secret = startList(tx, ctx, whose, listSecretIn(edge.baseUrl, site.id, header('cookie')));
    const digits = codeDigits(tx, ctx, site.id);
    const code = issueCode(tx, ctx, { ...whose, isByLink: false }, listHash(ctx.seal, secret));
    return { whose, secret, code, digits, ticketId: null };
  });
  if (asked === null) return takenByNone();
  return withCookies(taken(call, asked), [listCookie(edge.baseUrl, asked.whose.siteId, asked.secret)]);
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
      'With ticket, the code goes to the address of the link. With site and email, it goes to that address if it has a ticket there, and the answer sets the cookie of the list. Three codes an hour for an address on a site, and three more by its links. The answer and its timing are the same for every address.',
    access: 'customer',
    isNeverRepeated: true,
    body: z.object({ ...names, email: email().nullish() }),
    answer: {
      status: 202,
      description: 'Taken, and how many digits a code has now',
      schema: z.object({ digits: z.int() }),
    },
    async handle(call) {
      const { ticket, site, email: address } = call.body;
      requireOne(call.body);
      countAsked(call);
      if (ticket != null) return await askForTicket(call, ticket);
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
    answer: {
      status: 200,
      description: 'Confirmed, with the cookie of the proof',
      schema: shapes.one(z.object({ address_hint: z.string() })),
    },
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
