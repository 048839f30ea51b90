// By what a mail is known: its Message-ID, and once its sender was erased, a keyed fingerprint of that.

import type { Context } from './record.ts';

export function erasedMailId(ctx: Context, messageId: string): string {
  return messageId.startsWith('erased:') ? messageId : `erased:${ctx.seal.fingerprint('message-id', messageId)}`;
}

/** What a row of the ledger may have instead of this Message-ID. */
export function keptMailIds(ctx: Context, messageId: string): string[] {
  return [messageId, erasedMailId(ctx, messageId)];
}
