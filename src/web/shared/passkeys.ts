// Passkeys in this browser: whether there can be any, and the two dialogs that the browser shows for them.

export function passkeyObstacle(): 'insecure' | 'old' | null {
  if (!isSecureContext) return 'insecure';
  const isKnown = typeof PublicKeyCredential !== 'undefined' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
  return isKnown ? null : 'old';
}

/** People who close the browser's dialog are not an error. */
export class PasskeyRefusal extends Error {
  override name = 'PasskeyRefusal';
  readonly isKnownAlready: boolean;

  constructor(cause: unknown) {
    super('The browser gave no passkey.', { cause });
    this.isKnownAlready = cause instanceof DOMException && cause.name === 'InvalidStateError';
  }
}

export async function signWithPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<unknown> {
  return await inDialog(() =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  );
}

export async function createPasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<unknown> {
  return await inDialog(() =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  );
}

async function inDialog(ask: () => Promise<Credential | null>): Promise<unknown> {
  let credential: Credential | null;
  try {
    credential = await ask();
  } catch (error) {
    throw new PasskeyRefusal(error);
  }
  if (!(credential instanceof PublicKeyCredential)) throw new PasskeyRefusal(null);
  return credential.toJSON();
}
