// The cookie that holds a session's token (docs/spec/people.md#sessions).

import { sessionLimits } from '../../domain/people/sign-in.ts';
import { cookie, cookieIn, endedCookie as ended } from './cookies.ts';

export const sessionCookie = (baseUrl: string, secret: string) => cookie(baseUrl, '', secret, sessionLimits.longestMs);

export const endedCookie = (baseUrl: string) => ended(baseUrl, '');

export const sessionSecretIn = (baseUrl: string, header: string | undefined) => cookieIn(baseUrl, header, '');
