// Second factors of a session in a test: an authenticator app and passkeys, added as a browser would add them.

import { baseUrl, type TestApp } from './app.ts';
import { softwarePasskey } from './authenticator.ts';
import { codeAt } from './totp-code.ts';

type Headers = Record<string, string>;

/** The headers of a session after an answer that renewed its cookie. */
export function renewed(headers: Headers, answer: { headers: globalThis.Headers }): Headers {
  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('helpdesk='));
  return cookie === undefined ? headers : { ...headers, Cookie: cookie.split(';')[0] ?? '' };
}

async function asked(app: TestApp, headers: Headers, path: string, body: unknown = {}) {
  const answer = await app.ask('POST', `/api/v1${path}`, { headers, body });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer;
}

/** Sessions of before end; the answer has the headers of the one that goes on. */
export async function addTotp(app: TestApp, headers: Headers) {
  const { secret } = (await asked(app, headers, '/me/totp')).json.data;
  const code = codeAt(secret, app.clock.now());
  const confirmed = await asked(app, headers, '/me/totp/confirm', { code });
  const recoveryCodes: string[] = confirmed.json.recovery_codes;
  return { secret, headers: renewed(headers, confirmed), recoveryCodes };
}

interface PasskeyOffer {
  challenge: string;
  options: { challenge: string; user: { id: string } };
}

export async function offeredPasskey(app: TestApp, headers: Headers): Promise<PasskeyOffer> {
  return (await asked(app, headers, '/me/passkeys')).json.data;
}

const ceremonyOf = (challenge: string) => ({ origin: baseUrl, rpId: new URL(baseUrl).hostname, challenge });

export function registrationOf({ challenge, options }: PasskeyOffer) {
  const device = softwarePasskey('es256', options.user.id);
  return { device, body: { challenge, response: device.register(ceremonyOf(options.challenge)), name: 'Laptop' } };
}

export async function addPasskey(app: TestApp, headers: Headers) {
  const { device, body } = registrationOf(await offeredPasskey(app, headers));
  const added = await asked(app, headers, '/me/passkeys', body);
  return {
    id: added.json.data.id as number,
    recoveryCodes: added.json.recovery_codes as string[] | null,
    headers: renewed(headers, added),
    /** The browser's answer to the options of a sign-in. */
    answer: (options: { challenge: string }) => device.signIn(ceremonyOf(options.challenge)),
  };
}
