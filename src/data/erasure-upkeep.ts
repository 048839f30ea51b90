// What follows erasures: tombstones outside the database, and the removal of files.

import { join } from 'node:path';
import { gently } from '../base/give-way.ts';
import { continueErasure } from '../desk/customers/erasure.ts';
import type { Desk } from '../desk/desk.ts';
import { removeEmlFiles } from '../files/eml-files.ts';
import { erasureUnderWay } from '../store/customers/erasures.ts';
import { erasedLetters, forgetErasedLetters } from '../store/mail/author-mails.ts';
import { knownInboundMail } from '../store/mail/inbound.ts';
import { knownAttachments } from '../store/tickets/messages.ts';
import type { FilesOfDesk } from './desk-files.ts';
import { eraseAllAgain, noteErasuresOf, noteMissedErasures } from './erasures.ts';

interface ErasureUpkeepOptions {
  path: string;
  desk: Desk;
  files: FilesOfDesk;
  /** Whether the database can be replaced by an older one without a sign in the directory, as `litefs import` does. */
  isReplicated: boolean;
  onFault: (error: unknown) => void;
}

interface ErasureUpkeep {
  /** Runs before the erasure is answered. */
  afterCommit(): void;
  removeErased(): Promise<void>;
  stop(): Promise<void>;
}

const lettersAtOnce = 5000;

export function createErasureUpkeep({ path, desk, files, isReplicated, onFault }: ErasureUpkeepOptions): ErasureUpkeep {
  let isStopping = false;
  let unnoted: number[] = [];
  let isComplete = false;
  function keepErasures() {
    unnoted.push(...desk.takeErasedAuthors());
    try {
      noteErasuresOf(path, desk, unnoted);
      unnoted = [];
    } catch (error) {
      onFault(error);
    }
  }
  /** Only mail that has left the inbound log: a step that failed has erased nothing. */
  async function removeErasedMail(ulids: string[]) {
    const kept = desk.read((tx) => knownInboundMail(tx, ulids));
    for (const ulid of ulids) if (!kept.has(ulid)) await files.mail.remove(ulid);
  }
  /** After a crash the notes are still there, and the work is done later. */
  async function removeErasedLetters() {
    for (;;) {
      const messageIds = desk.read((tx) => erasedLetters(tx, lettersAtOnce));
      if (messageIds.length === 0) return;
      await removeEmlFiles(join(path, 'mail'), messageIds);
      await desk.write((tx) => {
        forgetErasedLetters(tx, messageIds);
        return null;
      });
    }
  }
  async function finishErasures() {
    const ctx = () => desk.context({ kind: 'desk' }, 'erasure');
    while (!isStopping && desk.read((tx) => erasureUnderWay(tx)) !== null) {
      await gently(() => desk.write((tx) => continueErasure(tx, ctx())));
    }
  }
  let removing: Promise<void> = Promise.resolve();
  function removeErased(mails: string[], attached: string[]): Promise<void> {
    const done = removing.then(async () => {
      if (isStopping) return;
      if (!isComplete) {
        const lacking = await noteMissedErasures(path, desk, () => isStopping);
        if (isReplicated) await eraseAllAgain(desk, lacking, () => isStopping);
        isComplete = !isStopping;
      }
      await finishErasures();
      await removeErasedMail(mails);
      const kept = desk.read((tx) => knownAttachments(tx, attached));
      for (const ulid of attached) if (!kept.has(ulid)) await files.attachments.remove(ulid);
      await removeErasedLetters();
    });
    removing = done.catch(() => undefined);
    return done;
  }
  return {
    afterCommit() {
      const erased = desk.takeErased();
      if (erased === null) return;
      keepErasures();
      removeErased(erased, desk.takeErasedFiles()).catch(onFault);
    },
    removeErased: () => removeErased([], []),
    async stop() {
      isStopping = true;
      await removing;
    },
  };
}
