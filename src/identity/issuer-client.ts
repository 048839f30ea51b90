// The servers of an issuer: its metadata, and calls that reach nothing else. For sign-in and for mailboxes.

import * as client from 'openid-client';
import type { Clock } from '../base/clock.ts';
import { isLoopbackHost } from '../base/local-url.ts';
import type { AllowList } from '../net/allow-list.ts';
import { type Guard, guardedRead } from '../net/guarded-fetch.ts';
import { OidcFault } from './oidc-fault.ts';

const mostBytes = 256 * 1024;
const metadataKeptMs = 3_600_000;
const faultKeptMs = 5000;

export interface IssuerSettings {
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  allow: AllowList;
  timeoutMs: number;
  /** Decides how long metadata is kept. Tokens are checked with the machine's own clock. */
  clock: Clock;
}

interface IssuerClient {
  metadata(): Promise<client.ServerMetadata>;
  /** Created for every use, so that a rotated key is picked up immediately. Throws OidcFault. */
  configuration(): Promise<client.Configuration>;
}

/** @param needed of its metadata, the addresses without which it is of no use */
export function createIssuerClient(
  settings: IssuerSettings,
  needed: readonly ('authorization_endpoint' | 'token_endpoint' | 'jwks_uri')[],
): IssuerClient {
  const issuer = new URL(settings.issuer);
  const isPlain = issuer.protocol === 'http:';
  const fetch = guardedCall(settings, isPlain);
  let known: { metadata: Promise<client.ServerMetadata>; until: number } | null = null;

  async function discover(): Promise<client.ServerMetadata> {
    const found = await client.discovery(issuer, settings.clientId, {}, client.None(), {
      [client.customFetch]: fetch,
      ...(isPlain ? { execute: [client.allowInsecureRequests] } : {}),
    });
    const metadata = found.serverMetadata();
    for (const name of needed) assertUsable(String(metadata[name]), isPlain);
    return metadata;
  }

  function metadata(): Promise<client.ServerMetadata> {
    const now = settings.clock.now();
    if (known === null || known.until <= now || known.until > now + metadataKeptMs) {
      const asked = { metadata: discover(), until: now + metadataKeptMs };
      known = asked;
      asked.metadata.catch(() => {
        asked.until = settings.clock.now() + faultKeptMs;
      });
    }
    return known.metadata;
  }

  async function configuration(): Promise<client.Configuration> {
    const server = await metadata().catch((error) => {
      throw new OidcFault('unavailable', messageOf(error));
    });
    const made = new client.Configuration(server, settings.clientId, undefined, authentication(server));
    made[client.customFetch] = fetch;
    if (isPlain) client.allowInsecureRequests(made);
    return made;
  }

  function authentication({ token_endpoint_auth_methods_supported: methods }: client.ServerMetadata) {
    if (settings.clientSecret === null) return client.None();
    const isBasic = methods === undefined || methods.includes('client_secret_basic');
    return isBasic ? client.ClientSecretBasic(settings.clientSecret) : client.ClientSecretPost(settings.clientSecret);
  }

  return { metadata, configuration };
}

/** A `fetch` that only reaches the issuer and public servers, with a limit on what it reads. */
function guardedCall(guard: Guard, isPlain: boolean): client.CustomFetch {
  return async (url, { method, headers, body }) => {
    assertUsable(url, isPlain);
    if (method !== 'GET' && method !== 'POST') throw new Error(`the desk sends no ${method} to an issuer`);
    const answer = await guardedRead({ method, url, headers, body: body ? String(body) : '' }, guard, mostBytes).catch(
      (error) => {
        throw new OidcFault('unavailable', messageOf(error));
      },
    );
    return new Response(answer.body === '' ? null : answer.body, {
      status: answer.status,
      headers: { 'content-type': answer.contentType },
    });
  };
}

/** Throws for an address that is neither https nor, with an issuer on this machine, plain http on this machine. */
function assertUsable(text: string, isPlain: boolean): void {
  if (URL.canParse(text)) {
    const { protocol, hostname } = new URL(text);
    if (protocol === 'https:' || (isPlain && protocol === 'http:' && isLoopbackHost(hostname))) return;
  }
  throw new Error('the issuer names an address that is not https');
}

function* chainOf(error: unknown): Generator<Error> {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) yield at;
}

export function messageOf(error: unknown): string {
  const messages = [...chainOf(error)].map(({ message }) => message).filter((message) => message !== '');
  return [...new Set(messages)].join(': ').slice(0, 300);
}

export function asFault(error: unknown): OidcFault {
  for (const cause of chainOf(error)) if (cause instanceof OidcFault) return cause;
  if (error instanceof client.AuthorizationResponseError) {
    const code = /^[a-z_]{1,60}$/.test(error.error) ? error.error : 'no';
    return new OidcFault('denied', `the issuer says ${code}`);
  }
  return new OidcFault('refused', messageOf(error));
}
