// Mailboxes as the desk answers them.

import type * as z from 'zod';
import type { mailAppShape } from '../../../../http/wire/mail/mail-app.ts';
import type { mailboxShape, mailboxTrialShape } from '../../../../http/wire/mail/mailbox.ts';

export type Mailbox = z.output<typeof mailboxShape>;
export type MailboxTrial = z.output<typeof mailboxTrialShape>;
export type MailApp = z.output<typeof mailAppShape>;
