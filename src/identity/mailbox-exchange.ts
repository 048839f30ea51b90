// The conversation with a provider about a mailbox: consent by the code flow with PKCE, and access tokens from it.

import * as client from 'openid-client';
import type { Clock } from '../base/clock.ts';
import type { MailApp } from '../domain/mail/consent.ts';
import { fit, oneLine } from '../domain/plain-text.ts';
import type { AllowList } from '../net/allow-list.ts';
import { createIssuerClient, messageOf } from './issuer-client.ts';
import { ConsentNeeded, type Provider, TokenFault, type Tokens } from './mailbox-access.ts';
import { OidcFault } from './oidc-fault.ts';

interface ProviderSettings {
  allow: AllowList;
  timeoutMs: number;
  clock: Clock;
}

/** Half an hour, for a provider that does not say how long its tokens last. */
const unsaidSeconds = 1800;
/** Ten years: longer is as good as for ever. */
const mostRefreshSeconds = 315_360_000;

export function createProvider(app: MailApp, settings: ProviderSettings): Provider {
  const { configuration } = createIssuerClient(
    { issuer: app.issuer, clientId: app.clientId, clientSecret: app.clientSecret, ...settings },
    ['authorization_endpoint', 'token_endpoint'],
  );

  function tokensOf(answer: client.TokenEndpointResponse): Tokens {
    const seconds = Math.max(0, answer.expires_in ?? unsaidSeconds);
    // No standard: Microsoft and Google call it so; others the second name.
    const refreshSeconds = Number(answer.refresh_token_expires_in ?? answer.refresh_expires_in);
    const isSaid = refreshSeconds > 0 && refreshSeconds < mostRefreshSeconds;
    return {
      accessToken: answer.access_token,
      refreshToken: answer.refresh_token ?? null,
      refreshUntil: isSaid ? settings.clock.now() + refreshSeconds * 1000 : null,
      until: settings.clock.now() + seconds * 1000,
    };
  }

  return {
    async consentPage(redirectUri, hint, { state, verifier }) {
      const config = await configuration().catch(asTokenFault);
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: app.scope,
        state,
        login_hint: hint,
        // Without it, a second consent brings no refresh token.
        prompt: 'consent',
        ...(app.provider === 'google' ? { access_type: 'offline' } : {}),
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    },
    async redeem(redirectUri, answer, { state, verifier }) {
      const url = new URL(redirectUri);
      url.search = answer.toString();
      const config = await configuration().catch(asTokenFault);
      const checks = { expectedState: state, pkceCodeVerifier: verifier };
      const tokens = tokensOf(await client.authorizationCodeGrant(config, url, checks).catch(asTokenFault));
      if (tokens.refreshToken === null)
        throw new ConsentNeeded('The provider sent no refresh token: does the app ask for lasting access?');
      return tokens;
    },
    async refresh(refreshToken) {
      const config = await configuration().catch(asTokenFault);
      // Microsoft wants the scope each time.
      return tokensOf(await client.refreshTokenGrant(config, refreshToken, { scope: app.scope }).catch(asTokenFault));
    },
  };
}

// Answers that no repeat cures.
const needPerson =
  /^(?:invalid_grant|interaction_required|consent_required|login_required|access_denied|invalid_scope)$/;
const needApp = /^(?:invalid_client|unauthorized_client)$/;

function asTokenFault(error: unknown): never {
  if (error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError) {
    const said = fit(oneLine([error.error, error.error_description ?? ''].join(': ')), 300);
    if (needPerson.test(error.error))
      throw new ConsentNeeded(`The provider does not give access to this mailbox: ${said}`);
    if (needApp.test(error.error))
      throw new ConsentNeeded(`The provider refuses the desk's client id or secret, which may have expired: ${said}`);
    throw new TokenFault(`The provider answers: ${said}`);
  }
  const said = fit(oneLine(error instanceof OidcFault ? error.message : messageOf(error)), 300);
  throw new TokenFault(`The provider cannot be asked for a token: ${said}`);
}
