// The answer that starts a visit: its cookie, and the end of those that are too many for a browser.

import { endVisit, replaceVisit, type Started, visitsBeyond } from '../../../desk/customers/visits.ts';
import { customerLimits } from '../../../domain/customers/link.ts';
import type { Tx } from '../../../engine/database.ts';
import { withCookies } from '../../cookie-answer.ts';
import { endedVisitCookie, visitCookie, visitSecretsIn } from '../../credentials/customer-cookie.ts';
import type { Call } from '../../operation.ts';
import { jsonReply } from '../../wire/respond.ts';

/** @param start in the write step; it throws when there is nothing to visit */
export async function answerVisit(
  { edge, ctx, header }: Pick<Call, 'edge' | 'ctx' | 'header'>,
  start: (tx: Tx) => Started,
): Promise<Response> {
  const { desk, baseUrl } = edge;
  const visits = visitSecretsIn(baseUrl, header('cookie'));
  const { ulid, secret, ended } = await desk.write((tx) => {
    const { thread, secret } = start(tx);
    const former = visits.get(thread.ulid);
    if (former !== undefined) replaceVisit(tx, desk.seal, former, ctx.now);
    visits.delete(thread.ulid);
    const ended = visitsBeyond(tx, desk.seal, visits, customerLimits.visitsOfBrowser - 1, ctx.now);
    for (const name of ended) endVisit(tx, desk.seal, visits.get(name) ?? '');
    return { ulid: thread.ulid, secret, ended };
  });
  return withCookies(jsonReply(200, { data: { ticket: ulid, path: `/t/${ulid}` } }), [
    visitCookie(baseUrl, ulid, secret),
    ...ended.map((name) => endedVisitCookie(baseUrl, name)),
  ]);
}
