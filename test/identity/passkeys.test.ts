// Passkeys, with an authenticator written from the standard: the right answer is taken, and no other.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Passkey } from '../../src/identity/passkeys.ts';
import { loadPasskeys, relyingPartyOf } from '../../src/identity/relying-party.ts';
import { type Ceremony, cbor, softwarePasskey } from '../support/authenticator.ts';

const { claimedPasskey, registrationOptions, signInOptions, verifyPasskeyRegistration, verifyPasskeySignIn } =
  await loadPasskeys();

const origin = 'https://desk.example.org';
const party = relyingPartyOf(`${origin}/`, 'Desk')!;
const challenge = Buffer.alloc(32, 7).toString('base64url');
const ceremony: Ceremony = { origin, rpId: 'desk.example.org', challenge };
const handle = Buffer.alloc(32, 9).toString('base64url');

async function registered(kind: 'es256' | 'eddsa' | 'rs256' = 'es256', signCount = 0) {
  const device = softwarePasskey(kind, handle);
  const passkey = await verifyPasskeyRegistration(party, challenge, device.register(ceremony, { signCount }));
  if (!passkey) throw new Error('not registered');
  return { device, passkey };
}

describe('a desk', () => {
  test.each([
    ['https://desk.example.org', 'desk.example.org'],
    ['https://desk.example.org:8443', 'desk.example.org'],
    ['http://localhost:8080', 'localhost'],
    ['http://desk.localhost:8080', 'desk.localhost'],
    ['http://desk.example.org', null],
    ['http://127.0.0.1:8080', null],
    ['https://192.0.2.1', null],
    ['https://[2001:db8::1]', null],
  ])('at %s has passkeys of %p', (baseUrl, id) => {
    expect(relyingPartyOf(baseUrl, 'Desk')?.id ?? null).toBe(id);
  });

  test('asks for user verification, no attestation and no key that is there already', async () => {
    const { passkey } = await registered();
    const owner = { handle, email: 'mia@example.org', name: 'Mia', passkeys: [passkey] };
    const options = await registrationOptions(party, challenge, owner);
    expect(options).toMatchObject({
      challenge,
      rp: { id: 'desk.example.org', name: 'Desk' },
      user: { id: handle, name: 'mia@example.org', displayName: 'Mia' },
      attestation: 'none',
      authenticatorSelection: { userVerification: 'required', residentKey: 'preferred' },
      excludeCredentials: [{ id: passkey.credentialId, type: 'public-key', transports: ['hybrid', 'internal'] }],
    });
    expect(options.pubKeyCredParams.map(({ alg }) => alg)).toEqual([-8, -7, -257]);
    expect(await signInOptions(party, challenge, [])).toMatchObject({
      challenge,
      rpId: 'desk.example.org',
      allowCredentials: [],
      userVerification: 'required',
    });
  });
});

describe.each(['es256', 'eddsa', 'rs256'] as const)('a passkey with %s', (kind) => {
  test('is registered and signs in', async () => {
    const { device, passkey } = await registered(kind);
    expect(passkey).toMatchObject({
      credentialId: device.credentialId,
      signCount: 0,
      transports: ['hybrid', 'internal'],
    });
    const answer = device.signIn(ceremony);
    expect(claimedPasskey(answer)).toEqual({ credentialId: device.credentialId, userHandle: handle });
    expect(await verifyPasskeySignIn(party, challenge, answer, passkey)).toEqual({ signCount: 0 });
  });
});

describe('a registration is refused', () => {
  const device = softwarePasskey();
  test.each([
    ['to another challenge', device.register({ ...ceremony, challenge: handle })],
    ['at another origin', device.register({ ...ceremony, origin: 'https://evil.example.org' })],
    ['for another desk', device.register({ ...ceremony, rpId: 'evil.example.org' })],
    ['without user verification', device.register(ceremony, { isUnverified: true })],
    ['that is a sign-in', device.register(ceremony, { type: 'webauthn.get' })],
    ['of nothing', null],
    ['of text', 'x'.repeat(1_000_000)],
    [
      'with a huge attestation',
      { ...device.register(ceremony), response: { attestationObject: 'A'.repeat(5_000_000) } },
    ],
  ])('%s', async (_, answer) => {
    expect(await verifyPasskeyRegistration(party, challenge, answer)).toBeNull();
  });

  test.each([
    ['that ends early', Buffer.from([0xa3, 0x63])],
    ['with a length beyond its end', Buffer.from([0xbb, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])],
    ['with lists nested ten thousand deep', Buffer.alloc(10_000, 0x81)],
    ['with tags nested ten thousand deep', Buffer.alloc(10_000, 0xc1)],
    ['with an endless string', Buffer.from([0x7f, 0x61, 0x61])],
    ['without authenticator data', cbor(new Map([['fmt', 'none']]))],
    [
      'with text as authenticator data',
      cbor(
        new Map([
          ['fmt', 'none'],
          ['authData', 'x'.repeat(60_000)],
        ]),
      ),
    ],
    [
      'with empty authenticator data',
      cbor(
        new Map<string, string | Buffer>([
          ['fmt', 'none'],
          ['authData', Buffer.alloc(0)],
        ]),
      ),
    ],
  ])('with CBOR %s', async (_, bytes) => {
    const answer = device.register(ceremony);
    answer.response.attestationObject = bytes.toString('base64url').slice(0, 32_768);
    expect(await verifyPasskeyRegistration(party, challenge, answer)).toBeNull();
  });
});

