// How mail is recognised: by its Message-ID, or once its sender is erased, by a keyed fingerprint of it.

import type { Context } from '../context.ts';

export function erasedMailId(ctx: Context, messageId: string): string {
  return messageId.startsWith('erased:') ? messageId : `erased:${ctx.seal.fingerprint('message-id', messageId)}`;
}

export function keptMailIds(ctx: Context, messageId: string): string[] {
  return [messageId, erasedMailId(ctx, messageId)];
}
