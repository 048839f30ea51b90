// The desk as its edges see it: reads, and writes that are answered after their commit.

import { type Clock, type Instant, systemClock } from '../base/clock.ts';
import type { Seal } from '../base/crypto.ts';
import type { Actor } from '../domain/actor.ts';
import type { DeskError } from '../domain/errors.ts';
import { minuteMs } from '../domain/instant.ts';
import type { Store, Tx } from '../engine/database.ts';
import { asUnreadable, isStorageRefusal } from '../engine/refusals.ts';
import { createWriter, type Sync, type Writer } from '../engine/writer.ts';
import type { Context } from './context.ts';
import { factSteps } from './reports/keep-facts.ts';
import { beginStep, runTriggers } from './rules/run-triggers.ts';

// How long a failed read makes the desk unready. What SQLite calls damage may be a disk that could not read just then.
const unreadMs = minuteMs;

export interface Desk {
  readonly clock: Clock;
  readonly seal: Seal;
  readonly store: Store;
  readonly writer: Writer;
  context(actor: Actor, requestId: string, address?: string): Context;
  write<T>(step: (tx: Tx) => Sync<T>, mayRunAgain?: boolean): Promise<T>;
  read<T>(reading: (tx: Tx) => Sync<T>): T;
  /** Changes with every commit of any process, so that earlier counts can be discarded. */
  generation(): string;
  now(): Instant;
  trouble(): DeskError | null;
  /** The ulids of mails erased since the last call; null when no one was erased. */
  takeErased(): string[] | null;
  takeErasedFiles(): string[];
  /** Authors that steps erased since the last call, of failed steps too. */
  takeErasedAuthors(): number[];
}

/** Where the desk is, and its mail, as they are now. */
export interface Addresses {
  readonly baseUrl: string;
  readonly inboundDomain: string;
  /** What the desk writes from, for sites without an address of their own. */
  readonly mailFrom: string;
}

export function createDesk(
  store: Store,
  seal: Seal,
  clock: Clock = systemClock,
  mail: Omit<Addresses, 'baseUrl'> = { inboundDomain: 'localhost', mailFrom: 'helpdesk@localhost' },
  scansFiles = false,
  hasMailServer = false,
): Desk {
  const writer = createWriter(store, { clock, following: factSteps });
  let generation: string | null = null;
  const forgetGeneration = () => {
    generation = null;
  };
  writer.onCommit(forgetGeneration);
  let unread: { refusal: DeskError; until: Instant } | null = null;
  function noteUnread(thrown: unknown): unknown {
    const refusal = asUnreadable(thrown);
    if (isStorageRefusal(refusal)) unread = { refusal, until: clock.now() + unreadMs };
    return refusal;
  }
  let erased: string[] | null = null;
  let erasedFiles: string[] = [];
  let erasedAuthors: number[] = [];
  const noteErasure = (mails: readonly string[], attachments: readonly string[] = [], authorId?: number) => {
    if (authorId !== undefined) erasedAuthors.push(authorId);
    erased = [...(erased ?? []), ...mails];
    erasedFiles = [...erasedFiles, ...attachments];
  };
  return {
    clock,
    seal,
    store,
    writer,
    context: (actor, requestId, address) => ({
      actor,
      requestId,
      address: address ?? null,
      now: clock.now(),
      seal,
      mailDomain: mail.inboundDomain,
      mailFrom: mail.mailFrom,
      hasMailServer,
      scansFiles,
      noteErasure,
    }),
    takeErased() {
      const taken = erased;
      erased = null;
      return taken;
    },
    takeErasedFiles() {
      const taken = erasedFiles;
      erasedFiles = [];
      return taken;
    },
    takeErasedAuthors() {
      const taken = erasedAuthors;
      erasedAuthors = [];
      return taken;
    },
    write: (step, mayRunAgain) =>
      writer.write((tx) => {
        beginStep(tx);
        const value = step(tx);
        runTriggers(tx);
        return value;
      }, mayRunAgain),
    read(reading) {
      try {
        return store.view(reading);
      } catch (error) {
        throw noteUnread(error);
      }
    },
    trouble() {
      if (unread !== null && unread.until < clock.now()) unread = null;
      return unread?.refusal ?? writer.refusal();
    },
    generation() {
      if (generation === null) setImmediate(forgetGeneration);
      generation ??= `${store.dataVersion()}`;
      return generation;
    },
    now: () => clock.now(),
  };
}
