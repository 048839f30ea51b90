// The conversation with the issuer: discovery, the code flow with PKCE, and what the ID token and user info say.

import * as client from 'openid-client';
import * as z from 'zod';
import { isLoopbackHost } from '../base/local-url.ts';
import { canonicalAddress } from '../domain/address.ts';
import { parseAllowList } from '../net/allow-list.ts';
import { type Guard, guardedRead } from '../net/guarded-fetch.ts';
import { type Oidc, OidcFault, type OidcPerson, type OidcSecrets, type OidcSettings } from './oidc.ts';

const mostBytes = 256 * 1024;
const metadataKeptMs = 3_600_000;
const faultKeptMs = 5000;
const availabilityWaitMs = 500;

export function createExchange(settings: OidcSettings): Oidc {
  const issuer = new URL(settings.issuer);
  const isPlain = issuer.protocol === 'http:';
  const own = parseAllowList(issuer.hostname);
  const guard: Guard = {
    allow: {
      permits: (host, port, address) => own.permits(host, port, address) || settings.allow.permits(host, port, address),
    },
    timeoutMs: settings.timeoutMs,
  };
  const fetch = guardedCall(guard, isPlain);
  let known: { metadata: Promise<client.ServerMetadata>; until: number } | null = null;

  async function discover(): Promise<client.ServerMetadata> {
    const found = await client.discovery(issuer, settings.clientId, {}, client.None(), {
      [client.customFetch]: fetch,
      ...(isPlain ? { execute: [client.allowInsecureRequests] } : {}),
    });
    const metadata = found.serverMetadata();
    for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const)
      assertUsable(String(metadata[name]), isPlain);
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

  /** Created for every use, so that a rotated key is known at once. */
  async function configuration(): Promise<client.Configuration> {
    const server = await metadata().catch((error) => {
      throw new OidcFault('unavailable', messageOf(error));
    });
    const made = new client.Configuration(server, settings.clientId, undefined, authentication(server));
    made[client.customFetch] = fetch;
    if (isPlain) client.allowInsecureRequests(made);
    client.enableNonRepudiationChecks(made);
    return made;
  }

  function authentication({ token_endpoint_auth_methods_supported: methods }: client.ServerMetadata) {
    if (settings.clientSecret === null) return client.None();
    const isBasic = methods === undefined || methods.includes('client_secret_basic');
    return isBasic ? client.ClientSecretBasic(settings.clientSecret) : client.ClientSecretPost(settings.clientSecret);
  }

  return {
    async isAvailable() {
      const answered = metadata().then(
        () => true,
        () => false,
      );
      return await Promise.race([answered, trueAfter(availabilityWaitMs)]);
    },
    async begin(redirectUri, { state, nonce, verifier }) {
      const url = client.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    },
    async finish(redirectUri, answer, secrets) {
      const config = await configuration();
      const url = new URL(redirectUri);
      url.search = answer.toString();
      try {
        return await exchange(config, url, secrets, settings.roleClaim);
      } catch (error) {
        throw asFault(error);
      }
    },
  };
}

async function trueAfter(ms: number): Promise<true> {
  await new Promise((resolve) => setTimeout(resolve, ms).unref());
  return true;
}

async function exchange(
  config: client.Configuration,
  url: URL,
  { state, nonce, verifier }: OidcSecrets,
  roleClaim: string | null,
): Promise<OidcPerson> {
  const tokens = await client.authorizationCodeGrant(config, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const idToken = tokens.claims();
  if (idToken === undefined) throw new OidcFault('refused', 'the issuer sent no ID token');
  const wanted = ['email', 'email_verified', ...(roleClaim === null ? [] : [roleClaim])];
  const isComplete = wanted.every((name) => Object.hasOwn(idToken, name));
  const { userinfo_endpoint: endpoint } = config.serverMetadata();
  if (isComplete || endpoint === undefined) return personOf(idToken, roleClaim);
  // Both claims must come from the same place.
  const { email, email_verified, ...proved } = idToken;
  return personOf({ ...(await client.fetchUserInfo(config, tokens.access_token, idToken.sub)), ...proved }, roleClaim);
}

const claims = z.object({
  iss: z.string().min(1).max(1000),
  sub: z.string().min(1).max(255),
  email: z.string().transform(canonicalAddress).pipe(z.string()),
  name: z.string().trim().min(1).max(255).optional().catch(undefined),
  amr: z.array(z.string()).max(50).optional().catch(undefined),
});

function personOf(all: Record<string, unknown>, roleClaim: string | null): OidcPerson {
  if (all.email_verified !== true)
    throw new OidcFault('unverified_email', 'the issuer does not say that the e-mail address is verified');
  const read = claims.safeParse(all);
  if (!read.success)
    throw new OidcFault('refused', `the claim ${read.error.issues[0]?.path.join('.')} is missing or not valid`);
  const { iss, sub, email, name, amr } = read.data;
  const role = roleClaim === null ? undefined : all[roleClaim];
  return {
    issuer: iss,
    subject: sub,
    email,
    name: name ?? null,
    role: typeof role === 'string' ? role : null,
    hasSecondFactor: amr?.includes('mfa') ?? false,
  };
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

function messageOf(error: unknown): string {
  const messages = [...chainOf(error)].map(({ message }) => message).filter((message) => message !== '');
  return [...new Set(messages)].join(': ').slice(0, 300);
}

function asFault(error: unknown): OidcFault {
  for (const cause of chainOf(error)) if (cause instanceof OidcFault) return cause;
  if (error instanceof client.AuthorizationResponseError) {
    const code = /^[a-z_]{1,60}$/.test(error.error) ? error.error : 'no';
    return new OidcFault('denied', `the issuer says ${code}`);
  }
  return new OidcFault('refused', messageOf(error));
}
