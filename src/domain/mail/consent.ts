// What a mailbox with OAuth needs of its provider: whom to ask, and for what (docs/spec/mailboxes.md#oauth).

import type { MailProvider } from './mailbox.ts';

/** The desk's registration at a provider. */
export interface MailApp {
  provider: MailProvider;
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  /** What the desk asks for, with spaces between. */
  scope: string;
}

export const googleIssuer = 'https://accounts.google.com';

/** With a tenant's own id: the common address names no issuer that an answer could be held against. */
export const microsoftIssuer = /^https:\/\/login\.microsoftonline\.com\/[0-9a-f-]{36}\/v2\.0$/;

/** Reading and sending, and a refresh token. Null: the provider has no usual ones. */
export const usualScopes: Readonly<Record<MailProvider, string | null>> = {
  google: 'https://mail.google.com/',
  microsoft: 'https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send offline_access',
  other: null,
};
