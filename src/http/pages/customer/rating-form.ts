// The rating form for browsers without JavaScript. It is passed on as the call that the script would make, so that
// limits, refusals and the cluster are those of that call.

import type { Context } from 'hono';
import { ratingPath } from '../../../desk/customers/satisfaction.ts';
import { DeskError } from '../../../domain/errors.ts';
import { type Rating, ratings } from '../../../domain/tickets/satisfaction.ts';
import type { RatingProblem } from '../../../web/customer/page-content.ts';
import { readBody, smallBytes, strangersPatience } from '../../body.ts';
import type { Env } from '../read-only.ts';

/** Answers a call of the API within this process. */
export type OwnCall = (request: Request, seen: Env['Bindings']) => Promise<Response>;

interface Sent {
  status: number;
  chosen: Rating | null;
  problem: RatingProblem;
  typed: string | null;
}

/** @returns where the browser goes on, or why it stays */
export async function takeRatingForm(c: Context<Env>, ownCall: OwnCall): Promise<Response | Sent> {
  const { link = '', secret = '' } = c.req.param() as Record<string, string>;
  const form = await formIn(c.req.raw);
  if (form === null) return { status: 413, chosen: null, problem: 'too_long', typed: null };
  const chosen = ratings.find((one) => one === form.get('rating')) ?? null;
  // Browsers end the lines of a form with CR LF.
  const typed = form.get('comment')?.replaceAll('\r\n', '\n') ?? null;
  const said = { rating: chosen, link, token: secret, ...(typed === null ? {} : { comment: typed }) };
  const answer = await ownCall(callWith(c.req.raw, said), c.env);
  if (answer.ok) {
    const headers = { Location: `${ratingPath(link, secret)}?saved=1` };
    return new Response(null, { status: 303, headers });
  }
  await answer.body?.cancel();
  const isLong = answer.status === 413 || (answer.status === 422 && chosen !== null);
  const isBusy = answer.status === 429 || answer.status === 503;
  return { status: answer.status, chosen, problem: isLong ? 'too_long' : isBusy ? 'busy' : 'failed', typed };
}

/** Null if it is too long. */
async function formIn(request: Request): Promise<URLSearchParams | null> {
  if (!request.headers.get('content-type')?.startsWith('application/x-www-form-urlencoded'))
    return new URLSearchParams();
  try {
    const bytes = await readBody(request, smallBytes, (work) => work(), strangersPatience);
    return new URLSearchParams(Buffer.from(bytes).toString('utf8'));
  } catch (error) {
    if (error instanceof DeskError) return null;
    throw error;
  }
}

function callWith(request: Request, body: object): Request {
  const headers = new Headers(request.headers);
  headers.set('Content-Type', 'application/json');
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name);
  // Under the policy for referrers, browsers that say nothing else of where a form comes from call its origin null.
  if (headers.get('origin') === 'null' && !headers.has('sec-fetch-site')) headers.delete('origin');
  const url = new URL('/api/v1/customer/ratings', request.url);
  const json = JSON.stringify(body);
  headers.set('Content-Length', String(Buffer.byteLength(json)));
  return new Request(url, { method: 'POST', headers, body: json });
}
