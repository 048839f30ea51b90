// What every step is given: who asks, when, and with which key.

import type { Instant } from '../base/clock.ts';
import type { Seal } from '../base/crypto.ts';
import type { Actor } from '../domain/actor.ts';
import type { Because } from '../domain/rules/trigger.ts';

export interface Context {
  readonly actor: Actor;
  readonly requestId: string;
  /** Where the request came from; null for the command line and for the desk's own work. */
  readonly address: string | null;
  readonly now: Instant;
  readonly seal: Seal;
  readonly mailDomain: string;
  /** The address that sites without their own write from, unless an owner has set the desk's mail server (`deskAddress`). */
  readonly mailFrom: string;
  /** The environment names the server that takes mail. */
  readonly hasMailServer: boolean;
  /** No one is told of what happens: it was so before the desk was connected. */
  readonly isSilent?: boolean;
  /** Whether new files wait for a virus scanner. */
  readonly scansFiles: boolean;
  /** Of what a rule does: which it is and why, the rules that led to it, and whether automatic mail set it off. */
  readonly rule?: { readonly why: Because; readonly chain: readonly string[]; readonly isOfMachine: boolean };
  /** Erasures must also be recorded outside the database before they are answered. Takes ulids of erased mail and files, and the author. */
  readonly noteErasure?: (mails: readonly string[], attachments?: readonly string[], authorId?: number) => void;
}
