// Settings of signing in: OpenID Connect, and whether passwords are taken.

import * as z from 'zod';
import { isLoopbackHost } from '../local-url.ts';
import { entry } from './entry.ts';
import { optional, words } from './values.ts';

function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  if (username !== '' || password !== '' || search !== '' || hash !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}

export const signInSettings = {
  HELPDESK_PASSWORD_SIGN_IN: entry(
    z.enum(['on', 'off'], { error: 'on or off' }).transform((value) => value === 'on'),
    'on',
    'Whether agents can sign in with a password: on or off. Off requires HELPDESK_OIDC_ISSUER.',
  ),
  HELPDESK_OIDC_ISSUER: entry(
    optional.refine((issuer) => issuer === null || isIssuer(issuer), {
      error: 'an https address such as https://login.example.org, or http on this machine',
    }),
    '',
    'The OpenID Connect issuer that agents can sign in with, before one that an owner sets in the browser (docs/operations/openid-connect.md).',
  ),
  HELPDESK_OIDC_CLIENT_ID: entry(optional, '', 'The id under which the issuer knows the desk.'),
  HELPDESK_OIDC_CLIENT_SECRET: entry(
    optional,
    '',
    'The secret that belongs to that id; a public client has none.',
    true,
  ),
  HELPDESK_OIDC_LABEL: entry(
    optional.refine((label) => label === null || label.length <= 60, { error: 'at most 60 characters' }),
    '',
    'The name on the button "Sign in with …"; by default the host of the issuer.',
  ),
  HELPDESK_OIDC_DOMAINS: entry(
    z
      .string()
      .transform((text) => words(text.toLowerCase()))
      .refine((list) => list.every((domain) => /^[^\s@/:]+$/.test(domain)), {
        error: 'domain names, separated by commas',
      }),
    '',
    'E-mail domains whose users become members when they first sign in; without any, only existing agents can sign in.',
  ),
  HELPDESK_OIDC_ROLE_CLAIM: entry(
    optional,
    '',
    'The claim whose value owner, admin, member or viewer, alone or in a list, becomes the role of the agent at every sign-in; without one of them, viewer.',
  ),
};
