// The cookie of a browser in which an agent has signed in (docs/spec/people.md#guessing).

import { knownBrowserMs } from '../../domain/people/sign-in.ts';
import { cookie, cookieIn } from './cookies.ts';

const name = '-known';

export const knownBrowserCookie = (baseUrl: string, secret: string) => cookie(baseUrl, name, secret, knownBrowserMs);

export const knownBrowserIn = (baseUrl: string, header: string | undefined) => cookieIn(baseUrl, header, name);