test('statements about the maker are not read, and no list of revoked certificates is fetched', async () => {
  let asked = 0;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch() {
      asked += 1;
      return new Response('');
    },
  });
  // A certificate that names this server as the place of its list of revoked ones; what signs it does not matter.
  const certificate = Buffer.concat([
    Buffer.from('30820100', 'hex'),
    Buffer.from(`http://127.0.0.1:${server.port}/crl`),
  ]);
  const attStmt = new Map<string, number | Buffer | Buffer[]>([
    ['alg', -7],
    ['sig', Buffer.alloc(70)],
    ['x5c', [certificate, certificate]],
  ]);
  for (const fmt of ['packed', 'fido-u2f', 'apple', 'tpm', 'android-key', 'android-safetynet', 'unknown']) {
    const answer = softwarePasskey().register(ceremony, { fmt, attStmt });
    expect(await verifyPasskeyRegistration(party, challenge, answer), fmt).not.toBeNull();
  }
  expect(asked).toBe(0);
  await server.stop(true);
});

describe('a sign-in is refused', () => {
  let key: Passkey;
  const at = async () => {
    const { device, passkey } = await registered();
    key = passkey;
    return device;
  };
  test.each([
    ['to another challenge', { ...ceremony, challenge: handle }, {}],
    ['at another origin', { ...ceremony, origin: 'http://desk.example.org' }, {}],
    ['for another desk', { ...ceremony, rpId: 'example.org' }, {}],
    ['without user verification', ceremony, { isUnverified: true }],
    ['that is a registration', ceremony, { type: 'webauthn.create' }],
  ])('%s', async (_, wrong, oddities) => {
    const device = await at();
    expect(await verifyPasskeySignIn(party, challenge, device.signIn(wrong, oddities), key)).toBeNull();
  });

  test('with the signature of another passkey', async () => {
    const device = await at();
    const other = softwarePasskey().signIn(ceremony);
    expect(await verifyPasskeySignIn(party, challenge, other, key)).toBeNull();
    const forged = { ...other, id: device.credentialId, rawId: device.credentialId };
    expect(await verifyPasskeySignIn(party, challenge, forged, key)).toBeNull();
  });

  test('with a count of signatures that does not rise', async () => {
    const { device, passkey } = await registered('es256', 5);
    expect(await verifyPasskeySignIn(party, challenge, device.signIn(ceremony, { signCount: 5 }), passkey)).toBeNull();
    const risen = await verifyPasskeySignIn(party, challenge, device.signIn(ceremony, { signCount: 6 }), passkey);
    expect(risen).toEqual({ signCount: 6 });
  });

  test('with one changed byte, whichever it is', async () => {
    const device = await at();
    const fields = ['clientDataJSON', 'authenticatorData', 'signature'] as const;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...fields),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (name, at, mask) => {
          const answer = device.signIn(ceremony);
          const bytes = Buffer.from(answer.response[name], 'base64url');
          // The frame around the two numbers of a signature proves nothing.
          const index = name === 'signature' ? bytes.length - 1 - (at % 16) : at % bytes.length;
          bytes[index] = (bytes[index] ?? 0) ^ mask;
          answer.response[name] = bytes.toString('base64url');
          expect(await verifyPasskeySignIn(party, challenge, answer, key)).toBeNull();
        },
      ),
      { numRuns: 150 },
    );
  });

  test('made of anything else', async () => {
    const device = await at();
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (junk) => {
        expect(claimedPasskey(junk)).toBeNull();
        const answer = { ...device.signIn(ceremony), response: junk };
        expect(await verifyPasskeySignIn(party, challenge, answer, key)).toBeNull();
      }),
    );
  });
});
