// An OpenID Connect issuer on loopback: oidc-provider with accounts of its own, and a browser that signs in there.

import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Provider } from 'oidc-provider';
import type { Provider as MailProviderAccess } from '../../src/identity/mailbox-access.ts';

export interface Issuer {
  url: string;
  /** Claims of each account, by subject. */
  accounts: Map<string, Record<string, unknown>>;
  /** How often each path was asked for. */
  asked: Map<string, number>;
  /** Signs with a new key from now on, and forgets the old one. */
  rotateKeys(): void;
  /** Ends every token and consent. */
  withdraw(): void;
  stop(): Promise<void>;
  /** Who signs in and consents from now on: there is no page to do so. */
  become(subject: string): void;
  /** Signs in as an account at the address that the desk sends people to. The address that it sends them back to. */
  signIn(authorizationUrl: string, subject: string): Promise<URL>;
  /** Whose access token it is; null when it is none. */
  accountOf(accessToken: string): Promise<string | null>;
}

interface IssuerOptions {
  redirectUri: string;
  clientSecret?: string;
  isSecretInBody?: boolean;
  /** Puts all claims into the ID token, as some providers do. */
  hasClaimsInIdToken?: boolean;
  port?: number;
  /** Gives out refresh tokens, and a scope `mail` as providers of mail have theirs. */
  isForMail?: boolean;
  /** Says that refresh tokens last so long, as Microsoft and Google do. */
  refreshSeconds?: number;
}

export const issuerClient = { id: 'desk', secret: 'a secret of the desk: +/&%' };

function newKey(): Record<string, unknown> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' };
}

export async function startIssuer(options: IssuerOptions): Promise<Issuer> {
  const accounts = new Map<string, Record<string, unknown>>();
  const asked = new Map<string, number>();
  let subject = '';
  let provider: Provider;
  let handle: (request: IncomingMessage, response: ServerResponse) => void;

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params } = await provider.interactionDetails(request, response);
    const grant = new provider.Grant({ accountId: subject, clientId: params.client_id ?? '' });
    grant.addOIDCScope(params.scope ?? '');
    const result = { login: { accountId: subject }, consent: { grantId: await grant.save() } };
    const location = await provider.interactionResult(request, response, result);
    response.writeHead(303, { location }).end();
  }

  /** As a mail server asks whose token it was given. */
  async function introspect(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const token = new URLSearchParams(await text(request)).get('token') ?? '';
    const username = (await provider.AccessToken.find(token))?.accountId;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ active: username !== undefined, username }));
  }

  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    asked.set(path, (asked.get(path) ?? 0) + 1);
    if (path === '/introspection') introspect(request, response);
    else if (!path.startsWith('/interaction/')) handle(request, response);
    else interact(request, response).catch((error: Error) => response.writeHead(500).end(error.message));
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function start(): void {
    provider = new Provider(url, {
      clients: [
        {
          client_id: issuerClient.id,
          client_secret: options.clientSecret ?? issuerClient.secret,
          redirect_uris: [options.redirectUri],
          ...(options.isForMail ? { grant_types: ['authorization_code', 'refresh_token'] } : {}),
          token_endpoint_auth_method: options.isSecretInBody ? 'client_secret_post' : 'client_secret_basic',
        },
      ],
      ...(options.isSecretInBody ? { clientAuthMethods: ['client_secret_post'] } : {}),
      cookies: { keys: [randomUUID()] },
      ttl: {
        AccessToken: 3600,
        AuthorizationCode: 60,
        Grant: 3600,
        RefreshToken: 3600,
        IdToken: 60,
        Interaction: 60,
        Session: 60,
      },
      jwks: { keys: [newKey()] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'desk_role'] },
      conformIdTokenClaims: !options.hasClaimsInIdToken,
      ...(options.isForMail ? { scopes: ['openid', 'offline_access', 'mail'], issueRefreshToken: () => true } : {}),
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub, ...accounts.get(sub) }) }),
    });
    provider.use(async (ctx, next) => {
      await next();
      if (ctx.path === '/token' && options.refreshSeconds !== undefined)
        ctx.body = { ...ctx.body, refresh_token_expires_in: options.refreshSeconds };
    });
    handle = provider.callback();
  }
  start();

  return {
    url,
    accounts,
    asked,
    rotateKeys: start,
    withdraw: start,
    async accountOf(accessToken) {
      return (await provider.AccessToken.find(accessToken))?.accountId ?? null;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    become(as) {
      subject = as;
    },
    async signIn(authorizationUrl, as) {
      subject = as;
      const cookies = new Map<string, string>();
      let at = authorizationUrl;
      for (let steps = 0; steps < 10; steps += 1) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const answer = await fetch(at, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } });
        for (const line of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          if (value === '') cookies.delete(name);
          else cookies.set(name, value);
        }
        const location = answer.headers.get('location');
        if (location === null) throw new Error(`${at}: ${answer.status} ${await answer.text()}`);
        at = new URL(location, at).href;
        if (at.startsWith(options.redirectUri)) return new URL(at);
      }
      throw new Error('the issuer sends the browser in circles');
    },
  };
}

/** A provider of mail that gives access to each mailbox at once. */
export const consentingProvider = async (): Promise<MailProviderAccess> => {
  const tokens = async () => ({
    accessToken: 'access',
    refreshToken: 'refresh',
    refreshUntil: null,
    until: Number.MAX_SAFE_INTEGER,
  });
  return { consentPage: async () => 'https://login.example.org/consent', redeem: tokens, refresh: tokens };
};
