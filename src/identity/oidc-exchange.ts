// The conversation with the issuer: the code flow with PKCE, and what the ID token and user info say.

import * as client from 'openid-client';
import * as z from 'zod';
import { agentRoles, type Role } from '../domain/actor.ts';
import { canonicalAddress } from '../domain/mail/address.ts';
import { type AllowList, parseAllowList } from '../net/allow-list.ts';
import { asFault, createIssuerClient } from './issuer-client.ts';
import type { Oidc, OidcPerson, OidcSecrets, OidcSettings } from './oidc.ts';
import { OidcFault } from './oidc-fault.ts';

const availabilityWaitMs = 500;

export function createExchange(settings: OidcSettings): Oidc {
  const own = parseAllowList(new URL(settings.issuer).hostname);
  const allow: AllowList = {
    permits: (host, port, address) => own.permits(host, port, address) || settings.allow.permits(host, port, address),
  };
  const needed = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
  const ask = () => createIssuerClient({ ...settings, allow }, needed);
  const { metadata, configuration } = ask();
  return {
    async isAvailable() {
      const answered = metadata().then(
        () => true,
        () => false,
      );
      return await Promise.race([answered, trueAfter(availabilityWaitMs)]);
    },
    async test() {
      await ask().configuration();
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
      client.enableNonRepudiationChecks(config);
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
  const told =
    isComplete || endpoint === undefined
      ? idToken
      : await client.fetchUserInfo(config, tokens.access_token, idToken.sub);
  // Both claims must come from the same place.
  const { email, email_verified } = idToken.email_verified === true && Object.hasOwn(idToken, 'email') ? idToken : told;
  return personOf({ ...told, ...idToken, email, email_verified }, roleClaim);
}

const claims = z.object({
  iss: z.string().min(1).max(1000),
  sub: z.string().min(1).max(255),
  email: z.string().transform(canonicalAddress).pipe(z.string()),
  name: z.string().trim().min(1).max(255).optional().catch(undefined),
  amr: z.array(z.string()).max(50).optional().catch(undefined),
});

const leastRole = 'viewer' satisfies Role;

/** The least of the roles that a claim names, alone or in a list; null when it names none. */
function roleIn(claim: unknown): Role | null {
  const named: unknown[] = Array.isArray(claim) ? claim : [claim];
  return agentRoles.findLast((role) => named.includes(role)) ?? null;
}

function personOf(all: Record<string, unknown>, roleClaim: string | null): OidcPerson {
  if (all.email_verified !== true)
    throw new OidcFault('unverified_email', 'the issuer does not say that the e-mail address is verified');
  const read = claims.safeParse(all);
  if (!read.success)
    throw new OidcFault('refused', `the claim ${read.error.issues[0]?.path.join('.')} is missing or not valid`);
  const { iss, sub, email, name, amr } = read.data;
  const role = roleClaim === null ? null : roleIn(all[roleClaim]);
  return {
    issuer: iss,
    subject: sub,
    email,
    name: name ?? null,
    role: roleClaim === null ? null : (role ?? leastRole),
    roleFault:
      roleClaim === null || role !== null
        ? null
        : new OidcFault(
            'unread_role',
            `the claim ${roleClaim} of ${email} names no role of the desk: ${leastRole} it is`,
          ),
    hasSecondFactor: amr?.includes('mfa') ?? false,
  };
}
