// Signing in at the organisation's issuer: to it, and back (docs/spec/people.md#openid-connect).

import * as z from 'zod';
import { signInWithIssuer } from '../../../desk/people/issuer-sign-in.ts';
import type { Entered } from '../../../desk/people/sign-in.ts';
import { returnPath } from '../../../domain/people/return-path.ts';
import type { Tx } from '../../../engine/database.ts';
import { newOidcSecrets, type OidcPerson } from '../../../identity/oidc.ts';
import { OidcFault } from '../../../identity/oidc-fault.ts';
import { sealedCookie } from '../../credentials/sealed-cookie.ts';
import { type Call, type Operation, operation } from '../../operation.ts';
import { arrivalOf, cookiesOf, later, noteRefused } from './sign-in-steps.ts';

const tag = 'Sign-in';
const callbackPath = '/api/v1/auth/oidc/callback';
const answer = { status: 302, description: 'To the issuer, into the desk, or back to the sign-in page', schema: null };

const issuerCookie = sealedCookie(
  'issuer',
  z.object({
    secrets: z.object({ state: z.string(), nonce: z.string(), verifier: z.string() }),
    returnTo: z.string(),
  }),
);

/** Another Response than `Reply`, because it can have two cookies. */
function leadTo(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ Location: location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
  for (const one of cookies) headers.append('Set-Cookie', one);
  return new Response(null, { status: answer.status, headers });
}

function backToSignIn({ edge }: Call, error: string, returnTo: string): Response {
  const query = new URLSearchParams({ error: `oidc_${error}`, ...(returnTo === '/' ? {} : { return_to: returnTo }) });
  return leadTo(`/sign-in?${query}`, [issuerCookie.end(edge.baseUrl)]);
}

/** Into the desk, or to the page that asks for the second factor. */
function entered({ edge }: Call, tx: Tx, result: Entered, returnTo: string): Response {
  const ended = issuerCookie.end(edge.baseUrl);
  if (result.kind === 'started') return leadTo(returnTo, [ended, ...cookiesOf(tx, edge, result.started)]);
  const query = new URLSearchParams({ second_factor: result.factors.join(','), return_to: returnTo });
  return leadTo(`/sign-in?${query}#challenge=${result.challenge}`, [ended]);
}

function problemOf({ edge }: Call, error: unknown): string {
  if (!(error instanceof OidcFault)) throw error;
  if (error.problem !== 'denied') edge.signIn.oidc?.note(error);
  return error.problem;
}

async function begin(call: Call<{ return_to?: string | undefined }>): Promise<Response> {
  const { edge } = call;
  const returnTo = returnPath(call.query.return_to);
  if (edge.signIn.oidc === null) return backToSignIn(call, 'unavailable', returnTo);
  const secrets = newOidcSecrets();
  try {
    const url = await edge.signIn.oidc.client.begin(edge.baseUrl + callbackPath, secrets);
    return leadTo(url, [issuerCookie.set(edge.baseUrl, edge.desk.seal, { secrets, returnTo }, edge.desk.now())]);
  } catch (error) {
    return backToSignIn(call, problemOf(call, error), returnTo);
  }
}

async function refuse(call: Call, problem: string, returnTo: string): Promise<Response> {
  await noteRefused(call, { method: 'oidc', reason: problem });
  return backToSignIn(call, problem, returnTo);
}

async function finish(call: Call): Promise<Response> {
  const { edge } = call;
  const { oidc } = edge.signIn;
  const kept = issuerCookie.read(edge.baseUrl, edge.desk.seal, call.header('cookie'), edge.desk.now());
  if (oidc === null) return backToSignIn(call, 'unavailable', '/');
  if (kept === null) return await refuse(call, 'expired', '/');
  const { secrets, returnTo } = kept;
  let person: OidcPerson;
  try {
    person = await oidc.client.finish(edge.baseUrl + callbackPath, call.url.searchParams, secrets);
  } catch (error) {
    return await refuse(call, problemOf(call, error), returnTo);
  }
  if (person.roleFault !== null) oidc.note(person.roleFault);
  const arrival = arrivalOf(call);
  return await edge.desk.write((tx) => {
    const result = signInWithIssuer(tx, later(call), person, oidc.domains, arrival);
    return result.kind === 'refused'
      ? backToSignIn(call, result.problem, returnTo)
      : entered(call, tx, result, returnTo);
  });
}

export const issuerOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/auth/oidc',
    id: 'signInAtIssuer',
    tag,
    summary: 'Sign in at the issuer',
    description: 'For browsers: redirects to the page of the OpenID Connect issuer.',
    access: 'sign_in',
    query: z.object({
      return_to: z.string().optional().meta({ description: 'A path of this desk; anything else leads to /.' }),
    }),
    answer,
    handle: begin,
  }),
  operation({
    method: 'GET',
    path: callbackPath,
    id: 'returnFromIssuer',
    tag,
    summary: 'Return from the issuer',
    description: 'For browsers: the issuer redirects here. The query is that of OpenID Connect.',
    access: 'sign_in',
    isWritingGet: true,
    answer,
    handle: finish,
  }),
];
