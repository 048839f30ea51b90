// The desk's registrations at providers of mail, at most one each.

import type { InferSelectModel } from 'drizzle-orm';
import type { MailProvider } from '../../domain/mail/mailbox.ts';
import type { Tx } from '../../engine/database.ts';
import { insertInto, selectFrom, statement, updateById } from '../../engine/statements.ts';
import { mailApps } from '../schema/mailboxes.ts';

export type MailAppRow = InferSelectModel<typeof mailApps>;

const insert = insertInto(mailApps);
const update = updateById(mailApps);

export const mailAppOf = selectFrom(mailApps, 'WHERE provider = ?1').get<[provider: MailProvider]>;

export const allMailApps = selectFrom(mailApps, 'ORDER BY provider').all<[]>;

export function putMailApp(tx: Tx, app: Omit<MailAppRow, 'id' | 'version'>): void {
  const before = mailAppOf(tx, app.provider);
  if (before === undefined) insert(tx, { ...app, version: 1 });
  else update(tx, before.id, { ...app, version: before.version + 1 });
}

export const removeMailApp = statement('DELETE FROM mail_apps WHERE provider = ?1').run;
