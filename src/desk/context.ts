// What every step is given: who asks, when, and with which key.

import type { Instant } from '../base/clock.ts';
import type { Seal } from '../base/crypto.ts';
import type { Actor } from '../domain/actor.ts';

export interface Context {
  readonly actor: Actor;
  readonly requestId: string;
  /** Where the request came from; null for the command line and for the desk's own work. */
  readonly address: string | null;
  readonly now: Instant;
  readonly seal: Seal;
  readonly mailDomain: string;
  /** Erasures must also be recorded outside the database before they are answered. Takes ulids of erased mail and files, and the author. */
  readonly noteErasure?: (mails: readonly string[], attachments?: readonly string[], authorId?: number) => void;
}
