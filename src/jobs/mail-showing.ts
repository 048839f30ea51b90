// Shows a stored message to someone who decides about it, without filing it.

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { randomSecret } from '../base/crypto.ts';
import { createGate } from '../base/gate.ts';
import { conflict, DeskError } from '../domain/errors.ts';
import type { Blobs } from '../files/blobs.ts';
import { type Reader, ReaderError } from '../reader/reader.ts';
import type { ShowMailInput, ShownFile, ShownMail } from '../reader/show-mail.ts';
import { storedOriginal } from '../reader/stored-original.ts';
import type { InboundMail } from '../store/mail/inbound.ts';
import type { Site } from '../store/sites/sites.ts';
import type { MailReading } from './mail-reading.ts';

export interface MailShowing {
  show(site: Site, row: InboundMail, hasPictures?: boolean): Promise<ShownMail>;
  /** Null if there is no such file, or the desk does not accept it. */
  showFile(site: Site, row: InboundMail, at: number): Promise<{ file: ShownFile; bytes: Uint8Array } | null>;
  /** The message as it was sent, or rebuilt from what the provider told, without the secrets of customers' links. */
  original(row: InboundMail): Promise<Uint8Array>;
}

const anyone = '';

export function createMailShowing(reading: MailReading, reader: Reader, mailBlobs: Blobs): MailShowing {
  // One at a time, so that the reader always has a process for mail that arrives.
  const gate = createGate({
    atOnce: 1,
    waiting: 16,
    waitMs: 20_000,
    refusal: () =>
      new DeskError('unavailable', 'Too much mail is being read at the same time. Try again later.', {
        reason: 'busy',
        retryAfterSeconds: 5,
      }),
  });

  async function inTurn<Read>(read: () => Promise<Read>): Promise<Read> {
    try {
      return await gate.pass(anyone, read);
    } catch (error) {
      const isRefusal = error instanceof DeskError && !['unavailable', 'not_found'].includes(error.code);
      if (isRefusal || error instanceof ReaderError) throw conflict(error.message, 'unreadable');
      throw error;
    }
  }

  const read = (site: Site, row: InboundMail, wanted: Pick<ShowMailInput, 'hasPictures' | 'file'>) =>
    inTurn(() => reading.show(row, site, wanted));

  return {
    original: (row) => inTurn(() => storedOriginal(reader, mailBlobs, row, true)),
    async show(site, row, hasPictures = false) {
      const found = await read(site, row, { hasPictures, file: null });
      if (found.kind === 'message') return found.mail;
      throw conflict('There is no message in this request.', 'unreadable');
    },
    async showFile(site, row, at) {
      const target = join(mailBlobs.staging, randomSecret('part'));
      try {
        const found = await read(site, row, { hasPictures: false, file: { at, target } });
        if (found.kind !== 'file' || found.file === null) return null;
        return { file: found.file, bytes: await readFile(target) };
      } finally {
        await rm(target, { force: true });
      }
    },
  };
}
