// An issuer that answers as a test wants, with tokens signed in any way.

import { createHmac, generateKeyPairSync, sign } from 'node:crypto';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicJwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig', alg: 'RS256' };
/** The public key as an attacker writes it, to be taken for a shared secret. */
export const publicPem = String(publicKey.export({ format: 'pem', type: 'spki' }));

export interface ForgedIssuer {
  url: string;
  /** Answers by path, instead of the usual ones. */
  answers: Record<string, (request: Request) => Response | Promise<Response>>;
  /** The answer of the token endpoint: by default an ID token with these claims and a valid signature. */
  claims: Record<string, unknown>;
  header: Record<string, unknown>;
  signature: (signed: string) => string;
  asked: string[];
  stop(): Promise<void>;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

export const signatures = {
  rs256: (signed: string) => sign('sha256', Buffer.from(signed), privateKey).toString('base64url'),
  none: () => '',
  hs256: (key: string) => (signed: string) => createHmac('sha256', key).update(signed).digest('base64url'),
};

export function startForgedIssuer(): ForgedIssuer {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 30,
    fetch(request) {
      const { pathname } = new URL(request.url);
      issuer.asked.push(pathname);
      return (issuer.answers[pathname] ?? usual[pathname] ?? (() => new Response('', { status: 404 })))(request);
    },
  });
  const url = `http://127.0.0.1:${server.port}`;
  const usual: ForgedIssuer['answers'] = {
    '/.well-known/openid-configuration': () => Response.json(metadataOf(url)),
    '/jwks': () => Response.json({ keys: [publicJwk] }),
    '/token': () => {
      const signed = `${encode(issuer.header)}.${encode(issuer.claims)}`;
      const id_token = `${signed}.${issuer.signature(signed)}`;
      return Response.json({ access_token: 'at', token_type: 'Bearer', id_token });
    },
  };
  const issuer: ForgedIssuer = {
    url,
    answers: {},
    claims: {},
    header: { alg: 'RS256', kid: 'k1' },
    signature: signatures.rs256,
    asked: [],
    stop: () => server.stop(true),
  };
  return issuer;
}

export function metadataOf(url: string): Record<string, unknown> {
  return {
    issuer: url,
    authorization_endpoint: `${url}/auth`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/jwks`,
    userinfo_endpoint: `${url}/me`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
  };
}
