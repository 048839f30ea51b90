// An authenticator made of software: keys, CBOR and the signatures of WebAuthn, written from the standard.

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

type Cbor = number | string | Uint8Array | Map<Cbor, Cbor> | Cbor[];

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}

export function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -value - 1) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])]);
}

const flags = { present: 1, verified: 4, attested: 64 };
const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();
const kinds = {
  es256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  eddsa: () => generateKeyPairSync('ed25519'),
  rs256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
};

function coseKey(key: KeyObject): Buffer {
  const jwk = key.export({ format: 'jwk' });
  const part = (text: string | undefined) => Buffer.from(text ?? '', 'base64url');
  if (jwk.kty === 'EC')
    return cbor(
      new Map<Cbor, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, part(jwk.x)],
        [-3, part(jwk.y)],
      ]),
    );
  if (jwk.kty === 'OKP')
    return cbor(
      new Map<Cbor, Cbor>([
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, part(jwk.x)],
      ]),
    );
  return cbor(
    new Map<Cbor, Cbor>([
      [1, 3],
      [3, -257],
      [-1, part(jwk.n)],
      [-2, part(jwk.e)],
    ]),
  );
}

export interface Ceremony {
  origin: string;
  rpId: string;
  /** base64url */
  challenge: string;
}

interface Oddities {
  type?: string;
  isUnverified?: boolean;
  crossOrigin?: boolean;
  fmt?: string;
  attStmt?: Map<Cbor, Cbor>;
  /** Counts like a security key; synced passkeys stay at 0. */
  signCount?: number;
}

/** One passkey of one authenticator. */
export function softwarePasskey(kind: keyof typeof kinds = 'es256', userHandle: string | null = null) {
  const { publicKey, privateKey } = kinds[kind]() as { publicKey: KeyObject; privateKey: KeyObject };
  const id = randomBytes(32);
  const credentialId = id.toString('base64url');

  const clientData = ({ origin, challenge }: Ceremony, type: string, { crossOrigin = false }: Oddities) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));
  const count = (signCount = 0) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(signCount);
    return bytes;
  };
  const verified = ({ isUnverified = false }: Oddities) => flags.present | (isUnverified ? 0 : flags.verified);
  const envelope = { id: credentialId, rawId: credentialId, type: 'public-key', clientExtensionResults: {} };

  return {
    credentialId,
    /** What `navigator.credentials.create` answers, as JSON. */
    register(ceremony: Ceremony, oddities: Oddities = {}) {
      const authData = Buffer.concat([
        sha256(ceremony.rpId),
        Buffer.from([verified(oddities) | flags.attested]),
        count(oddities.signCount),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        coseKey(publicKey),
      ]);
      const attestation = new Map<Cbor, Cbor>([
        ['fmt', oddities.fmt ?? 'none'],
        ['attStmt', oddities.attStmt ?? new Map()],
        ['authData', authData],
      ]);
      return {
        ...envelope,
        response: {
          clientDataJSON: clientData(ceremony, oddities.type ?? 'webauthn.create', oddities).toString('base64url'),
          attestationObject: cbor(attestation).toString('base64url'),
          transports: ['internal', 'hybrid'],
        },
      };
    },
    /** What `navigator.credentials.get` answers, as JSON. */
    signIn(ceremony: Ceremony, oddities: Oddities = {}) {
      const authData = Buffer.concat([
        sha256(ceremony.rpId),
        Buffer.from([verified(oddities)]),
        count(oddities.signCount),
      ]);
      const data = clientData(ceremony, oddities.type ?? 'webauthn.get', oddities);
      const signature = sign(
        kind === 'eddsa' ? null : 'sha256',
        Buffer.concat([authData, sha256(data)]),
        privateKey,
      ).toString('base64url');
      return {
        ...envelope,
        response: {
          clientDataJSON: data.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature,
          userHandle,
        },
      };
    },
  };
}
