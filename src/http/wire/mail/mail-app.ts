// The desk's registration at a provider of mail on the wire: never with its secret.

import * as z from 'zod';
import { mailProviders } from '../../../domain/mail/mailbox.ts';
import { named, time } from '../shapes.ts';

export const mailAppShape = named(
  'MailApp',
  z.object({
    provider: z.enum(mailProviders),
    issuer: z.string(),
    client_id: z.string(),
    has_client_secret: z.boolean(),
    scope: z.string(),
    secret_expires_at: time().nullable(),
    redirect_uri: z.string().meta({ description: 'Register this address at the provider.' }),
  }),
);
