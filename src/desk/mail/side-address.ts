// The address at which answers come to a side conversation: its number under a keyed hash.

import { isSameSecret } from '../../base/crypto.ts';
import type { Tx } from '../../engine/database.ts';
import { type SideConversation, sideConversationById } from '../../store/tickets/side-conversations.ts';
import type { Context } from '../context.ts';

const macOf = ({ seal }: Context, ulid: string) =>
  Buffer.from(seal.sign('side-conversation', ulid), 'base64url').subarray(0, 16).toString('hex');

/** The part before the @. */
export function sideAddress(ctx: Context, { id, ulid }: SideConversation): string {
  return `side+${id.toString(36)}-${macOf(ctx, ulid)}`;
}

const shape = /^<?side\+([0-9a-z]{1,11})-([0-9a-f]{32})@/i;

/** Null without such an address; 'unknown' if this desk never gave it to anyone. */
export function readSideAddress(
  tx: Tx,
  ctx: Context,
  addresses: readonly string[],
): SideConversation | 'unknown' | null {
  const found = addresses.map((address) => shape.exec(address)).find((match) => match !== null);
  if (!found) return null;
  const conversation = sideConversationById(tx, Number.parseInt(found[1]!, 36));
  return conversation && isSameSecret(found[2]!.toLowerCase(), macOf(ctx, conversation.ulid))
    ? conversation
    : 'unknown';
}
